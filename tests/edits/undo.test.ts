import { describe, expect, it } from 'vitest';
import type { Effect } from '#model/change';
import type { ProposalId } from '#model/ids';
import type { Undone } from '#edits/undo';
import { UndoHarness } from './undo-harness';

const BYTES = Uint8Array.of(0, 255, 137, 80);
const FILES = {
  'A.md': 'one\ntwo\nthree\nfour\nfive\n',
  'B.md': 'To [[In/C|see]] and [[C]].\n',
  'In/C.md': 'c\n',
  'In/photo.png': BYTES,
  'In/Deep/D.md': 'd\n',
  'In/Empty/': '',
};
const WRITE: Effect = {
  kind: 'write',
  path: 'A.md',
  before: FILES['A.md'],
  after: 'one\nTWO\nthree\nfour\nfive\nsix\n',
};

async function done(undoing: Promise<Undone | string>): Promise<Undone> {
  const undone = await undoing;
  if (typeof undone === 'string') throw new Error(undone);
  return undone;
}

const EACH: readonly [string, Effect][] = [
  ['a write', WRITE],
  ['a write that leaves nothing', { ...WRITE, after: '' }],
  ['a creation in folders of its own', { kind: 'create', path: 'x/y/N.md', after: 'new\n' }],
  ['a creation of an empty note', { kind: 'create', path: 'N.md', after: '' }],
  ['a folder in folders of its own', { kind: 'folder', path: 'x/y/z' }],
  ['a deletion of a note', { kind: 'delete', path: 'A.md', before: FILES['A.md'] }],
  ['a deletion of a picture', { kind: 'delete', path: 'In/photo.png', before: null }],
  ['a deletion of a folder', { kind: 'delete', path: 'In', before: null }],
  ['a deletion of an empty folder', { kind: 'delete', path: 'In/Empty', before: null }],
  ['a move', { kind: 'move', path: 'In/C.md', to: 'Out/Far/Z.md' }],
  ['a move of a folder', { kind: 'move', path: 'In', to: 'Out/In' }],
  ['a change of case', { kind: 'move', path: 'A.md', to: 'a.md' }],
  ['a proposal outside of notes', { kind: 'hold', path: 'x.canvas', before: null, after: '{}' }],
];

describe.each(['system', 'vault', 'nowhere'] as const)('Undo with trash: %s', (goes) => {
  it.each(EACH)('undo of %s restores the vault, and redo applies it again', async (_, effect) => {
    const desk = new UndoHarness(FILES);
    desk.notes.trashGoesTo = goes;
    const before = desk.visibleFiles();
    const change = await desk.applyOrThrow(effect);
    const after = desk.visibleFiles();
    await desk.restart();
    const undone = await done(desk.undo({ change }));
    expect(undone.unapplied).toEqual([]);
    expect(desk.visibleFiles()).toEqual(before);
    expect((await desk.changeLog.changes()).isUndone(change)).toBe(true);
    expect(await desk.undo({ change })).toBe('This is already undone.');
    await desk.restart();
    await desk.redo(undone);
    expect(desk.visibleFiles()).toEqual(after);
    expect((await desk.changeLog.changes()).isUndone(change)).toBe(false);
    await done(desk.undo({ change }));
    expect(desk.visibleFiles()).toEqual(before);
  });
});

