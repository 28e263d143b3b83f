import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '#search/pattern';
import { mayMatch, trigramsOf } from '#search/trigram-filter';
import { cases } from '#tests/cases';

/** Whether the filter lets a search for the pattern skip the text. */
function isSkipped(text: string, written: string, caseSensitive = false): boolean {
  const compiled = compilePattern(written, { caseSensitive });
  if (!compiled.ok) throw new Error(compiled.reason);
  const { trigrams } = compiled.pattern;
  return trigrams !== null && !mayMatch(trigramsOf(text), trigrams);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

describe('the trigram filter', () => {
  it('the trigram filter skips a text without the literal of a pattern', () => {
    const text = 'Sown in March, see the list.';
    for (const written of ['tomato', 'tomato|quince', 'tomato\\d+']) {
      expect(isSkipped(text, written)).toBe(true);
    }
    for (const written of ['MARCH', 'tomato|march', 'zq', '\\d+', 'z|tomato', '(tomato)?']) {
      expect(isSkipped(text, written)).toBe(false);
    }
  });

  it('the trigram filter takes characters for the same that a pattern takes for the same', () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => unit)
      .filter((unit) => unit < 0xd800 || unit > 0xdfff)
      .map((unit) => String.fromCharCode(unit));
    const text = all.join('');
    const skipped: string[] = [];
    for (const character of all) {
      if (character.toLowerCase() === character && character.toUpperCase() === character) continue;
      for (const flags of ['giu', 'gi']) {
        for (const other of text.match(new RegExp(escaped(character), flags)) ?? []) {
          const isFound = other === character || !isSkipped(other.repeat(3), character.repeat(3));
          if (!isFound) skipped.push(`${character}${other}`);
        }
      }
    }
    expect(skipped).toEqual([]);
  });

  it('the trigram filter never skips a text that matches', () => {
    const letters = fc.constantFrom(...'aAbBſsSkK\u212aéÉßẞσςΣ苔😀 \n1-');
    const word = fc.array(letters, { minLength: 1, maxLength: 6 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, fc.boolean(), (words, wanted, by) => {
        const text = [...words, wanted.toUpperCase(), wanted].join('');
        expect(isSkipped(text, escaped(wanted), by)).toBe(false);
      }),
      { numRuns: cases.numRuns * 5 },
    );
  });

  it('the trigram filter is exact enough to skip most texts', () => {
    const words = (seed: number) =>
      Array.from({ length: 800 }, (_, at) => ((seed * 7_919 + at * 104_729) % 46_656).toString(36));
    const texts = Array.from({ length: 50 }, (_, seed) => words(seed + 1).join(' '));
    expect(texts.filter((text) => !isSkipped(text, 'quince tree')).length).toBeLessThan(5);
  });
});
