import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeMatches, editDistance, lookUp, type WantedKind } from '#policy/look-up';
import { cases } from '#tests/cases';
import { pathIndex } from '#tests/policy/path-index';

const index = pathIndex(
  [
    'Lists/Shopping.md',
    'Lists/Packing.md',
    'Daily/2024-05-01.md',
    'Work/Plan.md',
    'Home/Plan.md',
    'Work/Café.md',
    'Pictures/cat.png',
    'twins/Same.md',
    'twins/same.md',
    'Plan B.md',
    'Archive/Plan B.canvas',
    'Empty/',
  ],
  {
    Groceries: 'Lists/Shopping.md',
    Packing: 'Plan B.md',
    'a/b': 'Work/Café.md',
    trip: 'Lists/Packing.md',
  },
);

function answer(path: string, among = index, wanted: WantedKind = 'any'): string {
  const result = lookUp(path, among, wanted);
  if (result.kind === 'several') return result.paths.join(' or ');
  if (result.kind === 'missing') return 'missing';
  return `${result.spelledDifferently ? 'as ' : ''}${result.entry.path} (${result.entry.kind})`;
}

describe('looking up an existing path', () => {
  it.each([
    ['', ' (folder)'],
    ['Lists/Shopping.md', 'Lists/Shopping.md (file)'],
    ['Lists/Shopping', 'as Lists/Shopping.md (file)'],
    ['Lists', 'Lists (folder)'],
    ['lists', 'as Lists (folder)'],
    ['Empty', 'Empty (folder)'],
    ['lists/shopping.md', 'as Lists/Shopping.md (file)'],
    ['LISTS/SHOPPING', 'as Lists/Shopping.md (file)'],
    ['Work/Cafe\u0301.md', 'as Work/Café.md (file)'],
    ['Shopping', 'as Lists/Shopping.md (file)'],
    ['shopping.md', 'as Lists/Shopping.md (file)'],
    ['2024-05-01', 'as Daily/2024-05-01.md (file)'],
    ['cat.png', 'as Pictures/cat.png (file)'],
    ['cat', 'as Pictures/cat.png (file)'],
    ['Groceries', 'as Lists/Shopping.md (file)'],
    ['groceries.md', 'as Lists/Shopping.md (file)'],
    ['a/b', 'as Work/Café.md (file)'],
    ['Plan', 'Home/Plan.md or Work/Plan.md'],
    ['plan.md', 'Home/Plan.md or Work/Plan.md'],
    ['work/plan', 'as Work/Plan.md (file)'],
    ['twins/same.md', 'twins/same.md (file)'],
    ['twins/SAME.md', 'twins/Same.md or twins/same.md'],
    ['Plan B', 'as Plan B.md (file)'],
    ['Plan B.canvas', 'as Archive/Plan B.canvas (file)'],
    ['Packing', 'as Lists/Packing.md (file)'],
    ['trip', 'as Lists/Packing.md (file)'],
    ['Elsewhere/Plan', 'missing'],
    ['Elsewhere/Groceries', 'missing'],
    ['hopping', 'missing'],
    ['ists/Shopping', 'missing'],
  ])('%j finds %s', (path, expected) => {
    expect(answer(path)).toBe(expected);
  });

  const folderNotes = pathIndex([
    'Projects/Garden/Garden.md',
    'Projects/Garden/Beds.md',
    'Lists/Shopping.md',
    'lists.md',
    'Work.md',
    'Work/Plan.md',
    'Plan/Work/x.md',
  ]);

  it.each<[string, WantedKind, string]>([
    ['Garden', 'folder', 'as Projects/Garden (folder)'],
    ['projects/garden', 'folder', 'as Projects/Garden (folder)'],
    ['Garden', 'file', 'as Projects/Garden/Garden.md (file)'],
    ['Garden', 'any', 'Projects/Garden or Projects/Garden/Garden.md'],
    ['Projects/Garden', 'any', 'Projects/Garden (folder)'],
    ['lists', 'folder', 'as Lists (folder)'],
    ['lists', 'file', 'as lists.md (file)'],
    ['lists', 'any', 'Lists or lists.md'],
    ['LISTS', 'any', 'Lists or lists.md'],
    ['Lists', 'any', 'Lists (folder)'],
    ['Lists', 'file', 'as lists.md (file)'],
    ['Work', 'any', 'Work (folder)'],
    ['Work', 'file', 'as Work.md (file)'],
    ['Work', 'folder', 'Work (folder)'],
    ['Beds', 'folder', 'as Projects/Garden/Beds.md (file)'],
    ['Shopping', 'any', 'as Lists/Shopping.md (file)'],
    ['Projects', 'file', 'Projects (folder)'],
  ])('%j looked up as %s finds %s', (path, wanted, expected) => {
    expect(answer(path, folderNotes, wanted)).toBe(expected);
  });

  it('look-up suggests folders if a folder is wanted', () => {
    expect(lookUp('Projcts', folderNotes, 'folder')).toEqual({
      kind: 'missing',
      closeMatches: ['Projects'],
    });
    expect(lookUp('Shoping', folderNotes, 'folder')).toEqual({
      kind: 'missing',
      closeMatches: ['Lists/Shopping.md'],
    });
  });

  it('look-up suggests close paths if nothing is found', () => {
    expect(lookUp('Lists/Shoping.md', index)).toEqual({
      kind: 'missing',
      closeMatches: ['Lists/Shopping.md'],
    });
    expect(lookUp('Elsewhere/Plan.md', index)).toMatchObject({
      closeMatches: ['Home/Plan.md', 'Work/Plan.md', 'Plan B.md', 'Archive/Plan B.canvas'],
    });
    expect(lookUp('Nothing like it', index)).toEqual({ kind: 'missing', closeMatches: [] });
  });
});

