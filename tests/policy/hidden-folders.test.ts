import { describe, expect, test } from 'vitest';
import { excludedFolders, excludedReason } from '#policy/hidden-notes';

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
