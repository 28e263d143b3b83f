/** Property tests of undo with random vaults, changes, and edits by the user. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '#model/change';
import { cases } from '../cases';
import { UndoHarness } from './undo-harness';

/** Paths for new and moved files. Some take the names of others, which links may then mean. */
const NEW = ['N.md', 'In/O.md', 'x/y/P.md', 'Out/A.md', 'In/Deep/C.md', 'C.md'];
const FOLDERS = ['In/F', 'x', 'x/y', 'Out', 'Out/G', 'H'];

const line = fc.oneof(
  fc.constantFrom(
    'one',
    'two',
    'three',
    '',
    '[[A]]',
    '[[In/C|C]] and [[D]]',
    '[[Deep/D|d]] [[C]]',
    '- item',
    '京都 🚲',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[\r\n[\]]/g, '')),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 7 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

/** A random change, resolved against the current vault and skipped if it is impossible. */
type Wish =
  | { readonly kind: 'write'; readonly at: number; readonly text: string; readonly whole: boolean }
  | { readonly kind: 'create'; readonly at: number; readonly text: string }
  | { readonly kind: 'delete' | 'folder'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number };

const at = fc.nat({ max: 50 });
const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('write' as const), at, text, whole: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), at, text }) },
  fc.record({ kind: fc.constantFrom('delete' as const, 'folder' as const), at }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), at, to: at }) },
);

const vault = fc.tuple(text, text, text, text).map(([a, b, c, d]) => ({
  ...{ 'A.md': a, 'B.md': b, 'In/C.md': c, 'In/Deep/D.md': d },
  'In/photo.png': Uint8Array.of(0, 255, 3),
  'Map.canvas': '{"nodes":[{"file":"In/C.md"},{"file":"A.md"}]}',
}));

function effectOf(wanted: Wish, desk: UndoHarness): Effect | null {
  const there = desk.notes.list().filter(({ path }) => !path.startsWith('.'));
  const files = there
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .sort();
  const pick = (from: readonly string[], place: number) => from[place % Math.max(1, from.length)];
  switch (wanted.kind) {
    case 'write': {
      const path = pick(
        files.filter((each) => each.endsWith('.md')),
        wanted.at,
      );
      if (path === undefined) return null;
      const before = desk.notes.text(path);
      const lines = before.split(/(?<=\n)/);
      const put = `${wanted.text}\n`;
      const after = wanted.whole ? wanted.text : lines.with(wanted.at % lines.length, put).join('');
      return { kind: 'write', path, before, after };
    }
    case 'create': {
      const path = pick(NEW, wanted.at)!;
      return desk.notes.get(path) ? null : { kind: 'create', path, after: wanted.text };
    }
    case 'folder': {
      const path = pick(FOLDERS, wanted.at)!;
      return desk.notes.get(path) ? null : { kind: 'folder', path };
    }
    case 'delete': {
      const path = pick(there.map((each) => each.path).sort(), wanted.at);
      if (path === undefined) return null;
      const isNote = path.endsWith('.md');
      return { kind: 'delete', path, before: isNote ? desk.notes.text(path) : null };
    }
    case 'move': {
      const path = pick(there.map((each) => each.path).sort(), wanted.at);
      const isFile = path !== undefined && files.includes(path);
      const to = pick(isFile ? NEW : FOLDERS, wanted.to)!;
      if (path?.endsWith('.png') || path?.endsWith('.canvas')) return null;
      if (path === undefined || to === path || to.startsWith(`${path}/`)) return null;
      return desk.notes.get(to) ? null : { kind: 'move', path, to };
    }
  }
}

const EMPTY_NOTES = {
  ...{ 'A.md': '', 'B.md': '', 'In/C.md': '', 'In/Deep/D.md': '' },
  'In/photo.png': Uint8Array.of(0, 255, 3),
};

/** Two folders are moved away from one path, and a note is created in a folder of the second. */
const FOLDER_TAKES_A_PATH: Wish[] = [
  { kind: 'move', at: 11, to: 41 },
  { kind: 'create', at: 34, text: '' },
  { kind: 'delete', at: 2 },
  { kind: 'move', at: 39, to: 7 },
  { kind: 'create', at: 42, text: '' },
];

/** A note is changed after others were created in the folder that was created for it. */
const FOLDER_OF_SEVERAL: Wish[] = [
  { kind: 'move', at: 9, to: 1 },
  { kind: 'create', at: 29, text: '' },
  { kind: 'create', at: 41, text: '' },
  { kind: 'write', at: 8, text: '', whole: false },
];

/** A note takes the place of a deleted one, which was moved there before. */
const DELETED_PLACE_TAKEN: Wish[] = [
  { kind: 'move', at: 2, to: 8 },
  { kind: 'create', at: 44, text: '' },
  { kind: 'move', at: 25, to: 19 },
  { kind: 'delete', at: 2 },
  { kind: 'move', at: 0, to: 7 },
];

/** A note is created at the former place of a folder that comes back to it. */
const NOTE_WHERE_A_FOLDER_WAS: Wish[] = [
  { kind: 'move', at: 20, to: 0 },
  { kind: 'move', at: 18, to: 1 },
  { kind: 'create', at: 28, text: '' },
];

async function carryAll(desk: UndoHarness, wishes: readonly Wish[]): Promise<void> {
  for (const each of wishes) {
    const effect = effectOf(each, desk);
    if (effect) await desk.apply(effect);
  }
}

