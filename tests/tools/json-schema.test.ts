import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ALL_TOOLS } from '#tools/all-tools';
import { jsonSchema } from '#tools/json-schema';
import { toolSchemas } from '#tools/presentation/present';
import { ToolRegistry } from '#tools/registry';
import { DEFAULT_SETTINGS } from '#model/settings';

describe('what a model is told of an input', () => {
  const registry = new ToolRegistry();
  for (const tool of ALL_TOOLS) registry.register(tool);
  const told = new Map(
    toolSchemas(registry, {
      ...DEFAULT_SETTINGS,
      tools: { execute_command: 'allow', web_search: 'allow', read_webpage: 'allow' },
    }).map(({ name, input }) => [name, input]),
  );

  test.each(ALL_TOOLS.map(({ name, input }) => [name, input] as const))(
    '%s: just what zod says of it',
    (name, input) => {
      const { $schema: _, ...wanted } = z.toJSONSchema(input as z.ZodMiniType, { io: 'input' });
      expect(told.get(name)).toEqual(wanted);
    },
  );

  test.each([
    ['a date', z.date()],
    ['a date within', z.strictObject({ when: z.optional(z.date()) })],
    ['a tuple', z.strictObject({ size: z.tuple([z.string()]) })],
    ['an object that takes more', z.object({ path: z.string() })],
    ['a number above, not from', z.int().check(z.gt(3))],
    ['a number below, not to', z.int().check(z.lt(3))],
  ])('%s is not told wrong: it is refused', (_, schema) => {
    expect(() => jsonSchema(schema)).toThrow(/can't be described/);
  });
});
