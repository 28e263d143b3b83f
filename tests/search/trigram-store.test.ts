import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compilePattern } from '#search/pattern';
import { mayMatch, type TrigramQuery, trigramsOf } from '#search/trigram-filter';
import { type StoredFilter, TrigramStore } from '#search/trigram-store';
import { cases } from '#tests/cases';

function queryOf(written: string): TrigramQuery {
  const compiled = compilePattern(written, { caseSensitive: false });
  if (!compiled.ok || !compiled.pattern.trigrams) throw new Error(written);
  return compiled.pattern.trigrams;
}

it('a stored filter answers as it did alone, whatever is stored and removed beside it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 6 });
  const text = fc.array(word, { maxLength: 400 }).map((words) => words.join(' '));
  const step = fc.record({ text, removed: fc.option(fc.nat(20)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(word), (steps, words) => {
      const store = new TrigramStore();
      const stored: { filter: Uint32Array; id: StoredFilter }[] = [];
      for (const { text, removed } of steps) {
        const filter = trigramsOf(text);
        stored.push({ filter, id: store.put(filter) });
        if (removed === null) continue;
        for (const { id } of stored.splice(removed, 1)) store.remove(id);
      }
      for (const query of words.map(queryOf)) {
        for (const { filter, id } of stored) {
          expect(store.mayMatch(id, query)).toBe(mayMatch(filter, query));
        }
      }
    }),
    cases,
  );
});
