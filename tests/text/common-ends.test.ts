import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonEnd, commonStart } from '#text/list-diff';

/** Long enough to be compared in pieces, with a difference anywhere. */
const pairs = fc
  .record({
    start: fc.integer({ min: 0, max: 20_000 }),
    before: fc.string({ maxLength: 3 }),
    after: fc.string({ maxLength: 3 }),
    end: fc.integer({ min: 0, max: 20_000 }),
  })
  .map(({ start, before, after, end }) => {
    const text = 'a'.repeat(40_000);
    const [head, tail] = [text.slice(0, start), text.slice(0, end)];
    return [head + before + tail, head + after + tail] as const;
  });

test('the common start and end are as long as character by character', () => {
  fc.assert(
    fc.property(pairs, fc.double({ min: 0, max: 1, noNaN: true }), ([before, after], share) => {
      const start = commonStart(before, after);
      expect(after.slice(0, start)).toBe(before.slice(0, start));
      expect(before[start] === after[start] && before !== after).toBe(false);
      const from = Math.round(share * Math.min(before.length, after.length));
      const [old, fresh] = [before.slice(from), after.slice(from)];
      const shorter = Math.min(old.length, fresh.length);
      let end = 0;
      while (end < shorter && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
      expect(commonEnd(before, after, from)).toBe(end);
    }),
    { numRuns: 200 },
  );
});
