/** What of an input is not as a plain schema has it, so that a model hears of it at once; the rest the server checks. */
import { isRecord } from '#model/untrusted-text';

type Json = Readonly<Record<string, unknown>>;

export function inputFaults(schema: Json, input: unknown): readonly string[] {
  return faultsAt(schema, input, '').slice(0, 5);
}

function faultsAt(schema: Json, value: unknown, path: string): string[] {
  const { type, enum: choices, properties, required, additionalProperties, items } = schema;
  const where = path === '' ? '' : `${path}: `;
  const types = type === undefined ? [] : ([type].flat() as string[]);
  if (types.length > 0 && !types.some((each) => isOf(each, value))) {
    return [`${where}Expected ${types.join(' or ')}, received ${nameOf(value)}`];
  }
  if (Array.isArray(choices) && isScalar(value) && !choices.includes(value)) {
    return [`${where}Expected one of ${choices.map((each) => JSON.stringify(each)).join(', ')}`];
  }
  if (Array.isArray(value)) {
    if (typeof items !== 'object' || items === null) return [];
    return value.flatMap((each, index) => faultsAt(items as Json, each, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const fields = isRecord(properties) ? properties : {};
  const missing = (Array.isArray(required) ? (required as string[]) : []).filter(
    (name) => value[name] === undefined,
  );
  return [
    ...missing.map((name) => `${where}"${name}" is missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const inside = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(fields, name)) return faultsAt(fields[name] as Json, each, inside);
      return additionalProperties === false ? [`${where}unknown field "${name}"`] : [];
    }),
  ];
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    default:
      return nameOf(value) === type;
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The least that the schema takes, as an example. */
export function leastInput(schema: Json): Json {
  const fields = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  return Object.fromEntries(required.map((name) => [name, exampleOf(fields[name] as Json)]));
}

function exampleOf({ type, enum: choices, const: only, minimum }: Json): unknown {
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0] as unknown;
  switch ([type].flat()[0]) {
    case 'number':
    case 'integer':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
      return null;
    default:
      return 'some words';
  }
}
