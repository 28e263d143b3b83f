import { describe, expect, it, test } from 'vitest';
import { shortenToolPage, sizeOf } from '#mcp/client/tool-list';

const tool = (name: unknown, inputSchema: unknown = { type: 'object' }) => ({ name, inputSchema });
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));

/** An object as a server sends it, which counts how often one of its properties is read. */
function counted(names: readonly string[]) {
  let looks = 0;
  const each = new Proxy(Object.fromEntries(names.map((name) => [name, {}])), {
    getOwnPropertyDescriptor(target, name) {
      looks += 1;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  return { each, looks: () => looks };
}

test('a page of the tool list is cut to 128 tools with schemas of a limited size', () => {
  const vast = { type: 'object', properties: { a: { enum: many(10_000) } } };
  const page = { tools: [tool('vast', vast), 'no tool', ...many(150)] };
  expect(shortenToolPage(page)).toBe(24);
  expect(page.tools).toHaveLength(128);
  expect(page.tools.slice(0, 3)).toEqual([tool('vast'), 'no tool', tool('tool_0')]);
});

describe('sizeOf', () => {
  it('sizeOf is about the length of the JSON', () => {
    const said = { type: 'object', properties: { a: { enum: ['x', 'y', 3, null] } }, b: [[], {}] };
    const { length } = JSON.stringify(said);
    expect(sizeOf(said, 1_000)).toBeGreaterThan(length / 2);
    expect(sizeOf(said, 1_000)).toBeLessThan(length * 2);
  });

  it('sizeOf stops reading soon after the limit', () => {
    const { each, looks } = counted(Array.from({ length: 5_000 }, (_, at) => `field_${at}`));
    expect(sizeOf({ a: each }, 1_000)).toBeGreaterThan(1_000);
    expect(looks()).toBeLessThan(200);
    expect(
      sizeOf(
        Array.from({ length: 5_000 }, () => each),
        1_000,
      ),
    ).toBeGreaterThan(1_000);
    expect(looks()).toBeLessThan(400);
  });

  it('sizeOf measures deeply nested values without overflowing the stack', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(sizeOf(deep, 1_000_000)).toBeGreaterThan(99_999);
  });
});
