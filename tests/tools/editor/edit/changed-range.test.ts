import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLists } from '#text/list-diff';
import { pairLines } from '#tools/editor/edit/anchors';
import { renderDiff } from '#tools/editor/edit/diff-text';
import { contentsOf, Lines } from '#tools/editor/edit/text-lines';

const texts = fc
  .array(fc.constantFrom('a', 'b', '', 'a\n', 'b\n', '\n', '\r\n', 'a\r\n', 'long '.repeat(900)), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** As `pairLines`, from a diff of all lines. */
function pairsOf(before: Lines, after: Lines): number[] {
  const places = Array.from({ length: before.count + 1 }, () => 0);
  let [old, fresh] = [0, 0];
  const end = { beforeFrom: before.count, beforeTo: 0, afterFrom: after.count, afterTo: 0 };
  for (const hunk of [...diffLists(contentsOf(before), contentsOf(after)), end]) {
    while (old < hunk.beforeFrom) places[(old += 1)] = fresh += 1;
    [old, fresh] = [hunk.beforeTo, hunk.afterTo];
  }
  return places;
}

test('lines are paired as by a diff of all lines', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const [old, fresh] = [new Lines(before), new Lines(after)];
      expect([...pairLines(old, fresh)]).toEqual(pairsOf(old, fresh));
    }),
    { numRuns: Number(process.env['CASES'] ?? 2_000) },
  );
});

test('a line that repeats the last one is added below it', () => {
  expect(renderDiff('b', 'b\nb').text).toBe(' 1  b\n+2  b');
  expect(renderDiff('a\na', 'a').text).toBe(' 1  a\n-   a');
  expect([...pairLines(new Lines('\n\r\n'), new Lines('\r\n'))]).toEqual([0, 1, 0]);
});
