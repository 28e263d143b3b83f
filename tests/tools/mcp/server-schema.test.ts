import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputFaults, leastInput, plainSchema } from '#tools/mcp/server-schema';

describe('plainSchema', () => {
  it('a simple schema stays the same except for keywords without meaning here', () => {
    expect(
      plainSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where.' },
          depth: { type: 'integer', minimum: 0 },
        },
        required: ['path'],
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where.' },
        depth: { type: 'integer', minimum: 0 },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('top-level alternatives are merged into one object', () => {
    const either = (name: string) => ({
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
    expect(plainSchema({ type: 'object', anyOf: [either('url'), either('path')] })).toEqual({
      type: 'object',
      properties: { url: { type: 'string' }, path: { type: 'string' } },
    });
    expect(plainSchema({ type: 'object', allOf: [either('url'), either('path')] })).toMatchObject({
      required: ['path', 'url'],
    });
  });

  it('references are inlined, and circular ones are cut', () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' }, far: { $ref: 'https://example.com/schema' } },
      $defs: { tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' } } } },
    };
    const made = plainSchema(schema);
    expect(JSON.stringify(made)).not.toContain('$ref');
    expect(made).toMatchObject({
      properties: { tree: { properties: { left: { type: 'object' } } }, far: {} },
    });
    expect(plainSchema({ type: 'object', properties: { a: { $ref: '#/properties/a' } } })).toEqual({
      type: 'object',
      properties: { a: {} },
    });
  });

  it('invalid keywords are dropped', () => {
    expect(
      plainSchema({
        type: 'objekt',
        properties: { a: { type: 'text', enum: 'x'.repeat(1_000), minLength: -1 }, b: 7 },
        required: 'a',
      }),
    ).toEqual({ type: 'object', properties: { a: {}, b: {} }, required: ['a'] });
    for (const nonsense of [null, 7, 'schema', [], [[]]]) {
      expect(plainSchema(nonsense)).toEqual({ type: 'object', properties: {} });
    }
  });

  it('fields with invalid names are dropped, and a schema that requires one is rejected', () => {
    const properties = { 'a field with spaces': { type: 'string' } };
    expect(plainSchema({ type: 'object', properties })).toEqual({ type: 'object', properties: {} });
    expect(
      plainSchema({ type: 'object', properties, required: ['a field with spaces'] }),
    ).toBeNull();
  });

  it('a schema that is too large loses its descriptions first, then its depth', () => {
    const fields = (words: string) =>
      Object.fromEntries(
        Array.from({ length: 50 }, (_, at) => [
          `field_${at}`,
          { type: 'string', description: words },
        ]),
      );
    const made = JSON.stringify(plainSchema({ properties: fields('word '.repeat(80)) }));
    expect(made.length).toBeLessThan(6_000);
    expect(made).toContain('field_49');
    const deep = {
      properties: Object.fromEntries(
        Object.keys(fields('')).map((name) => [name, { properties: fields('') }]),
      ),
    };
    expect(JSON.stringify(plainSchema(deep)).length).toBeLessThan(6_000);
  });

  it('a definition is read only once and in part, however many references it has', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `field_${at}`);
    const fields = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/b' }]));
    let looks = 0;
    const counted = new Proxy(fields, {
      getOwnPropertyDescriptor(target, name) {
        looks += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    const b = { properties: counted };
    expect(plainSchema({ properties: { a: { $ref: '#/$defs/b' } }, $defs: { b } })).toEqual({
      type: 'object',
    });
    expect(looks).toBeLessThan(100);
    const unnamed = new Proxy(Object.fromEntries(names.map((name) => [`${name} `, {}])), {
      getOwnPropertyDescriptor(target, name) {
        looks += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    expect(plainSchema({ properties: unnamed })).toEqual({ type: 'object', properties: {} });
    expect(looks).toBeLessThan(1_200);
  });

  it('a schema stays within the limit when a reference expands to more', () => {
    const looked: string[] = [];
    const choices = Array.from({ length: 100 }, (_, at) => `${at} ${'long '.repeat(90)}`);
    const b: Record<string, unknown> = new Proxy(
      {
        enum: choices,
        properties: Object.fromEntries(choices.map((_, at) => [`f${at}`, { $ref: '#/$defs/b' }])),
      },
      {
        get(target, name) {
          looked.push(String(name));
          return Reflect.get(target, name) as unknown;
        },
      },
    );
    const said = { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b } };
    expect(plainSchema(said)).toEqual({ type: 'object' });
    expect(looked.filter((name) => name === 'enum')).toHaveLength(3);
  });

  it('any value becomes a schema that the API accepts', () => {
    const word = fc.constantFrom(
      ...[
        'type',
        'properties',
        'required',
        'items',
        'anyOf',
        'allOf',
        'oneOf',
        '$ref',
        'enum',
        'a b',
        'name',
      ],
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('object', 'string', '#/properties', '#/', null, 3, true),
        fc.dictionary(word, tie('tree')),
        fc.array(tie('tree'), { maxLength: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (said) => {
        const made = plainSchema(said);
        if (made === null) return;
        expect(made['type']).toBe('object');
        expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['anyOf']));
        expect(Object.keys(made).filter((key) => /^(anyOf|oneOf|allOf)$/.test(key))).toEqual([]);
        const text = JSON.stringify(made);
        expect(text.length).toBeLessThan(6_001);
        expect(text).not.toContain('"$ref":');
        inputFaults(made, leastInput(made));
      }),
    );
  });
});

describe('inputFaults and leastInput', () => {
  const schema = plainSchema({
    properties: {
      path: { type: 'string' },
      depth: { type: ['integer', 'null'] },
      kind: { enum: ['file', 'folder'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['path', 'kind'],
    additionalProperties: false,
  })!;

  it('a valid input and the generated example have no faults', () => {
    expect(inputFaults(schema, { path: 'a', kind: 'file', depth: null, tags: ['x'] })).toEqual([]);
    expect(inputFaults(schema, leastInput(schema))).toEqual([]);
    expect(leastInput(schema)).toEqual({ path: 'some words', kind: 'file' });
  });

  it('an invalid input has a fault for each wrong field', () => {
    expect(inputFaults(schema, { depth: 1.5, kind: 'tree', tags: ['x', 3], more: 1 })).toEqual([
      '"path" is missing',
      'depth: Expected integer or null, received number',
      'kind: Expected one of "file", "folder"',
      'tags[1]: Expected string, received number',
      'unknown field "more"',
    ]);
  });
});
