import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fullRegistry, PRESENTATIONS, settingsWith } from '#tests/builders/registry';
import { jsonSchema } from '#tools/json-schema';
import { toolSchemas } from '#tools/presentation/presentation';

/** Keywords that a schema for the model may use; each is one that the Claude API and MCP clients know. */
const KEYWORDS = [
  ...['type', 'description', 'enum', 'anyOf', 'pattern'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames'],
  ...['items', 'minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
];

function keywordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (keyword === 'properties') {
      return [keyword, ...Object.values(value as object).flatMap(keywordsIn)];
    }
    const parts = Array.isArray(value) ? value : [value];
    return [keyword, ...parts.flatMap(keywordsIn)];
  });
}

describe.each(PRESENTATIONS)('a tool schema presented as %s', (toolPresentation) => {
  test('uses only keywords that every receiver knows', () => {
    const schemas = toolSchemas(
      fullRegistry(),
      settingsWith({
        toolPresentation,
        tools: { execute_command: 'allow', web_search: 'allow', read_webpage: 'allow' },
      }),
    );
    for (const { name, input } of schemas) {
      const others = keywordsIn(input).filter((keyword) => !KEYWORDS.includes(keyword));
      expect([name, others]).toEqual([name, []]);
    }
  });
});

describe('jsonSchema', () => {
  test('describes what the tool is given, with its limits and descriptions', () => {
    const schema = z.strictObject({
      path: z.string().check(z.minLength(1), z.describe('Which note.')),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
      sort: z.optional(z.enum(['name', 'size'])),
    });
    expect(jsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Which note.' },
        limit: { type: 'integer', minimum: 1, maximum: 50 },
        sort: { type: 'string', enum: ['name', 'size'] },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });

  test('repeats a part that is used twice, since a reference costs the model a look-up', () => {
    const text = z.string().check(z.minLength(1));
    const schema = jsonSchema(z.strictObject({ from: text, to: text }));
    expect(schema['properties']).toEqual({
      from: { type: 'string', minLength: 1 },
      to: { type: 'string', minLength: 1 },
    });
  });

  test.each([
    ['a date', z.date()],
    ['an optional date within an object', z.strictObject({ when: z.optional(z.date()) })],
    ['a map', z.map(z.string(), z.string())],
  ])('refuses %s, which JSON has no form of', (_, schema) => {
    expect(() => jsonSchema(schema)).toThrow(/cannot be represented/);
  });

  test('refuses a schema that refers to itself', () => {
    const tree = z.strictObject({
      get parts() {
        return z.array(tree);
      },
    });
    expect(() => jsonSchema(tree)).toThrow(/[Cc]ycle/);
  });
});
