import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byName,
  extensionOf,
  isNote,
  isWithin,
  movedPath,
  noteName,
  parsePath,
  stemOf,
} from '#text/paths';
import { cases } from '#tests/cases';
import { harmlessPaths, hostilePaths } from '#tests/policy/hostile-paths';

function parsed(raw: string): string {
  const result = parsePath(raw);
  if (!result.ok) throw new Error(result.reason);
  return result.path + (result.intoFolder ? ' (into)' : '');
}

/** Path parts that mean something to some system, combined at random. */
const spelling = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '.',
        '..',
        '~',
        ':',
        'C:',
        '[[',
        ']]',
        '|',
        '#',
        '!',
        ' ',
        '\0',
        '%2e',
      ),
      fc.constantFrom(
        'file:',
        'http://',
        '.git',
        'config',
        'a',
        'é',
        'e\u0301',
        '…',
        '\u200b',
        '//',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

describe('a path as written', () => {
  it.each([
    ['Note.md', 'Note.md'],
    ['/Note.md', 'Note.md'],
    ['/', ' (into)'],
    ['', ''],
    ['.', ''],
    ['./', ' (into)'],
    ['a/..', ''],
    ['Folder/', 'Folder (into)'],
    ['Folder\\', 'Folder (into)'],
    ['Folder\\Sub\\Note.md', 'Folder/Sub/Note.md'],
    ['./Folder//Sub/./Note.md', 'Folder/Sub/Note.md'],
    ['a/../b.md', 'b.md'],
    ['a/b/../../c.md', 'c.md'],
    ['/a/./b/../c/', 'a/c (into)'],
    ['cafe\u0301.md', 'caf\u00e9.md'],
    ['100%25.md', '100%25.md'],
    ['%2e%2e/x.md', '%2e%2e/x.md'],
    ['~archive/x.md', '~archive/x.md'],
    ['a/~/b', 'a/~/b'],
    ['Meeting: plans.md', 'Meeting: plans.md'],
    [' leading.md', ' leading.md'],
    ['[[Note]]', 'Note'],
    ['![[Folder/Note.md]]', 'Folder/Note.md'],
    ['[[Note|shown]]', 'Note'],
    ['[[Note#Heading]]', 'Note'],
    ['[[Note#^block|shown]]', 'Note'],
    ['[[ Folder / Note ]]', 'Folder / Note'],
    ['./[[Note]]', 'Note'],
    ['[[a]] and [[b]]', '[[a]] and [[b]]'],
  ])('%j is parsed as %j', (raw, path) => {
    expect(parsed(raw)).toBe(path);
  });

  it.each(hostilePaths.filter(({ fate }) => fate === 'refused'))('$raw is refused', ({ raw }) => {
    const result = parsePath(raw);
    expect(result).toMatchObject({ ok: false });
    if (result.ok) return;
    expect(result.reason).toContain('Expected a path inside the vault');
    expect(result.reason).not.toMatch(/\p{Cc}/u);
  });

  it.each(hostilePaths.filter(({ fate }) => fate !== 'refused'))('$raw is a path', ({ raw }) => {
    expect(parsePath(raw)).toMatchObject({ ok: true });
  });

  it.each(harmlessPaths)('%j stays unchanged', (raw) => {
    expect(parsed(raw)).toBe(raw);
  });

  it('a parsed path never leads out of the vault', () => {
    fc.assert(
      fc.property(spelling, (raw) => {
        const result = parsePath(raw);
        if (!result.ok || result.path === '') return;
        for (const segment of result.path.split('/')) {
          expect(['', '.', '..']).not.toContain(segment);
        }
        expect(result.path).not.toMatch(/\0|\\|^\s*(~(\/|$)|[a-z]:)/i);
        expect(result.path).toBe(result.path.normalize('NFC'));
      }),
      cases,
    );
  });

  it('parsing a parsed path returns it unchanged', () => {
    fc.assert(
      fc.property(spelling, (raw) => {
        const once = parsePath(raw);
        if (!once.ok) return;
        expect(parsePath(once.path)).toEqual({ ok: true, path: once.path, intoFolder: false });
      }),
      cases,
    );
  });
});

describe('names and places of paths', () => {
  it.each([
    ['Projects/Lisbon trip.md', 'Lisbon trip'],
    ['Old.MD', 'Old'],
    ['Pictures/a.png', 'a.png'],
    ['Notes/.md', '.md'],
  ])('noteName(%s) is %s', (path, name) => expect(noteName(path)).toBe(name));

  it('isNote accepts `.md` in any case, but no file that is named `.md`', () => {
    expect(['A.md', 'b/A.MD', 'A.mdx', 'md', 'b/.md'].filter(isNote)).toEqual(['A.md', 'b/A.MD']);
  });

  it('a name that begins with its only dot has no extension', () => {
    expect(['a/b.PNG', 'a.b/c', 'a/.env'].map(extensionOf)).toEqual(['png', '', '']);
    expect(['a/b.c.md', 'a.b/c', 'a/.env'].map(stemOf)).toEqual(['b.c', 'c', '.env']);
  });

  it('movedPath changes the moved folder and what is in it, but no sibling', () => {
    expect(isWithin('Ideas', 'Ideas') && !isWithin('Ideas2/A.md', 'Ideas')).toBe(true);
    const paths = ['Ideas', 'Ideas/A.md', 'Ideas2/A.md'];
    const moved = paths.map((path) => movedPath(path, 'Ideas', 'Old/Ideas'));
    expect(moved).toEqual(['Old/Ideas', 'Old/Ideas/A.md', 'Ideas2/A.md']);
  });
});

describe('the order of names', () => {
  it('names are in the order of a numeric collation, whatever their order before', () => {
    const { compare } = new Intl.Collator('en', { numeric: true });
    const part = fc.oneof(fc.constantFrom('a', 'b', 'note'), fc.nat({ max: 1_000 }).map(String));
    // Letters keep numbers apart, which would otherwise have zeros in front.
    const name = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('c'));
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect([...names].sort(byName)).toEqual([...names].sort(compare));
      }),
      cases,
    );
  });

  it('names with zeros in front have one order', () => {
    const names = ['x001', 'x01', 'x1', 'x01b', 'x1a', 'x02'];
    expect([...names].sort(byName)).toEqual(['x001', 'x01', 'x01b', 'x1', 'x1a', 'x02']);
    expect(names.reverse().sort(byName)).toEqual(['x001', 'x01', 'x01b', 'x1', 'x1a', 'x02']);
  });
});
