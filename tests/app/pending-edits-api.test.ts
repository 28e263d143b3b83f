/** The user's decisions about pending edits, and how they are reported to the model. */
import { describe, expect, it } from 'vitest';
import type { ChangeId, ConversationId } from '#model/ids';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel, words } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from '../queue/app-on-disk';

const LIST = '# List\n\n- bread\n- butter\n- cheese\n- ham\n\nBye.\n';
const MAP = '{\n"nodes": []\n}\n';

const CALLS = [
  call('edit_file', {
    path: 'List.md',
    edits: [
      { old_text: 'bread', new_text: 'rye' },
      { old_text: 'cheese', new_text: 'brie' },
      { old_text: 'Bye.', new_text: 'So long.' },
    ],
  }),
  call('edit_file', { path: 'Map.canvas', edits: [{ old_text: '[]', new_text: '[1]' }] }),
];

async function afterTurn() {
  const model = thinkingModel(({ history }) => {
    if (history.filter(({ role }) => role === 'user').length > 1) return says('I see.');
    return history.some(({ role }) => role === 'results')
      ? answers([words('Done.')])
      : answers([words('Both.'), ...CALLS.map((each, at) => ({ ...each, wireId: `w${at}` }))]);
  });
  const disk: Disk = {
    ...{ store: memoryStore(), clock: testClock(), model },
    vault: tinyVault({ 'List.md': LIST, 'Map.canvas': MAP }),
    settings: { panelMode: 'review' },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Put it in order.' });
  await rig.idle();
  const ids = rig.agent.edits.pending().flatMap(({ edits }) => edits.map(({ id }) => id));
  return { disk, rig, model, ids };
}

/** Two chats, which have each proposed a text for the list in the note. */
async function afterTwoChats(first: string, second: string) {
  let asked = 0;
  const model = thinkingModel(({ history }) => {
    if (history.some(({ role }) => role === 'results')) return answers([words('Done.')]);
    asked += 1;
    return answers([
      call('edit_file', {
        path: 'List.md',
        edits:
          asked === 1
            ? [{ old_text: '- ham', new_text: first }]
            : [{ old_text: first, new_text: second }],
      }),
    ]);
  });
  const disk: Disk = {
    ...{ store: memoryStore(), clock: testClock(), model },
    vault: tinyVault({ 'List.md': LIST }),
    settings: { panelMode: 'review' },
  };
  const rig = makeRig(disk);
  await rig.load();
  const chats: ConversationId[] = [];
  for (const text of ['Add the first.', 'Add the second.']) {
    const made = await rig.agent.conversations.create();
    if (made.ok) chats.push(made.conversation);
    await rig.agent.queue.send({ text });
    await rig.idle();
  }
  const actions = async () =>
    Promise.all(
      chats.map(async (id) => (await rig.agent.conversations.read(id))?.userActions ?? []),
    );
  const edits = () => rig.agent.edits.pending().flatMap((note) => note.edits);
  return { disk, rig, chats, actions, edits };
}

describe('edits of two chats', () => {
  it('lines that two chats append are two edits, and deciding one leaves the other', async () => {
    const { disk, rig, chats, actions, edits } = await afterTwoChats(
      '- ham\n- milk',
      '- ham\n- milk\n- eggs',
    );
    expect(edits().map(({ conversation }) => conversation)).toEqual(chats);
    expect(edits().map(({ after, others }) => [after, others])).toEqual([
      ['- milk\n', undefined],
      ['- eggs\n', undefined],
    ]);
    await rig.agent.edits.accept({ edit: edits()[0]!.id });
    expect(await actions()).toMatchObject([[{ type: 'edits-decide' }], []]);
    await rig.agent.edits.reject({ edit: edits()[0]!.id });
    const [first, second] = await actions();
    expect([first?.length, second?.length]).toEqual([1, 1]);
    expect(disk.vault.texts.get('List.md')).toBe(LIST.replace('- ham', '- ham\n- milk'));
    for (const act of first ?? []) {
      if (act.type === 'edits-decide') await rig.agent.changes.undo({ change: act.change });
    }
    expect(edits().map(({ conversation }) => conversation)).toEqual([chats[0]]);
    expect((await actions()).map((acts) => acts.length)).toEqual([2, 1]);
  });

  it('a decision about words that two chats changed is recorded in both, and so is its undo', async () => {
    const { disk, rig, chats, actions, edits } = await afterTwoChats('- bacon', '- smoked bacon');
    const [edit] = edits();
    expect(edit).toMatchObject({ conversation: chats[1], others: [chats[0]] });
    await rig.agent.edits.accept({ edit: edit!.id });
    const decided = { type: 'edits-decide', decisions: [{ proposal: edit!.id, choice: 'accept' }] };
    expect(await actions()).toMatchObject([[decided], [decided]]);
    const [act] = (await actions())[0] ?? [];
    if (act?.type !== 'edits-decide') throw new Error('The decision is recorded.');
    await rig.agent.changes.undo({ change: act.change });
    const undone = { type: 'change-undo', changes: [act.change] };
    expect(await actions()).toMatchObject([
      [decided, undone],
      [decided, undone],
    ]);
    expect(edits()).toHaveLength(1);
    expect(disk.vault.texts.get('List.md')).toContain('- ham\n');
  });
});

describe('pending edits', () => {
  it('pending edits are decided one by one, and the next message tells the model how', async () => {
    const { disk, rig, model, ids } = await afterTurn();
    const [bread, cheese, bye] = ids;
    await rig.agent.edits.accept({ edit: bread! });
    await rig.agent.edits.reject({ edit: cheese! });
    await rig.agent.edits.amend({ edit: bye!, after: 'See you.' });
    expect(disk.vault.texts.get('List.md')).toBe(
      LIST.replace('bread', 'rye').replace('Bye.', 'See you.'),
    );
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    const told = JSON.stringify(model.requests.at(-1)?.history.at(-1));
    expect(told).toContain('List.md: accepted');
    expect(told).toContain('List.md: rejected');
    expect(told).toContain('List.md: amended');
    expect(told).toContain('See you.');
    expect(eventsOn(disk, 'edits-decide')).toHaveLength(3);
  });

  it('the next message tells the model that the user removed a damaged edit', async () => {
    const { disk, rig, model } = await afterTurn();
    const cut = disk.vault.texts.get('List.md')!.replace(/^ *```ai-edit\n(?=.*brie)/m, '');
    disk.vault.texts.set('List.md', cut);
    const report = await rig.agent.edits.removeDamaged('List.md');
    expect(report).toMatchObject({ ok: true, unapplied: [] });
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    const told = JSON.stringify(model.requests.at(-1)?.history.at(-1));
    expect(told).toMatch(/List\.md: rejected [^:]*cheese[^:]*brie/);
    expect(eventsOn(disk, 'edits-decide')).toHaveLength(1);
  });

  it('the next message tells the model which edits the user deleted from a note, and only once', async () => {
    const { disk, rig, model, ids } = await afterTurn();
    const block = /^ *```ai-edit\n.*brie.*\n *```\n *#ai_edit\n/m;
    const without = disk.vault.texts.get('List.md')!.replace(block, '');
    disk.vault.texts.set('List.md', without);
    for (const isTold of [true, false]) {
      await rig.agent.queue.send({ text: 'And now?' });
      await rig.idle();
      const told = JSON.stringify(model.requests.at(-1)?.history.at(-1));
      expect(told.includes('by deleting the edit from the note')).toBe(isTold);
      if (isTold) expect(told).toMatch(/List\.md: rejected [^:]*cheese[^:]*brie[^:]* by deleting/);
    }
    expect(disk.vault.texts.get('List.md')).toBe(without);
    expect(eventsOn(disk, 'edits-decide')).toMatchObject([
      { path: 'List.md', decisions: [{ proposal: ids[1], choice: 'reject', isRemoved: true }] },
    ]);
  });

  it.each([
    ['is only damaged', (text: string) => text.replace(/^ *```ai-edit\n(?=.*brie)/m, '')],
    ['was moved to another note', () => LIST],
  ])('an edit that %s does not count as deleted by the user', async (_, change) => {
    const { disk, rig, ids } = await afterTurn();
    const before = disk.vault.texts.get('List.md')!;
    const now = change(before);
    disk.vault.texts.set('List.md', now);
    if (now === LIST) disk.vault.texts.set('Other.md', before);
    for (const note of ['List.md', 'Other.md']) await rig.agent.edits.versions(ids[1]!, note);
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(eventsOn(disk, 'edits-decide')).toEqual([]);
  });

  it('an edit that was undone does not count as deleted by the user', async () => {
    const { disk, rig } = await afterTurn();
    await rig.agent.changes.undo({ note: 'List.md' });
    expect(disk.vault.texts.get('List.md')).toBe(LIST);
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(eventsOn(disk, 'edits-decide')).toEqual([]);
  });

  it('the model is not told what the edit of another device proposed that the user accepted', async () => {
    const { disk, rig, model } = await afterTurn();
    const block =
      '```ai-edit\n{"id":"other1","before":"Hi.\\n","after":"zxsecretxz.\\n"}\n```\n#ai_edit\n';
    disk.vault.texts.set('Other.md', `Hi.\n${block}`);
    expect(
      await rig.agent.edits.accept({ edit: 'all', note: 'Other.md', withForeign: true }),
    ).toMatchObject({ ok: true, decided: 1 });
    expect(disk.vault.texts.get('Other.md')).toBe('zxsecretxz.\n');
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    const told = JSON.stringify(model.requests.at(-1)?.history.at(-1));
    expect(told).toContain('Other.md: accepted an edit that was made on another device');
    expect(told).not.toContain('zxsecretxz');
  });

  it("a note's history lists its pending edits as changes, without the proposal blocks", async () => {
    const { rig, ids } = await afterTurn();
    const [proposed] = await rig.agent.changes.noteHistory('List.md');
    expect(proposed).toMatchObject({ act: 'propose', added: 3, removed: 3 });
    expect(await rig.agent.changes.changeTexts(proposed!.change)).toEqual({
      before: LIST,
      after: LIST.replace('bread', 'rye').replace('cheese', 'brie').replace('Bye', 'So long'),
    });
    await rig.agent.edits.accept({ edit: ids[0]! });
    await rig.agent.edits.reject({ edit: ids[1]! });
    const [rejected, accepted] = await rig.agent.changes.noteHistory('List.md');
    expect([rejected, accepted]).toMatchObject([
      { act: 'decide', added: 1, removed: 1 },
      { act: 'decide', added: 1, removed: 1 },
    ]);
    expect(await rig.agent.changes.changeTexts(accepted!.change)).toEqual({
      before: LIST,
      after: LIST.replace('bread', 'rye'),
    });
    const { before, after } = (await rig.agent.changes.changeTexts(rejected!.change))!;
    expect([before, after].join()).not.toContain('ai-edit');
    expect([before?.includes('brie'), after?.includes('brie')]).toEqual([true, false]);
  });

  it('an edit that could not be applied is reported with the reason', async () => {
    const { disk, rig, model, ids } = await afterTurn();
    disk.vault.texts.set('Map.canvas', MAP.replace('[]', '[9]'));
    const report = await rig.agent.edits.accept({ edit: ids.at(-1)! });
    expect(report).toMatchObject({ ok: true, decided: 0, unapplied: [{ path: 'Map.canvas' }] });
    expect(rig.agent.edits.pending().map(({ path }) => path)).toContain('Map.canvas');
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(JSON.stringify(model.requests.at(-1)?.history.at(-1))).toContain(
      'Map.canvas: could not be applied: The same part of the file has changed',
    );
  });

  it('undoing a decision restores the pending edit, and undoing the proposal removes it', async () => {
    const { disk, rig, ids } = await afterTurn();
    const held = ids.at(-1)!;
    const waits = () =>
      rig.agent.edits.pending().some(({ edits }) => edits.some(({ id }) => id === held));
    await rig.agent.edits.accept({ edit: held });
    expect(waits()).toBe(false);
    const [decided] = eventsOn(disk, 'edits-decide');
    await rig.agent.changes.undo({ change: decided!.change });
    expect(disk.vault.texts.get('Map.canvas')).toBe(MAP);
    expect(waits()).toBe(true);
    await rig.agent.changes.undo({ change: held as ChangeId });
    expect(waits()).toBe(false);
    expect(await rig.agent.edits.accept({ edit: held })).toMatchObject({ ok: false });
    expect(disk.vault.texts.get('Map.canvas')).toBe(MAP);
  });

  it('all pending edits of one note or of the vault are decided at once', async () => {
    const { disk, rig } = await afterTurn();
    let told = 0;
    rig.agent.edits.onChange(() => (told += 1));
    const report = await rig.agent.edits.reject({ edit: 'all', note: 'List.md' });
    expect(report).toMatchObject({ ok: true, decided: 3, unapplied: [] });
    expect(told).toBe(1);
    expect(await rig.agent.edits.accept({ edit: 'all' })).toMatchObject({ ok: true, decided: 1 });
    expect(Object.fromEntries(disk.vault.texts)).toEqual({
      'List.md': LIST,
      'Map.canvas': MAP.replace('[]', '[1]'),
    });
    expect(await rig.agent.edits.accept({ edit: 'all' })).toMatchObject({ ok: false });
    expect(await rig.agent.edits.amend({ edit: 'all', after: 'x' })).toMatchObject({ ok: false });
  });
});

