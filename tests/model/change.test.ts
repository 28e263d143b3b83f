import { expect, test } from 'vitest';
import { lineCounts } from '#model/change';

test.each([
  ['a line that moves', 'a\nb\nc\n', 'b\nc\na\n', 1, 1],
  ['two lines that swap', 'a\nb\n', 'b\na\n', 1, 1],
  ['a line that is written again', 'a\nb\n', 'a\nb\na\n', 1, 0],
  ['other line breaks', 'a\nb\n', 'a\r\nb\r\n', 0, 0],
])('The counts of a change include %s', (_, before, after, added, removed) => {
  expect(lineCounts({ kind: 'write', path: 'A.md', before, after })).toEqual({ added, removed });
});

test('The counts of a change include every line of a long note that is turned around', () => {
  const lines = (first: number) => Array.from({ length: 60_000 }, (_, at) => `${first + at}\n`);
  const [before, after] = [lines(0).join(''), lines(0).toReversed().join('')];
  const { added, removed } = lineCounts({ kind: 'write', path: 'A.md', before, after });
  expect(added).toBe(removed);
  expect(added).toBeGreaterThan(59_000);
});
