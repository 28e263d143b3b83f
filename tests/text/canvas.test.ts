import { expect, test } from 'vitest';
import { addedUncertainParts } from '#policy/uncertain-content';
import { readCanvas } from '#text/canvas';

test.each([
  ['an empty file', '', 0],
  ['a canvas without cards', '{}', 0],
  ['a canvas with a byte order mark', '\uFEFF{"nodes":[{"id":"a"}]}', 1],
  ['a canvas with broken arrows', '{"nodes":[{"id":"a"}, 5, null],"edges":5}', 1],
])('readCanvas reads %s', (_, text, count) => {
  expect(readCanvas(text)?.nodes).toHaveLength(count);
});

test.each(['text', '[]', 'null', '{"nodes":{}}'])('readCanvas refuses %j', (text) => {
  expect(readCanvas(text)).toBeNull();
});

test('active content is found in a canvas with a byte order mark or with broken arrows', () => {
  const node = String.raw`{"type":"text","text":"\u003cimg src=https://a.example/b.png>"}`;
  for (const text of [`\uFEFF{"nodes":[${node}]}`, `{"nodes":[${node}],"edges":5}`]) {
    expect(addedUncertainParts('A.canvas', '', text, () => null)).not.toEqual([]);
  }
});
