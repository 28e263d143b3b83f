import { describe, expect, it } from 'vitest';
import type { Effect } from '#model/change';
import type { Undone } from '#edits/undo';
import { UndoHarness } from './undo-harness';

const CANVAS = '{"nodes":[{"id":"1","type":"file","file":"In/C.md","x":0}],"edges":[]}';
const FILES = {
  'In/C.md': 'c\n',
  'Other.md': 'other\n',
  'Deep/Other.md': 'deep\n',
  'B.md': '---\nup: "[[In/C|C]]"\n---\nTo [[In/C|see]], ![[In/C#Part]] and [[C]].\n\n[[In/C|C]]\n',
  'Deep/Near.md': '[[Other]]\n',
  'Map.canvas': CANVAS,
};
const RENAME: Effect = { kind: 'move', path: 'In/C.md', to: 'Out/Z.md' };
const MOVE: Effect = { kind: 'move', path: 'In/C.md', to: 'Out/C.md' };

async function done(undoing: Promise<Undone | string>): Promise<Undone> {
  const undone = await undoing;
  if (typeof undone === 'string') throw new Error(undone);
  return undone;
}

describe('Undo of a move', () => {
  it.each<[string, Effect]>([
    ['a move', MOVE],
    ['a rename', RENAME],
    ['a move of a folder', { kind: 'move', path: 'In', to: 'Out/In' }],
    ['a rename that gives links another meaning', { ...MOVE, to: 'Deep/Other 2.md' }],
    ['a move out of the folder of a link', { kind: 'move', path: 'Deep/Other.md', to: 'X/A.md' }],
    ['a rename to a name that links use', { ...MOVE, path: 'Other.md', to: 'C.md' }],
  ])('undo of %s restores every linking file to the byte, and redo too', async (_, effect) => {
    const desk = new UndoHarness(FILES);
    const before = desk.visibleFiles();
    const change = await desk.applyOrThrow(effect);
    const after = desk.visibleFiles();
    await desk.restart();
    const undone = await done(desk.undo({ change }));
    expect(undone.unapplied).toEqual([]);
    expect(desk.visibleFiles()).toEqual(before);
    await desk.redo(undone);
    expect(desk.visibleFiles()).toEqual(after);
  });

  it('undo restores links that the host rewrote because a moved note took their name', async () => {
    const files = { 'a/N.md': '', 'b/N.md': '', 'L.md': '[[N]] and [[a/N]]\n' };
    const desk = new UndoHarness(files);
    const before = desk.visibleFiles();
    const change = await desk.applyOrThrow({ kind: 'move', path: 'b/N.md', to: 'N.md' });
    expect(desk.notes.text('L.md')).toBe('[[a/N]] and [[a/N]]\n');
    await done(desk.undo({ change }));
    expect(desk.visibleFiles()).toEqual(before);
  });

  it('undo keeps what the user wrote since in a linking note, and the links in it', async () => {
    const desk = new UndoHarness(FILES);
    const change = await desk.applyOrThrow(RENAME);
    desk.notes.put('B.md', `${desk.notes.text('B.md')}\nMine: [[Z]]\n`);
    expect(await done(desk.undo({ change }))).toMatchObject({ unapplied: [] });
    expect(desk.notes.text('B.md')).toBe(`${FILES['B.md']}\nMine: [[C]]\n`);
  });

  it('undo reports the lines of a linking note that the user has changed since', async () => {
    const desk = new UndoHarness({ 'In/C.md': '', 'B.md': '[[In/C]]\n' });
    const change = await desk.applyOrThrow(RENAME);
    desk.notes.put('B.md', '[[B]]\n');
    const why = 'These lines have changed since then, so your version was kept.';
    expect(await done(desk.undo({ change }))).toMatchObject({
      unapplied: [{ path: 'B.md', why, conflict: { now: '[[B]]\n', wanted: '[[In/C]]\n' } }],
    });
    expect(desk.notes.text('B.md')).toBe('[[B]]\n');
  });

  it('undo leaves text that was written while the host moved the note', async () => {
    const desk = new UndoHarness({ 'In/C.md': '', 'B.md': '[[In/C]]\n' });
    const move = desk.notes.move.bind(desk.notes);
    desk.notes.move = async (...paths) => {
      desk.notes.put('B.md', '[[In/C]]\nmine\n');
      desk.notes.move = move;
      return move(...paths);
    };
    const change = await desk.applyOrThrow(RENAME);
    await done(desk.undo({ change }));
    expect(desk.notes.text('B.md')).toBe('[[C]]\nmine\n');
  });

  it('undo finds linking notes that have moved since', async () => {
    const desk = new UndoHarness(FILES);
    const change = await desk.applyOrThrow(RENAME);
    await desk.notes.move('B.md', 'Place/B.md');
    await done(desk.undo({ change }));
    expect(desk.notes.text('Place/B.md')).toBe(FILES['B.md']);
  });

  it('undo restores all linking notes of a folder, however long they are', async () => {
    const long = `[[In/C]]\n${'long '.repeat(80_000)}`;
    const notes = Array.from({ length: 6 }, (_, at) => [`N${at}.md`, long] as const);
    const desk = new UndoHarness({ 'In/C.md': '', ...Object.fromEntries(notes) });
    const before = desk.visibleFiles();
    const change = await desk.applyOrThrow({ kind: 'move', path: 'In', to: 'Out' });
    await done(desk.undo({ change }));
    expect(desk.visibleFiles()).toEqual(before);
  });

  it.each(['in the move', 'in the undo'])(
    'undo restores links to the byte after the app stopped %s',
    async (when) => {
      const desk = new UndoHarness(FILES);
      const before = desk.visibleFiles();
      const stop = () => {
        const move = desk.notes.move.bind(desk.notes);
        return new Promise<void>((stopped) => {
          desk.notes.move = async (...paths) => {
            await move(...paths);
            desk.notes.move = move;
            stopped();
            return new Promise(() => undefined);
          };
        });
      };
      if (when === 'in the move') {
        const stopped = stop();
        void desk.apply(RENAME);
        await stopped;
      } else {
        await desk.applyOrThrow(RENAME);
        const stopped = stop();
        void desk.undoTurn();
        await stopped;
      }
      await desk.restart();
      await desk.recover();
      if (when === 'in the move') await done(desk.undoTurn());
      expect(desk.visibleFiles()).toEqual(before);
    },
  );
});
