import { describe, expect, it } from 'vitest';
import type { Effect } from '#model/change';
import type { ProposalId } from '#model/ids';
import type { Undone } from '#edits/undo';
import { Desk } from './desk';

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

describe.each(['system', 'vault', 'nowhere'] as const)('With the trash %s', (goes) => {
  it.each(EACH)('undo of %s leaves all as it was, and redo does it again', async (_, effect) => {
    const desk = new Desk(FILES);
    desk.notes.trashGoesTo = goes;
    const before = desk.seen();
    const change = await desk.make(effect);
    const after = desk.seen();
    await desk.restart();
    const undone = await done(desk.undo({ change }));
    expect(undone.unapplied).toEqual([]);
    expect(desk.seen()).toEqual(before);
    expect((await desk.ledger.changes()).isUndone(change)).toBe(true);
    expect(await desk.undo({ change })).toBe('This is undone already.');
    await desk.restart();
    await desk.redo(undone);
    expect(desk.seen()).toEqual(after);
    expect((await desk.ledger.changes()).isUndone(change)).toBe(false);
    await done(desk.undo({ change }));
    expect(desk.seen()).toEqual(before);
  });
});

describe('Undo', () => {
  it('takes a deleted note out of the vault’s own trash', async () => {
    const desk = new Desk(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.make({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    expect(desk.notes.paths()).toContain('.trash/A.md');
    await done(desk.undo({ change }));
    expect(desk.notes.paths()).not.toContain('.trash/A.md');
    expect(desk.notes.text('A.md')).toBe(FILES['A.md']);
  });

  it('has a deleted note from the ledger where the trash was emptied', async () => {
    const desk = new Desk(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.make({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    await desk.notes.restore('.trash/A.md', 'Elsewhere.md', []);
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['A.md'], unapplied: [] });
    expect(desk.notes.text('A.md')).toBe(FILES['A.md']);
  });

  it('leaves in the trash what took the place of a deleted note there', async () => {
    const desk = new Desk({ 'Lists/Todo.md': 'lists', 'Work/Todo.md': 'works' });
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.make({ kind: 'delete', path: 'Lists/Todo.md', before: 'lists' });
    await desk.notes.restore('.trash/Todo.md', 'Elsewhere.md', []);
    await desk.make({ kind: 'delete', path: 'Work/Todo.md', before: 'works' });
    expect(await done(desk.undo({ change }))).toMatchObject({ unapplied: [] });
    expect(desk.notes.text('Lists/Todo.md')).toBe('lists');
    expect(desk.notes.text('.trash/Todo.md')).toBe('works');
  });

  it('says that there is no copy any more, or that there never was one', async () => {
    const desk = new Desk(FILES);
    desk.notes.trashGoesTo = 'vault';
    const change = await desk.make({ kind: 'delete', path: 'In/photo.png', before: null });
    await desk.notes.restore('.trash/photo.png', 'Elsewhere.png', []);
    expect(await done(desk.undo({ change }))).toMatchObject({
      undos: [],
      unapplied: [{ path: 'In/photo.png', why: 'There is no copy of In/photo.png any more.' }],
    });
    desk.notes.trashGoesTo = 'nowhere';
    desk.notes.put('film.mp4', new Uint8Array(50_000_001));
    const large = await desk.make({ kind: 'delete', path: 'film.mp4', before: null });
    expect(await done(desk.undo({ change: large }))).toMatchObject({
      undos: [],
      unapplied: [
        {
          why: 'Parley kept no copy of film.mp4. If it went to a trash, it can be taken from there.',
        },
      ],
    });
  });

  it.each(['system', 'vault'] as const)(
    'brings a folder back beside what is there by now, from the trash %s',
    async (goes) => {
      const desk = new Desk(FILES);
      desk.notes.trashGoesTo = goes;
      const before = desk.seen();
      const change = await desk.make({ kind: 'delete', path: 'In', before: null });
      desk.notes.put('In/mine.md', 'mine');
      const undone = await done(desk.undo({ change }));
      expect(undone).toMatchObject({ undone: ['In'], unapplied: [] });
      expect(desk.seen()).toEqual({ ...before, 'In/mine.md': 'mine' });
      // What the user made in it must not go with a redo.
      await desk.redo(undone);
      expect(desk.seen()).toEqual({ ...before, 'In/mine.md': 'mine' });
    },
  );

  it.each(['system', 'vault'] as const)(
    'puts nothing over what is in the way, from the trash %s',
    async (goes) => {
      const desk = new Desk(FILES);
      desk.notes.trashGoesTo = goes;
      const change = await desk.make({ kind: 'delete', path: 'In/photo.png', before: null });
      desk.notes.put('In/photo.png', 'mine');
      expect(await done(desk.undo({ change }))).toMatchObject({
        undos: [],
        unapplied: [{ why: 'Something else is at In/photo.png by now.' }],
      });
      expect(desk.notes.text('In/photo.png')).toBe('mine');
    },
  );

  it('can be tried again where the disk refused in the middle', async () => {
    const desk = new Desk(FILES);
    const before = desk.seen();
    const change = await desk.make({ kind: 'delete', path: 'In', before: null });
    const putBack = desk.notes.putBack.bind(desk.notes);
    let left = 2;
    desk.notes.putBack = async (...args) => {
      left -= 1;
      const full = { kind: 'disk', detail: 'full', full: true } as const;
      return left === 0 ? { ok: false, problem: full } : putBack(...args);
    };
    expect(await done(desk.undo({ change }))).toMatchObject({
      undos: [],
      unapplied: [{ why: 'The disk is full, so In was left.' }],
    });
    expect(await done(desk.undo({ change }))).toMatchObject({ unapplied: [] });
    expect(desk.seen()).toEqual(before);
  });

  it('leaves what the user wrote, and tells both texts where they clash', async () => {
    const desk = new Desk(FILES);
    const change = await desk.make(WRITE);
    desk.notes.put('A.md', 'zero\none\ndeux\nthree\nfour\nfive\nsix\n');
    const undone = await done(desk.undo({ change }));
    expect(desk.notes.text('A.md')).toBe('zero\none\ndeux\nthree\nfour\nfive\n');
    expect(undone.unapplied).toEqual([
      {
        path: 'A.md',
        why: 'These lines were changed since, so they stay as they are.',
        conflict: { now: 'deux\n', wanted: 'two\n' },
      },
    ]);
    expect(undone.undos).toHaveLength(1);
  });

  it('counts as done where the user was faster', async () => {
    const desk = new Desk(FILES);
    const change = await desk.make(WRITE);
    desk.notes.put('A.md', FILES['A.md']);
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['A.md'], unapplied: [] });
    expect((await desk.ledger.changes()).isUndone(change)).toBe(true);
  });

  it('writes nothing where all of it clashes', async () => {
    const desk = new Desk({ 'A.md': 'one\n' });
    const change = await desk.make({
      kind: 'write',
      path: 'A.md',
      before: 'one\n',
      after: 'two\n',
    });
    desk.notes.put('A.md', 'three\n');
    expect(await done(desk.undo({ change }))).toMatchObject({ undos: [], undone: [] });
    expect((await desk.ledger.changes()).isUndone(change)).toBe(false);
  });

  it('leaves a note that was made and then worked on, and a folder that is in use', async () => {
    const desk = new Desk();
    await desk.make({ kind: 'folder', path: 'x' });
    await desk.make({ kind: 'create', path: 'N.md', after: 'new\n' });
    desk.notes.put('N.md', 'new\nmine\n');
    desk.notes.put('x/mine.md', '');
    expect(await done(desk.undoTurn())).toMatchObject({
      undos: [],
      unapplied: [
        { path: 'N.md', why: 'N.md was changed since it was made, so it was left.' },
        { path: 'x', why: 'The folder x is not empty any more, so it was left.' },
      ],
    });
    expect(desk.notes.text('N.md')).toBe('new\nmine\n');
  });

  it('finds notes that the user or the agent has moved since', async () => {
    const desk = new Desk(FILES);
    const change = await desk.make(WRITE);
    await desk.make({ kind: 'move', path: 'A.md', to: 'In/A.md' }, 'turn-2');
    await desk.notes.move('In', 'Place');
    await desk.notes.move('Place/A.md', 'Place/Better.md');
    await desk.restart();
    expect(await done(desk.undo({ change }))).toMatchObject({ undone: ['Place/Better.md'] });
    expect(desk.notes.text('Place/Better.md')).toBe(FILES['A.md']);
    const history = (await desk.ledger.changes()).ofNote('Place/Better.md');
    expect(history.map(({ kind, act }) => act ?? kind)).toEqual(['undo', 'move', 'write']);
    // The name is the user's, the folder was the agent's.
    await done(desk.undoTurn('turn-2'));
    expect(desk.notes.text('Better.md')).toBe(FILES['A.md']);
  });

  it('does not take another note for the one that was there', async () => {
    const desk = new Desk(FILES);
    await desk.make(WRITE);
    await desk.notes.move('A.md', 'Old.md');
    desk.notes.put('A.md', FILES['A.md']);
    const list = await desk.ledger.changes();
    expect(list.ofNote('A.md')).toEqual([]);
    expect(list.ofNote('Old.md').map(({ kind }) => kind)).toEqual(['write']);
    expect(await done(desk.undoTurn())).toMatchObject({ undone: ['Old.md'] });
  });

  it('says so where the way back is barred', async () => {
    const desk = new Desk(FILES);
    await desk.make({ kind: 'delete', path: 'A.md', before: FILES['A.md'] });
    await desk.make({ kind: 'move', path: 'In/C.md', to: 'C.md' });
    desk.notes.put('A.md', 'another');
    desk.notes.put('In/C.md', 'another');
    const { undos, unapplied: left } = await done(desk.undoTurn());
    expect(undos).toEqual([]);
    expect(left.map(({ why }) => why)).toEqual([
      'Something else is at In/C.md by now.',
      'Something else is at A.md by now.',
    ]);
    expect([desk.notes.text('A.md'), desk.notes.text('C.md')]).toEqual(['another', 'c\n']);
  });

  it('takes all back that was done to a note, and nothing that was done to another', async () => {
    const desk = new Desk(FILES);
    await desk.make({ kind: 'create', path: 'N.md', after: 'a\n' });
    await desk.make({ kind: 'write', path: 'N.md', before: 'a\n', after: 'b\n' }, 'turn-2');
    await desk.make(WRITE, 'turn-2');
    await desk.make({ kind: 'move', path: 'N.md', to: 'In/N.md' }, 'turn-3');
    await desk.make({ kind: 'write', path: 'In/N.md', before: 'b\n', after: 'c\n' }, 'turn-3');
    expect(await done(desk.undo({ note: 'In/N.md' }))).toMatchObject({ unapplied: [] });
    expect(desk.seen()).toEqual({ ...new Desk(FILES).seen(), 'A.md': WRITE.after });
    expect(await desk.undo({ note: 'B.md' })).toMatch(/^Nothing was changed here/);
    expect(await desk.undo({ turn: 'turn-9' as never })).toMatch(/^This turn changed nothing/);
  });

  it('takes a proposal and what was decided about it back together', async () => {
    const desk = new Desk(FILES);
    const [block, other] = ['p-1', 'p-2'] as ProposalId[];
    const proposed = 'one\n<p-1 TWO>\nthree\nfour\n<p-2 FIVE>\n';
    const change = await desk.make({
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
    expect((await desk.ledger.changes()).decisionsOn(block!)).toHaveLength(1);
  });

  it('withdraws what is held, and a held one that was decided is pending after an undo of that', async () => {
    const desk = new Desk();
    const held = await desk.make({ kind: 'hold', path: 'x.canvas', before: null, after: '{}' });
    const holds = async () => (await desk.ledger.changes()).held().map(({ id }) => id);
    expect(await holds()).toEqual([held]);
    const accepted = await desk.decide(
      { kind: 'create', path: 'x.canvas', after: '{}' },
      { kind: 'decide', decisions: [{ proposal: held, choice: 'accept' }] },
    );
    expect(await holds()).toEqual([]);
    const undone = await done(desk.undo({ change: accepted }));
    expect(await holds()).toEqual([held]);
    expect(desk.seen()).toEqual({});
    await desk.redo(undone);
    await done(desk.undoTurn());
    expect(desk.seen()).toEqual({});
    expect(await holds()).toEqual([]);
  });

  it('does nothing about what was never done', async () => {
    const desk = new Desk(FILES);
    await desk.carry({ kind: 'create', path: 'A.md', after: 'x' });
    expect(await desk.undoTurn()).toMatch(/^This turn changed nothing/);
  });
});
