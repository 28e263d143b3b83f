/**
 * A tool's input as its server describes it, brought into a form that the model's API takes: an object at the top,
 * known words with values of the right kind, and not more of it than a prompt can bear. What is left out here, the server
 * still checks itself.
 */
import { isRecord } from '#model/is-record';

type Json = Readonly<Record<string, unknown>>;

/** Characters. */
const LARGEST = 6_000;
const LONGEST_TEXT = 500;
const DEEPEST = 6;
const MOST_FIELDS = 60;
const MOST_CHOICES = 100;
const MOST_LISTED = 500;
const LONGEST_REFERENCE = 500;
/** What may be looked at of one schema: references can unfold into more than was ever sent. */
const MOST_LOOKS = 2_000;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'];
/** As the model's API wants fields called. */
const FIELD_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** @returns null for one of which no call could be made: it wants a field that can't be named */
export function plainSchema(said: unknown): Json | null {
  for (const [deepest, words] of [
    [DEEPEST, true],
    [DEEPEST, false],
    [2, false],
  ] as const) {
    const made = new PlainSchema(said, deepest, words).top();
    if (made === null || JSON.stringify(made).length <= LARGEST) return made;
  }
  return { type: 'object' };
}

class PlainSchema {
  readonly #root: unknown;
  readonly #deepest: number;
  readonly #words: boolean;
  #looks = 0;

  constructor(root: unknown, deepest: number, words: boolean) {
    this.#root = root;
    this.#deepest = deepest;
    this.#words = words;
  }

  top(): Json | null {
    // The API takes no alternatives at the top: what all of them may have is put beside each other.
    const root = asJson(this.#resolved(this.#root));
    const all = list(root['allOf']).map((each) => asJson(this.#resolved(each)));
    const some = [...list(root['anyOf']), ...list(root['oneOf'])].map((each) =>
      asJson(this.#resolved(each)),
    );
    const properties: Record<string, unknown> = Object.assign(
      {},
      ...[root, ...all, ...some].toReversed().map((each) => asJson(each['properties'])),
    ) as Json;
    const required = [root, ...all].flatMap(({ required }) => list(required));
    const isClosed = root['additionalProperties'] === false;
    const made = this.#object({ properties, required }, 0);
    const named = Object.keys(asJson(made['properties']));
    const wants = required.filter((each) => typeof each === 'string');
    if (wants.some((each) => Object.hasOwn(properties, each) && !named.includes(each))) return null;
    return { type: 'object', ...made, ...(isClosed ? { additionalProperties: false } : {}) };
  }

  #schema(said: unknown, depth: number): Json {
    this.#looks += 1;
    if (depth > this.#deepest || this.#looks > MOST_LOOKS) return {};
    const from = asJson(this.#resolved(said));
    const made: Record<string, unknown> = {};
    const types = list(from['type'] ?? []).filter((each) => TYPES.includes(each as string));
    if (types.length > 0) made['type'] = types.length === 1 ? types[0] : [...new Set(types)];
    if (this.#words && typeof from['description'] === 'string') {
      made['description'] = cut(from['description'], LONGEST_TEXT);
    }
    const choices = list(from['enum'] ?? [])
      .filter(isPlain)
      .slice(0, MOST_CHOICES);
    if (choices.length > 0) made['enum'] = [...new Set(choices)];
    if (isPlain(from['const'])) made['const'] = from['const'];
    for (const word of NUMBERS) if (Number.isFinite(from[word])) made[word] = from[word];
    for (const word of COUNTS) {
      if (Number.isInteger(from[word]) && (from[word] as number) >= 0) made[word] = from[word];
    }
    if (isRecord(from['items'])) made['items'] = this.#schema(from['items'], depth + 1);
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const each = list(from[word] ?? []).slice(0, MOST_CHOICES);
      if (each.length > 0) made[word] = each.map((one) => this.#schema(one, depth + 1));
    }
    if (isRecord(from['properties'])) {
      Object.assign(
        made,
        this.#object(
          { properties: from['properties'], required: list(from['required'] ?? []) },
          depth,
        ),
      );
    }
    const { additionalProperties: more } = from;
    if (typeof more === 'boolean') made['additionalProperties'] = more;
    else if (isRecord(more)) made['additionalProperties'] = this.#schema(more, depth + 1);
    return made;
  }

  #object(
    { properties, required }: { properties: Json; required: readonly unknown[] },
    depth: number,
  ): Json {
    const fields = Object.entries(properties)
      .filter(([name]) => FIELD_NAME.test(name))
      .slice(0, MOST_FIELDS)
      .map(([name, each]) => [name, this.#schema(each, depth + 1)] as const);
    const wanted = fields.map(([name]) => name).filter((name) => required.includes(name));
    return {
      properties: Object.fromEntries(fields),
      ...(wanted.length > 0 ? { required: wanted } : {}),
    };
  }

  /** What a reference within the schema stands for; nothing is looked up elsewhere. */
  #resolved(said: unknown, left = 8): unknown {
    const { $ref: reference } = asJson(said);
    if (typeof reference !== 'string') return said;
    if (!reference.startsWith('#/') || reference.length > LONGEST_REFERENCE || left === 0)
      return {};
    let found = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return this.#resolved(found, left - 1);
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_LISTED) : value === undefined ? [] : [value];
}

function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'boolean' ||
    Number.isFinite(value) ||
    (typeof value === 'string' && value.length <= LONGEST_TEXT)
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')} …` : text;
}

function asJson(value: unknown): Json {
  return isRecord(value) ? value : {};
}
