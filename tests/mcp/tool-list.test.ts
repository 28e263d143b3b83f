import { expect, test } from 'vitest';
import { shortenToolPage } from '#mcp/client/tool-list';

const tool = (name: unknown, inputSchema: unknown = { type: 'object' }) => ({ name, inputSchema });
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));

test('a page of the tool list is cut to 128 tools with schemas of a limited size', () => {
  const vast = { type: 'object', properties: { a: { enum: many(10_000) } } };
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const page = { tools: [tool('vast', vast), tool('deep', deep), 'no tool', ...many(149)] };
  expect(shortenToolPage(page)).toBe(24);
  expect(page.tools).toHaveLength(128);
  expect(page.tools.slice(0, 3)).toEqual([tool('vast'), tool('deep'), 'no tool']);
});
