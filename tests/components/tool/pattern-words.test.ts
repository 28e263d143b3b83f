import { describe, expect, test } from 'vitest';
import { wordsOfGlob, wordsOfPattern } from '#components/tool/pattern-words.ts';

describe('the words of a pattern', () => {
  test.each([
    ['milk', ['milk']],
    ['\\bmilk\\b', ['milk']],
    ['(plant|sow)(ed|n)?', ['plant', 'sow']],
    ['TODO|FIXME', ['TODO', 'FIXME']],
    ['tomatoe?s?', ['tomato']],
    ['[Mm]ilk', ['milk']],
    ['(?i)bread', ['bread']],
    ['bread.{0,20}flour', ['bread', 'flour']],
    ['due: \\d{4}-\\d{2}', ['due']],
    ['file\\.md', ['file.md']],
    ['#travel', ['#travel']],
    ['Graça|東京', ['Graça', '東京']],
    ['\\d+', []],
    ['.*', []],
  ])('%s', (pattern, words) => {
    expect(wordsOfPattern(pattern)).toEqual({ place: 'text', words });
  });

  test.each([
    ['^#+ .*gift', 'headings', ['gift']],
    ['^#{1,3}\\s+Ideas', 'headings', ['Ideas']],
    ['^## Plan$', 'headings', ['Plan']],
    ['^\\s*- \\[ \\] .*call', 'tasks', ['call']],
    ['- \\[ \\]', 'tasks', []],
  ] as const)('%s is about %s', (pattern, place, words) => {
    expect(wordsOfPattern(pattern)).toEqual({ place, words });
  });
});

describe('the words of a glob', () => {
  test.each([
    ['*{shopping,groceries,grocery}*', ['shopping', 'groceries', 'grocery']],
    ['**/{plan,idea}*', ['plan', 'idea']],
    ['Journal/2026-*', ['2026']],
    ['Lists/Shopping.md', ['Shopping']],
    ['*.pdf', ['.pdf']],
    ['**/*.md', []],
    ['Journal/**', []],
  ])('%s', (glob, words) => {
    expect(wordsOfGlob(glob)).toEqual(words);
  });
});
