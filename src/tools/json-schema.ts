import * as z from 'zod/mini';
import type { AnyTool } from './tool';

type Json = Record<string, unknown>;

const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * A tool's input as the model's API wants it described. Knows the kinds of input that tools have; zod's own description
 * knows all there are, which is half of zod.
 *
 * @throws at a kind it does not know: our own mistake
 */
export function jsonSchema(schema: z.core.$ZodType): Json {
  const known = schema as z.core.$ZodTypes;
  const description = z.globalRegistry.get(schema)?.description;
  return { ...described(known), ...(description === undefined ? {} : { description }) };
}

/** What a tool takes, whoever describes it. */
export function inputSchema({ input, described }: Pick<AnyTool, 'input' | 'described'>): Json {
  return described?.schema ?? jsonSchema(input);
}

/** What each field of an object is, by name. */
export function fieldsOf(schema: z.core.$ZodType): Record<string, Json> {
  return (jsonSchema(schema)['properties'] ?? {}) as Record<string, Json>;
}

function described(schema: z.core.$ZodTypes): Json {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return { type: 'string', ...bounds(schema, 'Length') };
    case 'boolean':
    case 'null':
      return { type: def.type };
    case 'number':
      if (!('format' in def)) return { type: 'number' };
      return { type: 'integer', minimum: -SAFE, maximum: SAFE, ...bounds(schema, 'imum') };
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries) };
    case 'array':
      return { type: 'array', items: jsonSchema(def.element), ...bounds(schema, 'Items') };
    case 'optional':
      return jsonSchema(def.innerType);
    case 'union': {
      const options = def.options.map((each) => jsonSchema(each));
      const areBare = options.every((each) => Object.keys(each).join() === 'type');
      return areBare ? { type: options.map(({ type }) => type) } : { anyOf: options };
    }
    case 'record':
      return {
        type: 'object',
        propertyNames: jsonSchema(def.keyType),
        additionalProperties: jsonSchema(def.valueType),
      };
    case 'object': {
      if (def.catchall?._zod.def.type !== 'never') return unknown('object that takes more');
      const fields = Object.entries(def.shape);
      const required = fields.filter(([, each]) => each._zod.optin !== 'optional');
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([name, each]) => [name, jsonSchema(each)])),
        ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
        additionalProperties: false,
      };
    }
    default:
      return unknown(def.type);
  }
}

/** How long or how large it may be; whatever else is checked is told when it is not met. */
function bounds(schema: z.core.$ZodType, what: 'Length' | 'Items' | 'imum'): Json {
  const found = (schema._zod.def.checks ?? []).map((each) => {
    const { def } = (each as z.core.$ZodChecks)._zod;
    switch (def.check) {
      case 'min_length':
        return { [`min${what}`]: def.minimum };
      case 'max_length':
        return { [`max${what}`]: def.maximum };
      case 'greater_than':
        return def.inclusive ? { [`min${what}`]: def.value } : unknown('number above');
      case 'less_than':
        return def.inclusive ? { [`max${what}`]: def.value } : unknown('number below');
      case 'string_format': {
        const { pattern } = def;
        return pattern ? { pattern: pattern.source } : unknown('format of text');
      }
      default:
        return {};
    }
  });
  return Object.assign({}, ...found) as Json;
}

function unknown(kind: string): never {
  throw new Error(`An input of the kind "${kind}" can't be described.`);
}
