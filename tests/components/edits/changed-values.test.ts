import { expect, test } from 'vitest';
import { areShortened, shortValues } from '#components/edits/change/changed-values.ts';

test('long values are cut around their first difference', () => {
  const start = 'word '.repeat(60);
  const [value] = shortValues([{ name: 'a', before: `${start}old`, after: `${start}new` }]);
  expect(value?.before).toMatch(/^…[word ]{20}old$/);
  expect(value?.after).toMatch(/^…[word ]{20}new$/);
});

test('a long value that is added is cut at its end', () => {
  const value = { name: 'a', before: null, after: 'x'.repeat(300) };
  expect(shortValues([value])[0]?.after).toMatch(/^x{100}…$/);
  expect(areShortened([value])).toBe(true);
});

test('short values are not cut', () => {
  const values = [{ name: 'a', before: 'x'.repeat(100), after: null }];
  expect(shortValues(values)).toEqual(values);
  expect(areShortened(values)).toBe(false);
});
