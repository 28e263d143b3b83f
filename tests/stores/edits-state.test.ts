import { describe, expect, test, vi } from 'vitest';
import type { ChangeId } from '#model/ids';
import type { PendingNote } from '#model/pending-edit';
import { type EditPlace, EditsState } from '#stores/edits-state';
import { PluginState } from '#stores/plugin-state';
import { pageUi } from '#workbench/gallery/page-ui';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { eventually } from '#tests/builders/eventually';

const NOTE = 'Lists/Shopping.md';
const [FIRST, SECOND] = ['change-1', 'change-2'] as [ChangeId, ChangeId];

function made() {
  const script = new Script('a').ask('Add milk').step();
  const { pending } = proposing(script, [
    {
      path: NOTE,
      parts: [
        ['a\n', 'b\n'],
        ['c\n', 'd\n'],
        ['', 'e\n'],
      ],
    },
  ]);
  script.done('');
  const agent = scriptedAgent([script], { reviewed: { pending } });
  const ui = pageUi();
  const edits = new EditsState(agent, ui, async (places) => places);
  const asked = (verb: string) =>
    agent.asked.filter(([name]) => name === verb).map(([, given]) => given);
  return { agent, asked, edits, note: pending[0], ui };
}

function placesOf(note: PendingNote, edits = note.edits): EditPlace[] {
  return edits.map((edit) => ({ note, edit }));
}

describe('pending edits', () => {
  test("the store always has the agent's pending edits", () => {
    const { agent, edits, note } = made();
    expect(edits.count).toBe(3);
    const id = note?.edits[0]?.id ?? FIRST;
    expect(edits.find(id, NOTE)?.note.path).toBe(NOTE);
    agent.reviewed.set([]);
    expect(edits.count).toBe(0);
    expect(edits.find(id, NOTE)).toBeNull();
    edits.close();
    agent.reviewed.set(note ? [note] : []);
    expect(edits.count).toBe(0);
  });

  test('an edit is decided once, however often it is clicked', async () => {
    const { asked, edits, note } = made();
    const proposal = note?.edits[0]?.id ?? FIRST;
    const first = edits.decide('accept', { edit: proposal, note: NOTE });
    expect(edits.isBusy(proposal)).toBe(true);
    await edits.decide('accept', { edit: proposal, note: NOTE });
    await first;
    expect(asked('accept')).toHaveLength(1);
    expect(edits.isBusy(proposal)).toBe(false);
  });

  test('parts and edits chosen while others are being decided are decided, too', async () => {
    const { asked, edits, note } = made();
    const [first, second, third] = placesOf(note!);
    const place = { edit: first!.edit.id, note: NOTE };
    const word = { ...place, of: 2, removed: 'a', added: 'b', choice: 'accept' } as const;
    await Promise.all([
      edits.decidePart({ ...word, part: 0 }),
      edits.decidePart({ ...word, part: 0 }),
      edits.decidePart({ ...word, part: 1 }),
      edits.decide('reject', place),
      edits.decideTogether('accept', [second!]),
      edits.decideTogether('accept', [second!]),
      edits.decideTogether('accept', [third!]),
    ]);
    expect(asked('decidePart')).toMatchObject([{ part: 0 }, { part: 1 }]);
    expect(asked('reject')).toEqual([place]);
    expect(asked('accept')).toMatchObject(
      [second!, third!].map(({ edit }) => ({ among: [edit.id] })),
    );
  });

  test('the edits of one turn are decided together, without others of the note', async () => {
    const { asked, edits, note } = made();
    if (!note) throw new Error('There is no note.');
    await edits.decideTogether('reject', placesOf(note, note.edits.slice(1)));
    const among = note.edits.slice(1).map(({ id }) => id);
    expect(asked('reject')).toEqual([{ edit: 'all', note: NOTE, among }]);
  });

  test('edits that were decided together are undone together', async () => {
    const { agent, asked, edits, note } = made();
    if (!note) throw new Error('There is no note.');
    await edits.decideTogether('accept', edits.placesIn());
    expect(edits.together).toMatchObject({ verdict: 'accept', edits: 3, notes: new Set([NOTE]) });
    expect(edits.count).toBe(0);
    const { changes } = edits.together ?? {};
    if (edits.together) await edits.undoDecided(edits.together);
    expect(asked('undo')).toEqual([{ changes }]);
    expect(edits.together).toBeNull();
    expect(agent.edits.pending()).toEqual([note]);
  });

  test('edits of other devices are decided only by themselves', async () => {
    const { agent, asked, edits, note } = made();
    const [first, ...others] = note?.edits ?? [];
    if (!note || !first) throw new Error('There is no edit.');
    const mixed = { ...note, edits: [{ ...first, isForeign: true as const }, ...others] };
    agent.reviewed.set([mixed]);
    await edits.decideTogether('accept', placesOf(mixed, mixed.edits.slice(0, 1)));
    const among = [first.id];
    expect(asked('accept')).toEqual([{ edit: 'all', note: NOTE, among, withForeign: true }]);
  });

  test('edits that could not be decided are reported until the next try', async () => {
    const { agent, edits, note, ui } = made();
    const accept = agent.edits.accept;
    const left = [{ path: NOTE, why: 'You changed it.' }];
    agent.edits.accept = async () => ({ ok: true, decided: 0, changes: [], unapplied: left });
    const choice = { edit: note?.edits[0]?.id ?? FIRST, note: NOTE };
    await edits.decide('accept', choice);
    expect(edits.leftIn(NOTE)).toEqual(left);
    agent.edits.accept = accept;
    await edits.decide('accept', choice);
    expect(edits.leftIn(NOTE)).toEqual([]);
    await edits.decide('accept', choice);
    expect(ui.asked).toContainEqual(['notice', 'That edit is decided already.']);
  });
});