const trash = fc.constantFrom('system' as const, 'vault' as const, 'nowhere' as const);

describe('Undo', () => {
  it('undo of a turn restores the vault to the byte, and redo restores its changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        vault,
        fc.array(wish, { maxLength: 8 }),
        trash,
        async (files, wishes, goes) => {
          const desk = new UndoHarness(files);
          desk.notes.trashGoesTo = goes;
          const before = desk.visibleFiles();
          await carryAll(desk, wishes);
          const after = desk.visibleFiles();
          await desk.restart();
          const undone = await desk.undoTurn();
          if (typeof undone === 'string') {
            expect(after).toEqual(before);
            return;
          }
          expect(undone.unapplied).toEqual([]);
          expect(desk.visibleFiles()).toEqual(before);
          await desk.redo(undone);
          expect(desk.visibleFiles()).toEqual(after);
        },
      ),
      {
        ...cases,
        examples: [
          [EMPTY_NOTES, FOLDER_TAKES_A_PATH, 'system'],
          [EMPTY_NOTES, FOLDER_OF_SEVERAL, 'system'],
          [
            { ...EMPTY_NOTES, 'In/C.md': '[[In/C|C]] and [[D]]', 'Map.canvas': '{"nodes":[]}' },
            DELETED_PLACE_TAKEN,
            'system',
          ],
          [{ ...EMPTY_NOTES, 'Map.canvas': '{"nodes":[]}' }, NOTE_WHERE_A_FOLDER_WAS, 'system'],
        ],
      },
    );
  });

  it('undo of single changes, newest first, restores the vault to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        vault,
        fc.array(wish, { maxLength: 6 }),
        trash,
        async (files, wishes, goes) => {
          const desk = new UndoHarness(files);
          desk.notes.trashGoesTo = goes;
          const before = desk.visibleFiles();
          await carryAll(desk, wishes);
          const changes = (await desk.changeLog.changes()).all();
          for (const { id } of changes.toReversed()) await desk.undo({ change: id });
          expect(desk.visibleFiles()).toEqual(before);
        },
      ),
      cases,
    );
  });

  const human = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('type' as const),
        at,
        line: at,
        instead: fc.boolean(),
      }),
    },
    fc.record({ does: fc.constant('rename' as const), at, to: at }),
  );

  it('undo and redo lose no line that the user wrote', async () => {
    await fc.assert(
      fc.asyncProperty(
        vault,
        fc.array(fc.oneof(wish, human), { maxLength: 12 }),
        fc.boolean(),
        async (files, doings, redoes) => {
          const desk = new UndoHarness(files);
          const mine: string[] = [];
          const wrote = () => {
            const all = Object.values(desk.visibleFiles()).join('\n');
            return mine.filter((each) => all.includes(each));
          };
          for (const doing of doings) {
            if (!('does' in doing)) {
              const effect = effectOf(doing, desk);
              if (effect) await desk.apply(effect);
              continue;
            }
            const notes = Object.keys(desk.visibleFiles()).filter((path) => path.endsWith('.md'));
            const path = notes[doing.at % Math.max(1, notes.length)];
            if (path === undefined) continue;
            if (doing.does === 'rename') {
              const to = `Mine ${doing.to}.md`;
              if (!desk.notes.get(to)) await desk.notes.move(path, to);
              continue;
            }
            const typed = `«mine ${mine.length}»`;
            mine.push(typed);
            const lines = desk.notes.text(path).split(/(?<=\n)/);
            const place = doing.line % Math.max(1, lines.length);
            const now = doing.instead
              ? lines.with(place, `${typed}\n`)
              : lines.toSpliced(place, 0, `${typed}\n`);
            desk.notes.put(path, now.join(''));
          }
          // The agent's own changes may have overwritten or deleted some of the user's lines.
          const before = wrote();
          const undone = await desk.undoTurn();
          expect(wrote()).toEqual(expect.arrayContaining(before));
          if (redoes && typeof undone !== 'string') {
            const written = wrote();
            await desk.redo(undone);
            expect(wrote()).toEqual(
              expect.arrayContaining(written.filter((each) => before.includes(each))),
            );
          }
        },
      ),
      cases,
    );
  });
});

describe('A change of a note that the user has edited', () => {
  it('applyEffect keeps every line of the user, and applies the change completely or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(at, { maxLength: 4 }),
        async (before, after, places) => {
          const desk = new UndoHarness({ 'A.md': before });
          const lines = before.split(/(?<=\n)/);
          const typed = places.map((place, count) => {
            const mine = `«mine ${count}»`;
            lines.splice(place % (lines.length + 1), 0, `${mine}\n`);
            return mine;
          });
          const now = lines.join('');
          desk.notes.put('A.md', now);
          const made = await desk.apply({ kind: 'write', path: 'A.md', before, after });
          const left = desk.notes.text('A.md');
          for (const mine of typed) expect(left).toContain(mine);
          if (!made.ok) {
            expect(left).toBe(now);
            return;
          }
          expect(made.effect).toMatchObject({ before: now, after: left });
          const [entry] = await desk.changeLog
            .read([(await desk.changeLog.changes()).get(made.id)!])
            .then((all) => [...all.values()]);
          expect(entry).toMatchObject({ before: now, after: left });
          await desk.undo({ change: made.id });
          expect(desk.notes.text('A.md')).toBe(now);
        },
      ),
      cases,
    );
  });
});
