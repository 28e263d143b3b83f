import fc from 'fast-check';
import { assert, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPlainYaml } from '#workbench/obsidian/metadata/plain-yaml';
import { cases, leastCount } from '#tests/cases';

const MARKS = [...' :#-?,[]{}&*!|>\'"%@`~\\\t\r\n', ': ', ' #', '- ', ':\n', '---', '...', '<<'];
const UNICODE = ['é', '😀', '\u00A0', '\uFEFF', '\u0085', '\u2028', '\uD800', '\u0000'];
const NUMBERS = [
  '0',
  '7',
  '12',
  '007',
  '0x1F',
  '0o17',
  '1e3',
  '+1',
  '-2',
  '.5',
  '1.',
  '1_000',
  '.inf',
];
const DATES = ['2025-01-31', '05/31/2018', '12:30', '2025-01-31T12:30:00Z'];
const WORDS = [
  'a',
  'b c',
  'null',
  'Null',
  'true',
  'True',
  'no',
  'NaN',
  '[[Note]]',
  '#tag',
  '{{date}}',
];
const NAMES = [
  'a',
  'b',
  'c',
  'tags',
  'ms.date',
  'a:b',
  'constructor',
  'due date',
  '__proto__',
  '<<',
  '1',
  'true',
];

/** Values that are read. */
const PLAIN = ['a', 'b c', 'true', '12', '05/31/2018', 'x:y#z', '"[[Note]]"', "'a: b'"];

const fragment = fc.oneof(
  ...[MARKS, UNICODE, NUMBERS, DATES, WORDS].map((all) => fc.constantFrom(...all)),
);
const parts = fc.array(fragment, { maxLength: 4 }).map((all) => all.join(''));
const value = fc.oneof(
  { arbitrary: fc.constantFrom(...PLAIN), weight: 20 },
  { arbitrary: fc.constantFrom(...NUMBERS, ...DATES, ...WORDS, ''), weight: 3 },
  parts,
  parts.map((text) => `"${text}"`),
  parts.map((text) => `'${text}'`),
);
const listInLine = fc
  .tuple(fc.array(value, { maxLength: 4 }), fc.constantFrom(', ', ', ', ', ', ',', ' , ', ' ,, '))
  .map(([values, comma]) => `[${values.join(comma)}]`);
const blank = fc.constantFrom(...Array<string>(20).fill(''), ' ', '  ');
const property = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(': ', ': ', ': ', ':  ', ':'),
    fc.oneof(value, value, listInLine),
    blank,
  )
  .map((parts) => parts.join(''));
const item = fc
  .tuple(blank, fc.constantFrom('- ', '- ', '- ', '-  ', '-'), value, blank)
  .map((parts) => parts.join(''));
const list = fc
  .tuple(fc.constantFrom(...NAMES), blank, fc.array(item, { minLength: 1, maxLength: 4 }))
  .map(([name, after, items]) => [`${name}:${after}`, ...items].join('\n'));
const yaml = fc
  .array(fc.oneof(property, property, list, list, value), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('\n'));

/** A share of the generated texts that are read, and of those that are refused. */
const SHARE = 0.05;

describe('reading plain YAML', () => {
  it('the plain reader agrees with the general parser', () => {
    let [read, refused] = [0, 0];
    fc.assert(
      fc.property(yaml, (text) => {
        const found = readPlainYaml(text);
        if (found === null) return void refused++;
        read += 1;
        expect(Object.entries(found)).toEqual(Object.entries(parse(text) as object));
      }),
      cases,
    );
    expect(Math.min(read, refused)).toBeGreaterThanOrEqual(leastCount(SHARE));
  });

  it.each([
    'a: b\ntags:\n  - c\n  - "[[d e]]"\n\nms.date: 05/31/2018\nf1:name: http://x.y/z#w\n',
    'a: [b, "c d", 12,e/f ]\nb: []\nc: [ \'g: h\' ]',
    'rank: 3\nopen: true\nnone:\nempty:   \nlist: \n- 1\n- two',
    `quoted: "a: b # c"\nother: 'x | "y"'`,
  ])('the usual front matter %j needs no general parser', (text) => {
    const found = readPlainYaml(text);
    assert(found);
    expect(found).toStrictEqual(parse(text));
  });

  it.each([
    ['blanks', (size: number) => `a: b${' '.repeat(size)}c${' '.repeat(size)}`],
    ['colons', (size: number) => `a${':'.repeat(size)}b`],
    ['dashes', (size: number) => `a:\n${'- '.repeat(size)}`],
    ['commas', (size: number) => `a: [${'b,'.repeat(size)}]`],
    ['lines', (size: number) => `a:\n${'- b\n'.repeat(size)}`],
  ])('%s take work in proportion to their number', (_, make) => {
    // Square work on 200,000 characters would take minutes.
    for (const size of [10, 200_000]) expect(() => readPlainYaml(make(size))).not.toThrow();
  });
});
