import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedWords } from '#search/sorted-words';

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', 'λ', '文'),
  minLength: 1,
  maxLength: 9,
});

test('`SortedWords` returns each word, its length and its place', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 300 }), word, (given, other) => {
      const words = given.sort((one, next) => (one < next ? -1 : 1));
      const list = new SortedWords(words);
      expect(list.length).toBe(words.length);
      expect(words.map((_, place) => list.at(place))).toEqual(words);
      expect(words.map((_, place) => list.charsAt(place))).toEqual(
        words.map((each) => each.length),
      );
      expect(words.map((each) => list.placeOf(each))).toEqual([...words.keys()]);
      expect(list.placeOf(other)).toBe(words.filter((each) => each < other).length);
    }),
  );
});
