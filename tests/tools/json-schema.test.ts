import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fullRegistry, PRESENTATIONS, settingsWith } from '#tests/builders/registry';
import { briefSchema, jsonSchema } from '#tools/json-schema';
import { toolSchemas } from '#tools/presentation/presentation';

/**
 * Keywords that the Claude API and MCP clients know, and that schemas for the model may therefore
 * use.
 */
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

describe.each(PRESENTATIONS)('Tool schemas presented as %s', (toolPresentation) => {
  test('tool schemas use only keywords that the Claude API and MCP clients know', () => {
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
  test('jsonSchema keeps types, limits, descriptions and required fields', () => {
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

  test('briefSchema leaves out what only the check needs, and keeps fields with the names of keywords', () => {
    const schema = z.strictObject({
      minLength: z.string().check(z.minLength(1)),
      properties: z.array(z.strictObject({ limit: z.int().check(z.minimum(1), z.maximum(9)) })),
    });
    expect(briefSchema(jsonSchema(schema))).toEqual({
      type: 'object',
      properties: {
        minLength: { type: 'string' },
        properties: {
          type: 'array',
          items: {
            type: 'object',
            properties: { limit: { type: 'integer', maximum: 9 } },
            required: ['limit'],
          },
        },
      },
      required: ['minLength', 'properties'],
    });
  });

  test('jsonSchema repeats a schema that is used twice instead of referring to it', () => {
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
  ])('jsonSchema refuses %s, which JSON cannot express', (_, schema) => {
    expect(() => jsonSchema(schema)).toThrow(/cannot be represented/);
  });

  test('jsonSchema refuses a recursive schema', () => {
    const tree = z.strictObject({
      get parts() {
        return z.array(tree);
      },
    });
    expect(() => jsonSchema(tree)).toThrow(/[Cc]ycle/);
  });
});
