/** Converts the zod schemas of tools to JSON Schema. */
import * as z from 'zod/mini';
import type { AnyTool } from './tool';

export type SchemaObject = Readonly<Record<string, unknown>>;

/** Cached, because a conversion takes about 0.2 ms and each turn needs the schemas of all tools. */
const made = new WeakMap<z.core.$ZodType, SchemaObject>();

/** @throws for a type that JSON Schema cannot express, or a recursive schema: a bug in a tool */
export function jsonSchema(schema: z.core.$ZodType): SchemaObject {
  const known = made.get(schema);
  if (known) return known;
  // The Claude API and MCP both assume this draft, so the schema need not name it.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
    cycles: 'throw',
  });
  made.set(schema, json);
  return json;
}

/** What a schema says that helps no model to write an input; Parley checks all of it anyway. */
const CHECKED_ONLY: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'minItems',
  'maxItems',
  'propertyNames',
  'additionalProperties',
]);

/** The schema without what only the check of an input needs, because each request carries it. */
export function briefSchema(schema: SchemaObject): SchemaObject {
  return withoutChecks(schema) as SchemaObject;
}

function withoutChecks(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutChecks);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => {
    return !CHECKED_ONLY.has(name) && !(name === 'maximum' && value === Number.MAX_SAFE_INTEGER);
  });
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      // A field of the input may have the name of a keyword.
      name === 'properties' ? mapValues(value as SchemaObject) : withoutChecks(value),
    ]),
  );
}

function mapValues(fields: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withoutChecks(field)]),
  );
}

/** Returns the tool's own schema, or the one that an MCP server sent for it. */
export function inputSchema({
  input,
  externalInput,
}: Pick<AnyTool, 'input' | 'externalInput'>): SchemaObject {
  return externalInput?.schema ?? jsonSchema(input);
}

export function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, SchemaObject>> {
  return (jsonSchema(schema)['properties'] ?? {}) as Readonly<Record<string, SchemaObject>>;
}
