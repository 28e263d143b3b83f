import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '#search/pattern';
import { caseFolds, mayContain, type TrigramFilter, trigramsOf } from '#search/trigram-filter';
import { cases } from '#tests/cases';

function filterOf(text: string): TrigramFilter {
  const steps = trigramsOf(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Whether the filter lets a search for the pattern skip the text. */
function isSkipped(text: string, written: string, caseSensitive = false): boolean {
  const compiled = compilePattern(written, { caseSensitive });
  if (!compiled.ok) throw new Error(compiled.reason);
  const { trigrams } = compiled.pattern;
  return trigrams !== null && !mayContain(filterOf(text), trigrams);
}

describe('the trigram filter', () => {
  it('the trigram filter skips a text without the literal of a pattern', () => {
    const text = 'Sown in March, see the list.';
    expect(isSkipped(text, 'tomato')).toBe(true);
    expect(isSkipped(text, 'tomato|quince')).toBe(true);
    expect(isSkipped(text, 'tomato\\d+')).toBe(true);
    expect(isSkipped(text, 'MARCH')).toBe(false);
    expect(isSkipped(text, 'tomato|march')).toBe(false);
  });

  it('the trigram filter skips nothing for a pattern without a literal of three letters', () => {
    for (const written of ['zq', '\\d+', '[a-z]+', 'z|tomato', '(tomato)?', 'a\\nb']) {
      expect(isSkipped('Sown in March.', written)).toBe(false);
    }
  });

  it('the trigram filter folds characters that a pattern takes for the same', () => {
    const folds = caseFolds();
    const all = Array.from({ length: 0x10000 }, (_, unit) => unit)
      .filter((unit) => unit < 0xd800 || unit > 0xdfff)
      .map((unit) => String.fromCharCode(unit));
    const text = all.join('');
    const different: string[] = [];
    for (const flags of ['giu', 'gi']) {
      for (const character of all) {
        const cased =
          character.toLowerCase() !== character || character.toUpperCase() !== character;
        if (!cased) continue;
        const same = text.match(
          new RegExp(character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'), flags),
        );
        for (const other of same ?? []) {
          if (folds[other.charCodeAt(0)] !== folds[character.charCodeAt(0)]) {
            different.push(`${character}${other}`);
          }
        }
      }
    }
    expect(different).toEqual([]);
  });

  it('the trigram filter never skips a text that matches', () => {
    const letters = fc.constantFrom(...'aAbBſsSkK\u212aéÉßẞσςΣ苔😀 \n1-');
    const word = fc.array(letters, { minLength: 1, maxLength: 6 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, fc.boolean(), (words, wanted, by) => {
        const written = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
        const text = [...words, wanted.toUpperCase(), wanted].join('');
        expect(isSkipped(text, written, by)).toBe(false);
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
