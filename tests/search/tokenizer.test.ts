import { describe, expect, it } from 'vitest';
import { wordsOf } from '#search/tokenizer';

describe('the tokenizer', () => {
  it.each([
    ['Stop: 3.5 kg!', ['stop', '3', '5', 'kg']],
    ['Crème BRÛLÉE, Straße', ['creme', 'brulee', 'strasse']],
    ['Cre\u0300me', ['creme']],
    ['ﬁne Ｗｉｄｅ', ['fine', 'wide']],
    ['Søren, Łódź, Œuvre', ['soren', 'lodz', 'oeuvre']],
    ['Ёлка и йод', ['елка', 'и', 'иод']],
    ['שָׁלוֹם עולם', ['שלום', 'עולם']],
    ['السُّوقِ أحمد', ['السوق', 'احمد']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['한국어 메모', ['한국어', '메모']],
    ['𐐷𐐲 𝟚', ['𐐷𐐲', '2']],
  ])('the tokenizer splits %j at everything that is not a letter', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
    expect(wordsOf(text, true)).toEqual(words);
  });

  it.each([
    ['京都の苔', ['京都', '都の', 'の苔', '苔'], ['京都', '都の', 'の苔']],
    ['苔', ['苔'], ['苔']],
    ['コーヒー2杯', ['コー', 'ーヒ', 'ヒー', 'ー', '2', '杯'], ['コー', 'ーヒ', 'ヒー', '2', '杯']],
    ['ไปตลาด', ['ไป', 'ปต', 'ตล', 'ลา', 'าด', 'ด'], ['ไป', 'ปต', 'ตล', 'ลา', 'าด']],
    ['𠮷野家', ['𠮷野', '野家', '家'], ['𠮷野', '野家']],
  ])(
    'the tokenizer makes pairs of characters in scripts without spaces: %j',
    (text, words, asked) => {
      expect(wordsOf(text)).toEqual(words);
      expect(wordsOf(text, true)).toEqual(asked);
    },
  );

  it.each([
    ["today's tasks", ['today', 's', 'tasks'], ['today', 'tasks']],
    ['today’s tasks', ['today', 's', 'tasks'], ['today', 'tasks']],
    ["Don't stop", ['don', 't', 'stop'], ['don', 'stop']],
    ["we'll, I'm, he'd", ['we', 'll', 'i', 'm', 'he', 'd'], ['we', 'i', 'he']],
    ["l'eau qu'elle", ['l', 'eau', 'qu', 'elle'], ['eau', 'elle']],
    ["Café's menu", ['cafe', 's', 'menu'], ['cafe', 'menu']],
    ["Ankara'da s 's", ['ankara', 'da', 's', 's'], ['ankara', 'da', 's', 's']],
  ])('the tokenizer leaves out parts after an apostrophe in a query: %j', (text, words, asked) => {
    expect(wordsOf(text)).toEqual(words);
    expect(wordsOf(text, true)).toEqual(asked);
  });

  it('the tokenizer limits the length of a word', () => {
    expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
  });
});