describe('close matches', () => {
  it('close matches are few, closest first, and in a fixed order', () => {
    const paths = [
      'b/Nota.md',
      'a/Nota.md',
      'Noted.md',
      'a/Note 2.md',
      'Nots.md',
      'Mote.md',
      'Oten.md',
    ];
    const near = closeMatches('a/Note.md', paths);
    expect(near).toEqual(['a/Nota.md', 'b/Nota.md', 'Mote.md', 'Noted.md', 'Nots.md']);
    expect(closeMatches('a/Note.md', [...paths].reverse())).toEqual(near);
  });

  it.each([
    ['the tasks', 'Tasks.md'],
    ['weekly shopping', 'Lists/Shopping.md'],
    ['قائمة التسوق', 'التسوق الأسبوعي.md'],
    ['reading list 2026', 'Books/Notes on the reading list.md'],
  ])('close matches of "%s" include %s, with which it shares a word', (asked, path) => {
    const others = ['The Hobbit.md', 'Meeting notes.md', 'Garden/Beds.md'];
    expect(closeMatches(asked, [...others, path])).toEqual([path]);
  });

  it('close matches that share words are first those in the same folder', () => {
    const others = ['de', 'fr', 'id', 'it', 'ru', 'zh'].map((each) => `${each}/Zettelkasten.md`);
    const asked = 'en/Import/Import from Zettelkasten.md';
    const near = closeMatches(asked, [...others, 'en/Import/Import Zettelkasten notes.md']);
    expect(near[0]).toBe('en/Import/Import Zettelkasten notes.md');
  });

  it('close matches recognize swapped letters', () => {
    expect(closeMatches('Shoppnig', ['Shopping.md'])).toEqual(['Shopping.md']);
    expect(editDistance('shoppnig', 'shopping', 3)).toBe(1);
  });

  it("the bounded edit distance equals the full table's", () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, bound) => {
        const distance = wholeTable(a, b);
        expect(editDistance(a, b, bound)).toBe(distance <= bound ? distance : bound + 1);
      }),
      cases,
    );
  });
});

function wholeTable(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => row + column),
  );
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        table[row - 1]![column - 1]! + (same ? 0 : 1),
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, table[row - 2]![column - 2]! + 1);
      }
      table[row]![column] = cost;
    }
  }
  return table[a.length]![b.length]!;
}