describe('Undo', () => {
  it("undo moves a deleted note out of the vault's trash", async () => {
    const desk = new UndoHarness(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.applyOrThrow({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    expect(desk.notes.paths()).toContain('.trash/A.md');
    await done(desk.undo({ change }));
    expect(desk.notes.paths()).not.toContain('.trash/A.md');
    expect(desk.notes.text('A.md')).toBe(FILES['A.md']);
  });

  it('undo restores a deleted note from the change log if the trash was emptied', async () => {
    const desk = new UndoHarness(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.applyOrThrow({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    await desk.notes.restore('.trash/A.md', 'Elsewhere.md', []);
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['A.md'], unapplied: [] });
    expect(desk.notes.text('A.md')).toBe(FILES['A.md']);
  });

  it('undo leaves another file in the trash that took the place of the deleted note', async () => {
    const desk = new UndoHarness({ 'Lists/Todo.md': 'lists', 'Work/Todo.md': 'works' });
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.applyOrThrow({
      kind: 'delete',
      path: 'Lists/Todo.md',
      before: 'lists',
    });
    await desk.notes.restore('.trash/Todo.md', 'Elsewhere.md', []);
    await desk.applyOrThrow({ kind: 'delete', path: 'Work/Todo.md', before: 'works' });
    expect(await done(desk.undo({ change }))).toMatchObject({ unapplied: [] });
    expect(desk.notes.text('Lists/Todo.md')).toBe('lists');
    expect(desk.notes.text('.trash/Todo.md')).toBe('works');
  });

  it('undo reports that the copy of a deleted file is gone, or that none was kept', async () => {
    const desk = new UndoHarness(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.applyOrThrow({ kind: 'delete', path: 'In/photo.png', before: null });
    await desk.notes.restore('.trash/photo.png', 'Elsewhere.png', []);
    expect(await done(desk.undo({ change }))).toMatchObject({
      undos: [],
      unapplied: [{ path: 'In/photo.png', why: 'There is no longer a copy of In/photo.png.' }],
    });
    desk.notes.trashGoesTo = 'nowhere';
    desk.notes.put('film.mp4', new Uint8Array(50_000_001));
    const large = await desk.applyOrThrow({ kind: 'delete', path: 'film.mp4', before: null });
    expect(await done(desk.undo({ change: large }))).toMatchObject({
      undos: [],
      unapplied: [
        {
          why: 'Parley kept no copy of film.mp4. If it went to the system trash, you can restore it from there.',
        },
      ],
    });
  });

  it.each(['system', 'vault'] as const)(
    'undo merges a deleted folder with the current one, with trash: %s',
    async (goes) => {
      const desk = new UndoHarness(FILES);
      desk.notes.trashGoesTo = goes;
      const before = desk.visibleFiles();
      const change = await desk.applyOrThrow({ kind: 'delete', path: 'In', before: null });
      desk.notes.put('In/mine.md', 'mine');
      const undone = await done(desk.undo({ change }));
      expect(undone).toMatchObject({ undone: ['In'], unapplied: [] });
      expect(desk.visibleFiles()).toEqual({ ...before, 'In/mine.md': 'mine' });
      // Redo must not delete what the user made in the folder.
      await desk.redo(undone);
      expect(desk.visibleFiles()).toEqual({ ...before, 'In/mine.md': 'mine' });
    },
  );

  it.each(['system', 'vault'] as const)(
    'undo does not overwrite a file at the path of the deleted one, with trash: %s',
    async (goes) => {
      const desk = new UndoHarness(FILES);
      desk.notes.trashGoesTo = goes;
      const change = await desk.applyOrThrow({
        kind: 'delete',
        path: 'In/photo.png',
        before: null,
      });
      desk.notes.put('In/photo.png', 'mine');
      expect(await done(desk.undo({ change }))).toMatchObject({
        undos: [],
        unapplied: [{ why: 'Something else is at In/photo.png now.' }],
      });
      expect(desk.notes.text('In/photo.png')).toBe('mine');
    },
  );

  it('undo can be repeated after a disk error', async () => {
    const desk = new UndoHarness(FILES);
    const before = desk.visibleFiles();
    const change = await desk.applyOrThrow({ kind: 'delete', path: 'In', before: null });
    const putBack = desk.notes.putBack.bind(desk.notes);
    let left = 2;
    desk.notes.putBack = async (...args) => {
      left -= 1;
      const full = { kind: 'disk', detail: 'full', full: true } as const;
      return left === 0 ? { ok: false, reason: full } : putBack(...args);
    };
    expect(await done(desk.undo({ change }))).toMatchObject({
      undos: [],
      unapplied: [{ why: 'The disk is full, so In was left as is.' }],
    });
    expect(await done(desk.undo({ change }))).toMatchObject({ unapplied: [] });
    expect(desk.visibleFiles()).toEqual(before);
  });

  it('undo keeps what the user wrote, and reports both texts of a conflict', async () => {
    const desk = new UndoHarness(FILES);
    const change = await desk.applyOrThrow(WRITE);
    desk.notes.put('A.md', 'zero\none\ndeux\nthree\nfour\nfive\nsix\n');
    const undone = await done(desk.undo({ change }));
    expect(desk.notes.text('A.md')).toBe('zero\none\ndeux\nthree\nfour\nfive\n');
    expect(undone.unapplied).toEqual([
      {
        path: 'A.md',
        why: 'These lines have changed since then, so your version was kept.',
        conflict: { now: 'deux\n', wanted: 'two\n' },
      },
    ]);
    expect(undone.undos).toHaveLength(1);
  });

  it('undo succeeds if the user has already reverted the change', async () => {
    const desk = new UndoHarness(FILES);
    const change = await desk.applyOrThrow(WRITE);
    desk.notes.put('A.md', FILES['A.md']);
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['A.md'], unapplied: [] });
    expect((await desk.changeLog.changes()).isUndone(change)).toBe(true);
  });

  it('undo changes nothing if everything conflicts', async () => {
    const desk = new UndoHarness({ 'A.md': 'one\n' });
    const change = await desk.applyOrThrow({
      kind: 'write',
      path: 'A.md',
      before: 'one\n',
      after: 'two\n',
    });
    desk.notes.put('A.md', 'three\n');
    expect(await done(desk.undo({ change }))).toMatchObject({ undos: [], undone: [] });
    expect((await desk.changeLog.changes()).isUndone(change)).toBe(false);
  });

  it('undo of a turn removes the folder made for several notes, one of which was edited', async () => {
    const desk = new UndoHarness();
    const before = desk.visibleFiles();
    await desk.applyOrThrow({ kind: 'create', path: 'Trip/Plan.md', after: 'Plan\n' });
    await desk.applyOrThrow({ kind: 'create', path: 'Trip/List.md', after: 'List\n' });
    const edit = { before: 'Plan\n', after: 'A plan\n' };
    await desk.applyOrThrow({ kind: 'write', path: 'Trip/Plan.md', ...edit });
    await desk.undoTurn();
    expect(desk.visibleFiles()).toEqual(before);
  });

  it('undo keeps a new note that was edited since, and a new folder that is not empty', async () => {
    const desk = new UndoHarness();
    await desk.applyOrThrow({ kind: 'folder', path: 'x' });
    await desk.applyOrThrow({ kind: 'create', path: 'N.md', after: 'new\n' });
    desk.notes.put('N.md', 'new\nmine\n');
    desk.notes.put('x/mine.md', '');
    expect(await done(desk.undoTurn())).toMatchObject({
      undos: [],
      unapplied: [
        { path: 'N.md', why: 'N.md has changed since then, so it was left as is.' },
        { path: 'x', why: 'The folder x is no longer empty, so it was kept.' },
      ],
    });
    expect(desk.notes.text('N.md')).toBe('new\nmine\n');
  });

  it('undo finds notes that the user or the agent has moved since', async () => {
    const desk = new UndoHarness(FILES);
    const change = await desk.applyOrThrow(WRITE);
    await desk.applyOrThrow({ kind: 'move', path: 'A.md', to: 'In/A.md' }, 'turn-2');
    await desk.notes.move('In', 'Place');
    await desk.notes.move('Place/A.md', 'Place/Better.md');
    await desk.restart();
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['Place/Better.md'] });
    expect(desk.notes.text('Place/Better.md')).toBe(FILES['A.md']);
    const history = (await desk.changeLog.changes()).ofNote('Place/Better.md');
    expect(history.map(({ kind, act }) => act ?? kind)).toEqual(['undo', 'move', 'write']);
    // The user changed the name and the agent changed the folder, so undo reverts only the folder.
    await done(desk.undoTurn('turn-2'));
    expect(desk.notes.text('Better.md')).toBe(FILES['A.md']);
  });

  it('undo changes the moved note, and not another note at its old path', async () => {
    const desk = new UndoHarness(FILES);
    await desk.applyOrThrow(WRITE);
    await desk.notes.move('A.md', 'Old.md');
    desk.notes.put('A.md', FILES['A.md']);
    const list = await desk.changeLog.changes();
    expect(list.ofNote('A.md')).toEqual([]);
    expect(list.ofNote('Old.md').map(({ kind }) => kind)).toEqual(['write']);
    expect(await done(desk.undoTurn())).toMatchObject({ undone: ['Old.md'] });
  });

  it('undo reports that another file is in the way of a deleted or moved note', async () => {
    const desk = new UndoHarness(FILES);
    await desk.applyOrThrow({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    await desk.applyOrThrow({ kind: 'move', path: 'In/C.md', to: 'C.md' });
    desk.notes.put('A.md', 'another');
    desk.notes.put('In/C.md', 'another');
    const { undos, unapplied: left } = await done(desk.undoTurn());
    expect(undos).toEqual([]);
    expect(left.map(({ why }) => why)).toEqual([
      'Something else is at In/C.md now.',
      'Something else is at A.md now.',
    ]);
    expect([desk.notes.text('A.md'), desk.notes.text('C.md')]).toEqual(['another', 'c\n']);
  });

  it('undo of a note reverts all of its changes, and none of other notes', async () => {
    const desk = new UndoHarness(FILES);
    await desk.applyOrThrow({ kind: 'create', path: 'N.md', after: 'a\n' });
    await desk.applyOrThrow({ kind: 'write', path: 'N.md', before: 'a\n', after: 'b\n' }, 'turn-2');
    await desk.applyOrThrow(WRITE, 'turn-2');
    await desk.applyOrThrow({ kind: 'move', path: 'N.md', to: 'In/N.md' }, 'turn-3');
    await desk.applyOrThrow(
      { kind: 'write', path: 'In/N.md', before: 'b\n', after: 'c\n' },
      'turn-3',
    );
    expect(await done(desk.undo({ note: 'In/N.md' }))).toMatchObject({ unapplied: [] });
    expect(desk.visibleFiles()).toEqual({
      ...new UndoHarness(FILES).visibleFiles(),
      'A.md': WRITE.after,
    });
    expect(await desk.undo({ note: 'B.md' })).toMatch(/^There is no change to undo here/);
    expect(await desk.undo({ turn: 'turn-9' as never })).toMatch(
      /^This answer has no changes to undo/,
    );
  });

  it('undo reverts a proposal together with the decisions on it', async () => {
    const desk = new UndoHarness(FILES);
    const [block, other] = ['p-1', 'p-2'] as ProposalId[];
    const proposed = 'one\n<p-1 TWO>\nthree\nfour\n<p-2 FIVE>\n';
    const change = await desk.applyOrThrow({
      ...{ kind: 'write', path: 'A.md', before: FILES['A.md'], after: proposed },
      proposes: [block!, other!],
    });
    const decided = proposed.replace('<p-1 TWO>', 'TWO');
    await desk.decide(
      { kind: 'write', path: 'A.md', before: proposed, after: decided },
      { kind: 'decide', decisions: [{ proposal: block!, choice: 'accept' }] },
    );
    desk.notes.put('A.md', `zero\n${decided}`);
    const undone = await done(desk.undo({ change }));
    expect(desk.notes.text('A.md')).toBe(`zero\n${FILES['A.md']}`);
    expect(undone.undos).toHaveLength(1);
    expect(undone.taken).toHaveLength(2);
    await desk.redo(undone);
    expect(desk.notes.text('A.md')).toBe(`zero\n${decided}`);
    expect((await desk.changeLog.changes()).decisionsOn(block!)).toHaveLength(1);
  });

  it('undo withdraws a detached proposal, and undo of its decision makes it pending again', async () => {
    const desk = new UndoHarness();
    const held = await desk.applyOrThrow({
      kind: 'hold',
      path: 'x.canvas',
      before: null,
      after: '{}',
    });
    const holds = async () => (await desk.changeLog.changes()).held().map(({ id }) => id);
    expect(await holds()).toEqual([held]);
    const accepted = await desk.decide(
      { kind: 'create', path: 'x.canvas', after: '{}' },
      { kind: 'decide', decisions: [{ proposal: held, choice: 'accept' }] },
    );
    expect(await holds()).toEqual([]);
    const undone = await done(desk.undo({ change: accepted }));
    expect(await holds()).toEqual([held]);
    expect(desk.visibleFiles()).toEqual({});
    await desk.redo(undone);
    await done(desk.undoTurn());
    expect(desk.visibleFiles()).toEqual({});
    expect(await holds()).toEqual([]);
  });

  it('undo ignores changes that were not applied', async () => {
    const desk = new UndoHarness(FILES);
    await desk.apply({ kind: 'create', path: 'A.md', after: 'x' });
    expect(await desk.undoTurn()).toMatch(/^This answer has no changes to undo/);
  });
});
