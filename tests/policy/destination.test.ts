import { describe, expect, it } from 'vitest';
import { resolveDestination, type NewItem } from '#policy/destination';
import { harmlessPaths, hostilePaths } from '#tests/policy/hostile-paths';
import { pathIndex } from '#tests/policy/path-index';

const index = pathIndex([
  'Lists/Shopping.md',
  'Work/Deep/Plan.md',
  'C#/Old.md',
  'Empty/',
  'Top.md',
]);
const note: NewItem = { what: 'file', extension: '.md' };
const moved: NewItem = { what: 'moved', name: 'Trip.md' };

function answer(raw: string, arrival: NewItem): string {
  const result = resolveDestination(raw, index, arrival);
  if (!result.ok) return `refused: ${result.reason}`;
  return result.path + (result.existing ? ` (${result.existing.kind})` : '');
}

describe('a destination', () => {
  it.each<[string, NewItem, string]>([
    ['New.md', note, 'New.md'],
    ['New', note, 'New.md'],
    ['Meeting 3.5', note, 'Meeting 3.5.md'],
    ['data.json', note, 'data.json'],
    ['New.md ', note, 'New.md'],
    ['Lists/Shopping.md. ', note, 'Lists/Shopping.md (file)'],
    ['v1.2.', note, 'v1.2..md'],
    ['Lists/Shopping.md \t', note, 'Lists/Shopping.md (file)'],
    ['New ', { ...moved, extension: '.md' }, 'New.md'],
    ['dot..md', note, 'dot..md'],
    ['And then..what', note, 'And then..what.md'],
    ['Some/New/Folder/Note', note, 'Some/New/Folder/Note.md'],
    ['Lists/Shopping.md', note, 'Lists/Shopping.md (file)'],
    ['Lists/Shopping', note, 'Lists/Shopping.md (file)'],
    ['/Lists/./New', note, 'Lists/New.md'],
    ['C#/New.md', note, 'C#/New.md'],
    ['New/', { what: 'folder' }, 'New'],
    ['Empty', { what: 'folder' }, 'Empty (folder)'],
    ['/', { what: 'folder' }, ' (folder)'],
    ['Empty', moved, 'Empty/Trip.md'],
    ['Empty/', moved, 'Empty/Trip.md'],
    ['New/', moved, 'New/Trip.md'],
    ['New', moved, 'New'],
    ['/', moved, 'Trip.md'],
    ['', moved, 'Trip.md'],
    ['Lists/Shopping.md', moved, 'Lists/Shopping.md (file)'],
    ['Work', { what: 'moved', name: 'Deep' }, 'Work/Deep (folder)'],
  ])('%j as %j goes to %s', (raw, arrival, expected) => {
    expect(answer(raw, arrival)).toBe(expected);
  });

  it.each<[string, NewItem, RegExp]>([
    ['lists/Shopping.md', note, /and the existing `Lists` differ only in case or Unicode form/],
    ['Lists/shopping.md', note, /and the existing `Lists\/Shopping\.md` differ only in/],
    ['LISTS/New.md', note, /the existing `Lists`/],
    ['work/Deep/x/y.md', note, /the existing `Work`/],
    ['Work/deep/', moved, /the existing `Work\/Deep`/],
    ['empty', moved, /the existing `Empty`/],
    ['EMPTY', { what: 'folder' }, /the existing `Empty`/],
    ['top', note, /the existing `Top\.md`/],
    ['Top.md/New.md', note, /`Top\.md` is a file, not a folder/],
    ['Top.md/', moved, /`Top\.md` is a file, not a folder/],
    ['Lists', note, /names a folder.*`Lists\/Name\.md`/],
    ['New/', note, /names a folder.*`New\/Name\.md`/],
    ['/', note, /names a folder/],
    ['Lists/con', note, /device/],
    ['D#/x.md', note, /break links/],
    ['../x', note, /climbs above the vault/],
  ])('%j as %j is refused: %s', (raw, arrival, reason) => {
    expect(answer(raw, arrival)).toMatch(reason);
  });

  const fileMoved: NewItem = { what: 'moved', name: 'Trip.md', extension: '.md' };

  it.each<[string, NewItem, string]>([
    ['lists/New.md', note, 'Lists/New.md'],
    ['LISTS/New', note, 'Lists/New.md'],
    ['work/deep/New.md', note, 'Work/Deep/New.md'],
    ['Work/deep/x/New.md', note, 'Work/Deep/x/New.md'],
    ['lists/shopping.md', note, 'Lists/Shopping.md'],
    ['lists/New', { what: 'folder' }, 'Lists/New'],
    ['lists', { what: 'folder' }, 'Lists'],
    ['lists/', fileMoved, 'Lists/Trip.md'],
    ['lists', fileMoved, 'Lists/Trip.md'],
    ['work/deep', fileMoved, 'Work/Deep/Trip.md'],
    ['lists', note, 'Lists/Name.md'],
  ])('%j as %j is refused and %s suggested', (raw, arrival, instead) => {
    const told = answer(raw, arrival);
    expect(told).toMatch(/^refused: .* only in case or Unicode form/);
    expect(told).toContain(` Use \`${instead}\` or another name.`);
  });

  it('a folder can be renamed to another case, and a note may be next to a folder of its name', () => {
    const renamed: NewItem = { what: 'moved', name: 'Lists', from: 'Lists' };
    expect(answer('lists', renamed)).toBe('lists');
    expect(answer('lists.md', note)).toBe('lists.md');
  });

  it('a path that differs only in Unicode form is a conflict', () => {
    const decomposed = pathIndex(['Cafe\u0301/a.md']);
    expect(resolveDestination('Café/b.md', decomposed, note)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Use `Cafe\u0301/b.md`') as string,
    });
  });

  const empty = pathIndex([]);

  it.each(hostilePaths.filter(({ fate }) => fate !== 'protected'))('$raw is refused', ({ raw }) => {
    expect(resolveDestination(raw, empty, { what: 'folder' })).toMatchObject({ ok: false });
  });

  it.each(harmlessPaths)('%j is taken as written', (raw) => {
    expect(resolveDestination(raw, empty, { what: 'file' })).toEqual({ ok: true, path: raw });
  });
});
