import { describe, expect, it } from 'vitest';
import { sizeOf, ToolList } from '#mcp/client/tool-list';

const tool = (name: unknown, inputSchema: unknown = { type: 'object' }) => ({ name, inputSchema });
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));

interface Page {
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
  readonly nextCursor?: string;
}

/** Shortens the pages of one list and returns them with the number of tools left out. */
function taken(...pages: { tools: unknown; nextCursor?: string }[]) {
  const list = new ToolList();
  for (const page of pages) list.shorten(page);
  return { pages: pages as unknown as readonly Page[], left: list.left };
}

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

describe('The tool list of an MCP server', () => {
  it('the list takes 128 tools, and then asks for no more pages', () => {
    const page = () => ({ tools: many(100), nextCursor: 'more' });
    const { pages, left } = taken(page(), page());
    expect(pages.map(({ tools }) => tools.length)).toEqual([100, 28]);
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['more', undefined]);
    expect(left).toBe(73);
  });

  it('the list leaves out tools with an empty or overlong name', () => {
    const names = ['a', '', 'a'.repeat(128), 'a'.repeat(129)];
    const { pages, left } = taken({ tools: names.map((name) => tool(name)) });
    expect(pages[0]!.tools.map(({ name }) => name)).toEqual(['a', 'a'.repeat(128)]);
    expect(left).toBe(2);
  });

  it('the list passes invalid tools on, so that the SDK refuses them', () => {
    expect(taken({ tools: [7, tool(7)] })).toMatchObject({
      ...{ pages: [{ tools: [7, { name: 7 }] }], left: 0 },
    });
  });

  it('the list stops after 10 MB, and replaces a schema above 200 KB by one that accepts anything', () => {
    const wide = { type: 'object', description: 'a'.repeat(4_000_000) };
    const { pages, left } = taken(
      { tools: [tool('a', wide), tool('b')], nextCursor: 'more' },
      { tools: [tool('c', wide), tool('d', wide), ...many(5)], nextCursor: 'more' },
    );
    expect(pages.map(({ tools }) => tools)).toEqual([[tool('a'), tool('b')], [tool('c')]]);
    expect(pages[1]!.nextCursor).toBeUndefined();
    expect(left).toBe(7);
  });
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
