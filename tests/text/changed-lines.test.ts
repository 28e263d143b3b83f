/** The lines in which two texts differ, found without splitting them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedLines, diffLists, linesOf } from '#text/list-diff';
import { changesBetween } from '#model/proposal/spans';
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

  test('give the same changes as a comparison of all lines', () => {
    fc.assert(
      fc.property(text, text, text, text, (head, before, after, tail) => {
        const [old, fresh] = [`${head}${before}${tail}`, `${head}${after}${tail}`];
        const [oldLines, freshLines] = [linesOf(old), linesOf(fresh)];
        const offset = (line: number) => oldLines.slice(0, line).join('').length;
        const expected = diffLists(oldLines, freshLines).map((hunk) => ({
          from: offset(hunk.beforeFrom),
          to: offset(hunk.beforeTo),
          text: freshLines.slice(hunk.afterFrom, hunk.afterTo).join(''),
        }));
        expect(changesBetween(old, fresh)).toEqual(expected);
      }),
      { numRuns: cases.numRuns * 10 },
    );
  });
});
