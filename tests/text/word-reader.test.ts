import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tokensOf } from '#text/authored-text';
import { changeKind } from '#text/change-kind';
import { splitWords, wordPattern } from '#text/word-reader';
import { cases } from '#tests/cases';

it.each([
  ['Straße 12, naïve', ['Straße', '12', 'naïve']],
  ['GPT模型。', ['GPT', '模', '型']],
  ['ภาษาไทย ok', ['ภ', 'า', 'ษ', 'า', 'ไ', 'ท', 'ย', 'ok']],
  ['ພາສາ', ['ພ', 'າ', 'ສ', 'າ']],
  ['snake_case', ['snake', 'case']],
])('the words of %s are %j', (text, words) => {
  expect(text.match(wordPattern())).toEqual(words);
});

it('a script without spaces is separated from the letters before it', () => {
  expect(tokensOf('a_b模型 \n')).toEqual(['a_b', '模', '型', ' ', '\n']);
  expect(changeKind('ພາສາ', 'ພາຂສາ', () => null)).toBe('add');
});

it('tokens join to the text, however long its words are', () => {
  const text = `${'a'.repeat(100_000)}é${'b_'.repeat(50_000)}模`;
  expect(tokensOf(text).join('')).toBe(text);
});

it('the words of a text are those that Intl.Segmenter finds, also where all of it is ASCII', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const signs = fc.constantFrom(...'aB9_.:\',;"-/#@ \t\n\v\r\0~é模จ京–’', '👩‍🚀', 'e\u0301');
  const text = fc.oneof(fc.array(signs), fc.array(signs.filter((sign) => sign < '\x7F')));
  fc.assert(
    fc.property(text, (all) => {
      const whole = all.join('');
      const found = Array.from(segmenter.segment(whole), ({ segment }) => segment);
      expect(splitWords(whole)).toEqual(found);
    }),
    cases,
  );
});