describe('a part of a pending edit', () => {
  /** Two of the words of one line differ. */
  async function afterRewrite() {
    const model = thinkingModel(({ history }) => {
      if (history.filter(({ role }) => role === 'user').length > 1) return says('I see.');
      const edits = [{ old_text: 'The old fox sees a red hen.', new_text: NEW }];
      return history.some(({ role }) => role === 'results')
        ? answers([words('Done.')])
        : answers([{ ...call('edit_file', { path: 'Fable.md', edits }), wireId: 'w0' }]);
    });
    const disk: Disk = {
      ...{ store: memoryStore(), clock: testClock(), model },
      vault: tinyVault({ 'Fable.md': FABLE }),
      settings: { panelMode: 'review' },
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Rewrite it.' });
    await rig.idle();
    const edit = rig.agent.edits.pending()[0]!.edits[0]!.id;
    const pending = () => rig.agent.edits.pending().flatMap(({ edits }) => edits);
    return { disk, rig, model, edit, pending };
  }

  const FABLE = '# Fable\n\nThe old fox sees a red hen.\n\nEnd.\n';
  const NEW = 'The young fox sees a grey hen.';
  const OLD = { part: 0, of: 2, removed: 'old', added: 'young' };
  const RED = { part: 1, of: 2, removed: 'red', added: 'grey' };

  it('a decided part leaves the edit pending, and the next message says so', async () => {
    const { disk, rig, model, edit, pending } = await afterRewrite();
    expect(pending()).toMatchObject([{ parts: [{ removed: 'old' }, { removed: 'red' }] }]);
    const place = { edit, note: 'Fable.md' };
    const accepted = await rig.agent.edits.decidePart({ ...place, ...OLD, choice: 'accept' });
    expect(accepted).toMatchObject({ ok: true, decided: 1, unapplied: [] });
    expect(disk.vault.texts.get('Fable.md')).toContain('The young fox sees a red hen.\n');
    expect(pending()).toMatchObject([{ id: edit, after: `${NEW}\n` }]);
    expect(eventsOn(disk, 'edits-decide')).toMatchObject([
      { decisions: [{ choice: 'accept', before: 'old', proposed: 'young', isPart: true }] },
    ]);
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(JSON.stringify(model.requests.at(-1)?.history.at(-1))).toContain(
      'the rest of the edit still waits',
    );
    await rig.agent.edits.decidePart({ ...place, ...RED, part: 0, of: 1, choice: 'reject' });
    expect(disk.vault.texts.get('Fable.md')).toBe(FABLE.replace('old', 'young'));
    expect(pending()).toEqual([]);
  });

  it('undoing the turn takes the accepted part back with the edit', async () => {
    const { disk, rig, edit, pending } = await afterRewrite();
    const place = { edit, note: 'Fable.md' };
    await rig.agent.edits.decidePart({ ...place, ...RED, choice: 'accept' });
    const [first] = await rig.agent.changes.noteHistory('Fable.md');
    const turn = pending()[0]!.turn!;
    expect(await rig.agent.changes.undo({ turn })).toMatchObject({ ok: true, unapplied: [] });
    expect(disk.vault.texts.get('Fable.md')).toBe(FABLE);
    expect(pending()).toEqual([]);
    expect(first).toMatchObject({ act: 'decide', choice: 'accept' });
  });

  it('undoing the decision offers the part again', async () => {
    const { disk, rig, edit, pending } = await afterRewrite();
    const before = disk.vault.texts.get('Fable.md');
    await rig.agent.edits.decidePart({ edit, note: 'Fable.md', ...OLD, choice: 'reject' });
    expect(pending()).toMatchObject([{ after: 'The old fox sees a grey hen.\n' }]);
    const [decided] = eventsOn(disk, 'edits-decide');
    await rig.agent.changes.undo({ change: decided!.change });
    expect(disk.vault.texts.get('Fable.md')).toBe(before);
    expect(pending()).toMatchObject([{ after: `${NEW}\n`, parts: [{}, {}] }]);
  });

  it('undoing an earlier decision takes the later ones back with it, and offers all parts again', async () => {
    const { disk, rig, edit, pending } = await afterRewrite();
    const before = disk.vault.texts.get('Fable.md') ?? '';
    const place = { edit, note: 'Fable.md' };
    await rig.agent.edits.decidePart({ ...place, ...OLD, choice: 'accept' });
    await rig.agent.edits.decidePart({ ...place, ...RED, part: 0, of: 1, choice: 'reject' });
    expect(pending()).toEqual([]);
    const [first, second] = eventsOn(disk, 'edits-decide').map(({ change }) => change);
    disk.vault.texts.set('Fable.md', `${FABLE.replace('old', 'young')}Mine.\n`);
    expect(await rig.agent.changes.undo({ change: first! })).toMatchObject({ unapplied: [] });
    expect(disk.vault.texts.get('Fable.md')).toBe(`${before}Mine.\n`);
    expect(pending()).toMatchObject([
      { id: edit, parts: [OLD, RED].map(({ removed }) => ({ removed })) },
    ]);
    expect(await rig.agent.changes.undo({ change: second! })).toMatchObject({ ok: false });
  });

  it('parts that were chosen in the same drawing are decided in turn', async () => {
    const { disk, rig, edit, pending } = await afterRewrite();
    const place = { edit, note: 'Fable.md' };
    const done = await Promise.all([
      rig.agent.edits.decidePart({ ...place, ...OLD, choice: 'accept' }),
      rig.agent.edits.decidePart({ ...place, ...RED, choice: 'reject' }),
    ]);
    expect(done).toMatchObject([{ decided: 1 }, { decided: 1 }]);
    expect(disk.vault.texts.get('Fable.md')).toBe(FABLE.replace('old', 'young'));
    expect(pending()).toEqual([]);
  });

  it('a part is refused if it has other words than the user has seen', async () => {
    const { disk, rig, edit } = await afterRewrite();
    const place = { edit, note: 'Fable.md' };
    await rig.agent.edits.decidePart({ ...place, ...OLD, choice: 'accept' });
    const before = disk.vault.texts.get('Fable.md');
    // Another part is the first one by now.
    const again = await rig.agent.edits.decidePart({ ...place, ...OLD, choice: 'accept' });
    const why = 'This edit has changed since these words were shown.';
    expect(again).toMatchObject({ decided: 0, unapplied: [{ path: 'Fable.md', why }] });
    expect(disk.vault.texts.get('Fable.md')).toBe(before);
  });

  it('a part that is not there any more is refused', async () => {
    const { rig, edit } = await afterRewrite();
    const gone = { edit, note: 'Fable.md', ...OLD, part: 7, choice: 'accept' } as const;
    expect(await rig.agent.edits.decidePart(gone)).toMatchObject({ decided: 0 });
  });
});
