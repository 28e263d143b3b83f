import { expect, test } from 'vitest';
import { MAX_TOOLS, shortenToolPage } from '#mcp/client/tool-list';
import { contentText } from '#mcp/client/tool-result';

const tool = (name: unknown, inputSchema: unknown = { type: 'object' }) => ({ name, inputSchema });
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));

test('a page of the tool list is cut to 128 tools with schemas of a limited size', () => {
  const vast = { type: 'object', properties: { a: { enum: many(10_000) } } };
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const page = { tools: [tool('vast', vast), tool('deep', deep), 'no tool', ...many(149)] };
  expect(shortenToolPage(page, MAX_TOOLS)).toEqual({ taken: MAX_TOOLS, left: 24 });
  expect(page.tools).toHaveLength(128);
  expect(page.tools.slice(0, 3)).toEqual([tool('vast'), tool('deep'), 'no tool']);
});

test('a list of tools in many pages ends with the page that fills the room', () => {
  const page = () => ({ tools: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], nextCursor: 'more' });
  const [first, second] = [page(), page()];
  expect(shortenToolPage(first, 5)).toEqual({ taken: 3, left: 0 });
  expect(first.nextCursor).toBe('more');
  expect(shortenToolPage(second, 2)).toEqual({ taken: 2, left: 1 });
  expect(second).toEqual({ tools: [{ name: 'a' }, { name: 'b' }] });
});

test.each([
  ['Two trees.', { trees: 2 }, 'Two trees.\n\n{"trees":2}'],
  ['{\n  "trees": 2\n}', { trees: 2 }, '{\n  "trees": 2\n}'],
  ['', { trees: 2 }, '{"trees":2}'],
  ['Two trees.', undefined, 'Two trees.'],
  ['Oak\nElm', { content: 'Oak\nElm\n' }, 'Oak\nElm'],
])('the text %j with the structured content %j is read as %j', (text, structured, read) => {
  expect(contentText([{ type: 'text', text }], structured)).toBe(read);
});
