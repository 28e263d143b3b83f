import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headingsIn, lineContexts } from '#text/note-structure';
import { noteLines } from '#search/chunks';
import { noteOfBlocks } from '../builders/note-of-blocks';
import { cases } from '../cases';

test('headings are the same whether blocks are read before or only where needed', () => {
  const note = noteOfBlocks(['# h', 'x', '---', '===', '%%', '$$']);
  fc.assert(
    fc.property(note, (lines) => {
      expect(headingsIn(lines)).toEqual(headingsIn(lines, lineContexts(lines)));
    }),
    { numRuns: cases.numRuns * 10 },
  );
});

test.each([
  ['a heading below its underline', 'One\n===\nTwo\n---', [1, 3]],
  ['a heading with an underline of its own', '# One\n---\nTwo\n---', [1, 3]],
  ['no heading in front matter', '---\n# a: 1\n---\n# One', [4]],
  ['no heading in code', '```\n# a\nb\n===\n```\n# One', [6]],
  ['no heading in a comment that a heading begins', '# One %%\n# a\n%%\n# Two', [1, 4]],
  ['no heading in math', '$$\n# a\n$$\n# One', [4]],
  ['no heading in a list or a quote', '- a\n---\n> b\n---\n- # c', []],
  ['no heading in an indented line', '\ta\n   ---', []],
])('headingsIn finds %s', (_, text, lines) => {
  expect(headingsIn(text.split('\n')).map(({ line }) => line)).toEqual(lines);
});

test.each([
  ['an underlined heading', 'One\n===\ntext', ['heading', 'body', 'body']],
  ['math and comments', '$$\n# a\n$$\n%%\n# b\n%%', Array(6).fill('body')],
  ['a fence that a longer one closes', '```\n````\n# One', ['body', 'body', 'heading']],
  ['a fence that ends with its quote', '> ```\n# One', ['body', 'heading']],
])('search reads %s as CommonMark does', (_, text, fields) => {
  expect([...noteLines(text)].map(({ field }) => field)).toEqual(fields);
});
