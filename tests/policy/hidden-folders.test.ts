import { describe, expect, test } from 'vitest';
import { excludedFolders, excludedReason } from '#policy/hidden-notes';
import { instructionsIn } from '#policy/instruction-files';

describe('an excluded folder', () => {
  const folders = excludedFolders(['/Journal/Private/', 'Straße', '  ', '/']);
  const isOut = (path: string) => excludedReason(path, folders) !== null;

  test.each([
    'Journal/Private',
    'journal/private/Day.md',
    'Journal/Private /x.md',
    'Journal/Private./x.md',
    'Journal/PRIVAT~1/x.md',
    'Journal/Private::$INDEX_ALLOCATION/x.md',
    'Journal/Pri\u200Bvate/x.md',
    'Ｊournal/Private/x.md',
    'STRASSE/x.md',
    'Strasse',
    'Straẞe/x.md',
    'STRAẞE/x.md',
  ])('an excluded folder is recognized in any spelling: %j', (path) => {
    expect(isOut(path)).toBe(true);
  });

  test.each([
    'Journal',
    'Journal/Privately/x.md',
    'Other/Journal/Private/x.md',
    'Journal/Private.md',
    'Private/x.md',
    '',
  ])('a similar name is not excluded: %j', (path) => {
    expect(isOut(path)).toBe(false);
  });

  test('nothing is excluded without a folder', () => {
    expect(excludedReason('x.md', excludedFolders([]))).toBeNull();
  });
});

/** Spellings that a file system which ignores case and Unicode form takes for the same name. */
function spellings(name: string): readonly string[] {
  const cased = [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    name.toUpperCase().toLowerCase(),
    name.toLowerCase().toUpperCase(),
  ];
  const forms = ['NFC', 'NFD'] as const;
  return [...new Set(cased.flatMap((each) => forms.map((form) => each.normalize(form))))];
}

test('a folder with any letter of Unicode is excluded in each of its spellings', () => {
  const missed: string[] = [];
  let tried = 0;
  for (let code = 0x21; code < 0x20000; code += 1) {
    // Halves of surrogate pairs, and what no segment of a path can contain.
    if ((code >= 0xd800 && code < 0xe000) || /[\p{Cc}/\\.:~]/u.test(String.fromCodePoint(code)))
      continue;
    const all = spellings(`a${String.fromCodePoint(code)}b`);
    const [name = ''] = all;
    const folders = excludedFolders([name]);
    for (const other of all) {
      tried += 1;
      if (excludedReason(`${other}/x.md`, folders) === null) missed.push(`${name} as ${other}`);
    }
  }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThan(130_000);
});

test('a note with instructions is recognized in each spelling of its letters', () => {
  const effect = (path: string) => ({ kind: 'create', path, after: 'x' }) as const;
  for (const path of ['AGENTS.md', 'agents.MD', 'AGENTſ.md', 'ＡＧＥＮＴＳ.md', 'A/Agents.md']) {
    expect(instructionsIn(effect(path), [])).toBe(path);
  }
  for (const path of ['Straẞe/x.md', 'STRASSE/x.md', 'straße/x.md']) {
    expect(instructionsIn(effect(path), ['Straße'])).toBe(path);
  }
  expect(instructionsIn(effect('Agents/x.md'), ['Straße'])).toBeNull();
});
