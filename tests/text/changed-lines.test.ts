/** The lines in which two texts differ, found without splitting them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedLines, linesOf } from '#text/list-diff';
import { cases } from '#tests/cases';

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', '\n', 'a', 'ab\r\n', '\r\n', '\u{1F600}\n', 'b'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

describe('the changed lines of a text', () => {
  test('begin and end with whole lines, and the rest is the same', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { from, beforeTo, afterTo } = changedLines(before, after);
        expect(after.slice(0, from)).toBe(before.slice(0, from));
        expect(after.slice(afterTo)).toBe(before.slice(beforeTo));
        for (const [each, to] of [
          [before, beforeTo],
          [after, afterTo],
        ] as const) {
          expect(from).toBeLessThanOrEqual(to);
          const parts = [each.slice(0, from), each.slice(from, to), each.slice(to)];
          if (before !== after) expect(parts.flatMap(linesOf)).toEqual(linesOf(each));
        }
      }),
      { numRuns: cases.numRuns * 10 },
    );
  });
});
