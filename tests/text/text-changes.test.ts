import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textChanges, type TextChange } from '#text/text-changes';
import { cases } from '#tests/cases';

function applied(text: string, changes: readonly TextChange[]): string {
  return changes.reduceRight(
    (now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to),
    text,
  );
}

const line = fc.constantFrom('', 'one', 'one two', '- item', '😀', '😁 x', '\r');
const note = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

test('textChanges returns ordered changes that do not overlap and turn one text into the other', () => {
  fc.assert(
    fc.property(note, note, (before, after) => {
      const changes = textChanges(before, after);
      expect(applied(before, changes)).toBe(after);
      changes.forEach(({ from, to, text }, index) => {
        expect(from).toBeGreaterThanOrEqual(changes[index - 1]?.to ?? 0);
        expect(to - from + text.length).toBeGreaterThan(0);
      });
    }),
    cases,
  );
});

test('textChanges does not split a surrogate pair', () => {
  expect(textChanges('a 😀 b', 'a 😁 b')).toEqual([{ from: 2, to: 4, text: '😁' }]);
  expect(textChanges('😀', '🐀')).toEqual([{ from: 0, to: 2, text: '🐀' }]);
});

test('textChanges returns changes that are as narrow as possible', () => {
  expect(textChanges('same\n', 'same\n')).toEqual([]);
  expect(textChanges('buy milk\nkept\nand rye\n', 'buy oat milk\nkept\nand rye bread\n')).toEqual([
    { from: 4, to: 4, text: 'oat ' },
    { from: 21, to: 21, text: ' bread' },
  ]);
  expect(textChanges('one\ntwo\n', 'one\nmore\ntwo\n')).toEqual([
    { from: 4, to: 4, text: 'more\n' },
  ]);
  expect(textChanges('one\ntwo\nthree\n', 'One\nTwo\nthree\n')).toEqual([
    { from: 0, to: 1, text: 'O' },
    { from: 4, to: 5, text: 'T' },
  ]);
});

const word = fc.constantFrom('one', 'two', 'and', '@7;', '[[Note]]', '2026-11-28');
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((found) => found.join(' '));
const paragraphs = fc.array(words, { minLength: 1, maxLength: 4 });
/** At each blank and line end, a text that is added there. */
const additions = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    words.map((text) => ` ${text}`),
    words.map((text) => `\n${text}`),
  ),
  { minLength: 1, maxLength: 30 },
);

test('textChanges takes nothing away from a text to which words and lines are added', () => {
  fc.assert(
    fc.property(paragraphs, additions, (lines, added) => {
      const before = `${lines.join('\n')}\n`;
      let place = 0;
      const after = before.replace(/(?=[ \n])/g, () => added[place++ % added.length] ?? '');
      const changes = textChanges(before, after);
      expect(applied(before, changes)).toBe(after);
      for (const { from, to } of changes) expect(to).toBe(from);
    }),
    cases,
  );
});
