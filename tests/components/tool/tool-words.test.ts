import { describe, expect, test } from 'vitest';
import { wordsOfGlob, wordsOfPattern } from '#messages/tool-words';

describe('the words of a pattern', () => {
  test.each([
    ['milk', ['milk']],
    ['\\bmilk\\b', ['milk']],
    ['(plant|sow)(ed|n)?', ['plant', 'sow']],
    ['TODO|FIXME', ['TODO', 'FIXME']],
    ['tomatoe?s?', ['tomato']],
    ['[Mm]ilk', ['Milk']],
    ['(?i)bread', ['bread']],
    ['bread.{0,20}flour', ['bread', 'flour']],
    ['due: \\d{4}-\\d{2}', ['due']],
    ['file\\.md', ['file.md']],
    ['#travel', ['#travel']],
    ['Graça|東京', ['Graça', '東京']],
    ['\\d+', []],
    ['.*', []],
    ['^#+ .*gift', ['gift']],
    ['^## Plan$', ['Plan']],
    ['^\\s*- \\[ \\] .*call', ['call']],
    ['- \\[ \\]', []],
  ])('%s', (pattern, words) => {
    expect(wordsOfPattern(pattern)).toEqual(words);
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
