import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  replaceSourceMarks,
  sourceKey,
  sourceLinesIn,
  sourceMarksIn,
  withoutHalfMark,
  withoutSourceMarks,
} from '#text/source-marks';
import { cases } from '#tests/cases';

function keysIn(text: string): string[] {
  return sourceLinesIn(text).map(sourceKey);
}

test('marks name a note by its name or path, and one line or several', () => {
  expect(keysIn('Basil is sown [@Herbs:4] and cut [@Garden/Herbs.md:7-9].')).toEqual([
    'Herbs:4-4',
    'Garden/Herbs.md:7-9',
  ]);
  expect(keysIn('One [@Ä b, c (2):1–3][@Herbs: L5 - L6].')).toEqual([
    'Ä b, c (2):1-3',
    'Herbs:5-6',
  ]);
  expect(keysIn('Backward [@Herbs:9-7].')).toEqual(['Herbs:7-9']);
});

test('a mark names several runs of lines, and several notes', () => {
  expect(keysIn('Sown [@Herbs:4, 7-9], cut [@A, b:1; @Soil; sand.md:2,L3].')).toEqual([
    ...['Herbs:4-4', 'Herbs:7-9'],
    ...['A, b:1-1', 'Soil; sand.md:2-2', 'Soil; sand.md:3-3'],
  ]);
  expect(
    replaceSourceMarks('Sown [@Herbs:4, 7].', ({ source, first }) => ` (${source} ${first})`),
  ).toBe('Sown (Herbs 4) (Herbs 7).');
});

test('a rule at the top of an answer hides no marks', () => {
  expect(keysIn('---\nBasil [@Herbs:4].\n---\nDill [@Herbs:5].')).toEqual([
    'Herbs:4-4',
    'Herbs:5-5',
  ]);
});

test('a mark that nothing can be read from is taken out, too', () => {
  const text = 'Sown [@Herbs:4 and below]. Cut [@Herbs:3-].';
  expect(sourceMarksIn(text).map(({ lines }) => lines)).toEqual([[], []]);
  expect(withoutSourceMarks(text)).toBe('Sown. Cut.');
});

test('emphasis around nothing but marks leaves with them', () => {
  expect(withoutSourceMarks('Sown **[@Herbs:4]**. Cut *[@A:1] [@B:2]*, ~~[@A:1]~~')).toBe(
    'Sown. Cut,',
  );
  expect(withoutSourceMarks('**bold**[@A:1]**more** and **in May [@A:1]**')).toBe(
    '**bold****more** and **in May**',
  );
  expect(replaceSourceMarks('Sown **[@Herbs:4]**.', ({ source }) => ` (${source})`)).toBe(
    'Sown (Herbs).',
  );
});

test('a name without lines is a mark where it is known as one, and never a link', () => {
  const isMark = ({ inner }: { inner: string }) => inner === 'Herbs';
  const text = 'Sown [@Herbs], see [@smith2004], [@Herbs](a.md), [@Herbs]: x, [[@Herbs]].';
  expect(withoutSourceMarks(text)).toBe(text);
  expect(withoutSourceMarks(text, isMark)).toBe(text.replace(' [@Herbs],', ','));
});

test('what is no mark stays as it is', () => {
  for (const text of [
    ...['[@Herbs]', '[@Herbs:]', '[@:3]', '[Herbs:3]', '[@Herbs:3', 'a@b.de:3'],
    ...['`[@Herbs:3]`', '```\n[@Herbs:3]\n```', '$$\n[@Herbs:3]\n$$', '[@Herbs\n:3]'],
    ...['\\[@Herbs:3]', 'Sown \\\\\\[@Herbs:3].'],
  ]) {
    expect(sourceMarksIn(text), text).toEqual([]);
    expect(withoutSourceMarks(text)).toBe(text);
  }
});

test('marks leave with the blanks before them', () => {
  expect(withoutSourceMarks('Basil is sown in May [@Herbs:4]. It is cut [@Herbs:7] later.')).toBe(
    'Basil is sown in May. It is cut later.',
  );
  expect(replaceSourceMarks('Sown [@Herbs:4].', ({ source }) => ` (${source})`)).toBe(
    'Sown (Herbs).',
  );
});

const piece = fc.oneof(
  fc.constantFrom('Basil ', 'a\n', '`', '```\n', '$$\n', '[', ']', '[@', ' ', '%%', '- '),
  fc.constantFrom('[@Herbs:4]', ' [@Garden/Herbs.md:7-9]', '[@A:1][@B:2]', '[@A:1, 2; @B:x]'),
);

test('a growing text shows no part of a mark, and takes back nothing that it has shown', () => {
  const plain = piece.filter((text) => !/[`$%]/.test(text));
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const whole = withoutSourceMarks(text);
      for (let end = 0; end <= text.length; end += 1) {
        const shown = withoutSourceMarks(withoutHalfMark(text.slice(0, end)));
        expect(whole.startsWith(shown.trimEnd())).toBe(true);
      }
    }),
    cases,
  );
});

test('only marks are taken out of a text', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const marks = sourceMarksIn(text);
      for (const { from, to } of marks) expect(text.slice(from, to)).toMatch(/^\[@.*\]$/);
      const others = marks.reduceRight(
        (left, { from, to }) => left.slice(0, from) + left.slice(to),
        text,
      );
      const letters = (each: string) => each.replace(/\s/g, '');
      expect(letters(withoutSourceMarks(text))).toBe(letters(others));
    }),
    cases,
  );
});
