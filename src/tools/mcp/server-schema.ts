/**
 * Converts the input schema of an MCP server's tool to one that the model's API accepts: an object
 * at the top, known keywords with values of the right type, and bounded in size. The server still
 * validates what is dropped here.
 */
import { isRecord } from '#text/untrusted-text';
import { clip } from '#text/shorten';

type Json = Readonly<Record<string, unknown>>;

const MAX_SCHEMA_CHARS = 6_000;
const MAX_TEXT_CHARS = 500;
const MAX_DEPTH = 6;
const MAX_FIELDS = 60;
/** Property names examined per object, whether valid or not. */
const MAX_NAMES = 1_000;
const MAX_CHOICES = 100;
const MAX_LISTED = 500;
const MAX_REFERENCE_CHARS = 500;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'];
/** Property names that the model's API accepts. */
const FIELD_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** @returns null if the tool cannot be called, because a required property has an invalid name */
export function plainSchema(offered: unknown): Json | null {
  const schema = new PlainSchema(offered);
  for (const [deepest, words] of [
    [MAX_DEPTH, true],
    [MAX_DEPTH, false],
    [2, false],
  ] as const) {
    const made = schema.top(deepest, words);
    if (made === null || JSON.stringify(made).length <= MAX_SCHEMA_CHARS) return made;
  }
  return { type: 'object' };
}

type Field = readonly [name: string, said: unknown];

class PlainSchema {
  readonly #root: unknown;
  /**
   * Usable properties per object, cached because references may lead to the same object many times.
   */
  readonly #fields = new Map<Json, readonly Field[]>();
  readonly #meant = new Map<string, unknown>();
  #deepest = 0;
  #words = false;
  /** Remaining size in characters. References may expand to far more than the server sent. */
  #room = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  top(deepest: number, words: boolean): Json | null {
    this.#deepest = deepest;
    this.#words = words;
    this.#room = MAX_SCHEMA_CHARS;
    // The API accepts no `allOf`, `anyOf` or `oneOf` at the top, so the properties of all branches
    // are merged.
    const root = asJson(this.#resolved(this.#root));
    const [all = [], ...some] = ['allOf', 'anyOf', 'oneOf'].map((word) =>
      choicesIn(root[word]).map((each) => asJson(this.#resolved(each))),
    );
    const required = [root, ...all].flatMap(({ required }) => list(required)).slice(0, MAX_LISTED);
    const declared = [root, ...all, ...some.flat()].map((each) => asJson(each['properties']));
    const fields = new Map(declared.toReversed().flatMap((each) => this.#fieldsOf(each)));
    const isClosed = root['additionalProperties'] === false;
    const made = this.#object([...fields].slice(0, MAX_FIELDS), required, 0);
    const named = Object.keys(asJson(made['properties']));
    const lacking = required.filter((each) => typeof each === 'string' && !named.includes(each));
    if (lacking.some((name) => declared.some((each) => Object.hasOwn(each, name as string)))) {
      return null;
    }
    return { type: 'object', ...made, ...(isClosed ? { additionalProperties: false } : {}) };
  }

  #schema(schema: unknown, depth: number): Json {
    // At least the braces and a comma.
    this.#room -= 3;
    if (depth > this.#deepest || this.#room < 0) return {};
    const from = asJson(this.#resolved(schema));
    const made: Record<string, unknown> = {};
    const types = this.#list(from['type']).filter((each) => TYPES.includes(each as string));
    if (types.length > 0) made['type'] = types.length === 1 ? types[0] : [...new Set(types)];
    if (this.#words && typeof from['description'] === 'string') {
      const words = clip(from['description'], MAX_TEXT_CHARS, ' …');
      made['description'] = words;
      this.#room -= words.length;
    }
    const choices = this.#list(from['enum']).filter(isPlain).slice(0, MAX_CHOICES);
    if (choices.length > 0) {
      made['enum'] = [...new Set(choices)];
      this.#room -= String(made['enum']).length;
    }
    if (isPlain(from['const'])) made['const'] = from['const'];
    for (const word of NUMBERS) if (Number.isFinite(from[word])) made[word] = from[word];
    for (const word of COUNTS) {
      if (Number.isInteger(from[word]) && (from[word] as number) >= 0) made[word] = from[word];
    }
    if (isRecord(from['items'])) made['items'] = this.#schema(from['items'], depth + 1);
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const each = choicesIn(from[word]);
      if (each.length > 0) made[word] = each.map((one) => this.#schema(one, depth + 1));
    }
    if (isRecord(from['properties'])) {
      const fields = this.#fieldsOf(from['properties']);
      Object.assign(made, this.#object(fields, this.#list(from['required']), depth));
    }
    const { additionalProperties: more } = from;
    if (typeof more === 'boolean') made['additionalProperties'] = more;
    else if (isRecord(more)) made['additionalProperties'] = this.#schema(more, depth + 1);
    return made;
  }

  #object(properties: readonly Field[], required: readonly unknown[], depth: number): Json {
    const fields = properties.map(([name, each]) => {
      this.#room -= name.length;
      return [name, this.#schema(each, depth + 1)] as const;
    });
    const wants = new Set(required);
    const wanted = fields.map(([name]) => name).filter((name) => wants.has(name));
    return {
      properties: Object.fromEntries(fields),
      ...(wanted.length > 0 ? { required: wanted } : {}),
    };
  }

  #fieldsOf(properties: Json): readonly Field[] {
    const known = this.#fields.get(properties);
    if (known) return known;
    const taken: Field[] = [];
    let looked = 0;
    for (const name in properties) {
      looked += 1;
      if (looked > MAX_NAMES || taken.length === MAX_FIELDS) break;
      if (FIELD_NAME.test(name)) taken.push([name, properties[name]]);
    }
    this.#fields.set(properties, taken);
    return taken;
  }

  /** Resolves a `$ref` within the schema. Other references are not loaded. */
  #resolved(schema: unknown, left = 8): unknown {
    const { $ref: reference } = asJson(schema);
    if (typeof reference !== 'string') return schema;
    if (!reference.startsWith('#/') || reference.length > MAX_REFERENCE_CHARS || left === 0)
      return {};
    if (this.#meant.has(reference)) return this.#meant.get(reference);
    let found = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    // A reference that leads back to itself resolves to an empty schema.
    this.#meant.set(reference, {});
    const meant = this.#resolved(found, left - 1);
    this.#meant.set(reference, meant);
    return meant;
  }

  /** Like `list`, but counts toward the size limit: a long list may yield little output. */
  #list(value: unknown): readonly unknown[] {
    const all = list(value);
    this.#room -= all.length;
    return all;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_LISTED) : [value ?? []].flat();
}

function choicesIn(value: unknown): readonly unknown[] {
  return list(value).slice(0, MAX_CHOICES);
}

function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'boolean' ||
    Number.isFinite(value) ||
    (typeof value === 'string' && value.length <= MAX_TEXT_CHARS)
  );
}

function asJson(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function inputFaults(schema: Json, input: unknown): readonly string[] {
  return faultsAt(schema, input, '').slice(0, 5);
}

function faultsAt(schema: Json, value: unknown, path: string): string[] {
  const { type, enum: choices, properties, required, additionalProperties, items } = schema;
  const where = path === '' ? '' : `${path}: `;
  const types = type === undefined ? [] : ([type].flat() as string[]);
  if (types.length > 0 && !types.some((each) => isOf(each, value))) {
    return [`${where}Expected ${types.join(' or ')}, received ${typeName(value)}`];
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
      return typeName(value) === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** A minimal valid input, as an example for the model. */
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
