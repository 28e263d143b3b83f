import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeTypo, isMisspelling, typosIn } from '#search/tokenizer';
import { cases } from '#tests/cases';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ж', '京'), maxLength: 6 });

/** The number of typos between two words, by trying all of them. */
function distance(from: string, to: string, most: number): number {
  let reached = new Set([from]);
  for (let typos = 0; typos <= most; typos++) {
    if (reached.has(to)) return typos;
    reached = new Set([...reached].flatMap((each) => withTypo(each, [...new Set(from + to)])));
  }
  return most + 1;
}

function withTypo(word: string, letters: readonly string[]): string[] {
  const made: string[] = [word];
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters)
      made.push(before + letter + after, before + letter + after.slice(1));
    made.push(before + after.slice(1));
    if (after.length > 1) made.push(before + after[1] + after[0] + after.slice(2));
  }
  return made;
}

describe('misspelled words', () => {
  it.each([
    ['garden', 'gardne', 1, true],
    ['garden', 'gadren', 1, true],
    ['garden', 'gardens', 1, true],
    ['garden', 'harden', 1, true],
    ['garden', 'warden', 1, true],
    ['garden', 'gardener', 1, false],
    ['receive', 'recieve', 1, true],
    ['calender', 'calendars', 2, true],
    ['calender', 'colander', 2, true],
    ['calender', 'lavendel', 2, false],
  ])('%s and %s differ by %i: %s', (one, other, most, alike) => {
    expect(mayBeTypo(one, other, most)).toBe(alike);
    expect(mayBeTypo(other, one, most)).toBe(alike);
  });

  it('a single typo is found, and never more than allowed', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(mayBeTypo(one, other, 1)).toBe(distance(one, other, 1) <= 1);
        if (mayBeTypo(one, other, 2)) expect(distance(one, other, 2)).toBeLessThanOrEqual(2);
      }),
      cases,
    );
  });

  it('short words and numbers must be exact', () => {
    const words = ['tea', 'milk', 'bread', 'learning', 'gardeners', '2026', 'v1beta'];
    expect(words.map(typosIn)).toEqual([0, 0, 1, 1, 2, 0, 0]);
  });

  it.each([
    ['learning', 'warning', false],
    ['garden', 'warden', false],
    ['garden', 'gardne', true],
    ['learning', 'leaning', true],
    ['milk', 'mild', false],
    ['compositon', 'composition', true],
  ])('%s is a misspelling of %s: %s', (word, name, expected) => {
    expect(isMisspelling(word, name, typosIn(word))).toBe(expected);
  });
});