describe("edits with the user's own text in an open form", () => {
  /** The panel of an agent with three edits of a note, the first of them being edited. */
  function beingEdited() {
    const { agent, asked, note, ui } = made();
    if (!note) throw new Error('There is no note.');
    const panel = new PluginState(agent, ui);
    const [first, ...others] = note.edits;
    if (!first) throw new Error('There is no edit.');
    const written = panel.replies.of({ edit: first.id, note: NOTE });
    written.amendment = 'mine\n';
    written.open('edit', 'chat');
    return { agent, asked, first, note, others, panel };
  }

  /** Keeps the next amend waiting until `finish` is called. */
  function heldAmend(agent: ReturnType<typeof made>['agent']) {
    const amend = agent.edits.amend.bind(agent.edits);
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    agent.edits.amend = async (edit) => {
      await held;
      return amend(edit);
    };
    return () => finish();
  }

  test('accepting all accepts it under the new path if the note was renamed meanwhile', async () => {
    const { agent, asked, first, note, panel } = beingEdited();
    const renamed = { ...note, path: 'Lists/Food.md' };
    agent.reviewed.set([renamed]);
    await panel.edits.decideTogether('accept', placesOf(renamed));
    expect(asked('amend')).toEqual([{ edit: first.id, note: renamed.path, after: 'mine\n' }]);
  });

  test('accepting all accepts only the edits that were there', async () => {
    const { agent, asked, note, others, panel } = beingEdited();
    const finish = heldAmend(agent);
    const deciding = panel.edits.decideTogether('accept', placesOf(note));
    await panel.edits.decideTogether('reject', placesOf(note));
    finish();
    await deciding;
    expect(asked('accept')).toEqual([
      { edit: 'all', note: NOTE, among: others.map(({ id }) => id) },
    ]);
    expect(asked('reject')).toEqual([]);
  });

  test('accepting all leaves out the edit that is being accepted already', async () => {
    const { agent, asked, first, note, others, panel } = beingEdited();
    const finish = heldAmend(agent);
    const accepting = panel.replies.of({ edit: first.id, note: NOTE }).accept('mine\n');
    await panel.edits.decideTogether('accept', placesOf(note));
    finish();
    expect(await accepting).toBe(true);
    expect(asked('accept')).toEqual([
      { edit: 'all', note: NOTE, among: others.map(({ id }) => id) },
    ]);
    expect(asked('amend')).toHaveLength(1);
  });

  test('accepting everything in the vault accepts it, too', async () => {
    const { agent, asked, first, panel } = beingEdited();
    await panel.edits.decideTogether('accept', panel.edits.placesIn());
    expect(asked('amend')).toEqual([{ edit: first.id, note: NOTE, after: 'mine\n' }]);
    expect(agent.edits.pending()).toEqual([]);
  });
});

describe('undone changes', () => {
  test('the agent is asked once about all watched changes', async () => {
    const { agent, edits } = made();
    const asking = vi
      .spyOn(agent.changes, 'undoneAmong')
      .mockImplementation(async (ids) => new Set(ids));
    const letGo = edits.watch([FIRST]);
    edits.watch([FIRST, SECOND]);
    await eventually(() => expect(edits.isUndone(SECOND)).toBe(true));
    expect(asking.mock.calls).toEqual([[[FIRST, SECOND]]]);
    letGo();
    edits.take({ type: 'change-undo' } as never);
    await eventually(() => expect(asking).toHaveBeenCalledTimes(2));
    expect(asking).toHaveBeenLastCalledWith([FIRST, SECOND]);
  });

  test('redo undoes the undos, the last one first', async () => {
    const { asked, edits } = made();
    await edits.redo([FIRST, SECOND]);
    expect(asked('undo')).toEqual([{ change: SECOND }, { change: FIRST }]);
  });

  test('an undo reports conflicts under the requested ids', async () => {
    const { agent, edits } = made();
    const left = [{ path: NOTE, why: 'You changed it.' }];
    agent.changes.undo = async () => ({ ok: true, undos: [], undone: [], unapplied: left });
    await edits.undo({ change: FIRST });
    expect(edits.undoLeft([SECOND, FIRST])).toEqual(left);
    expect(edits.undoLeft([SECOND])).toEqual([]);
  });
});
