/** Generated front matter with every form of scalar, list and comment, and what it is made of. */
import fc from 'fast-check';

const comment = fc.constantFrom('', '', ' # note', '   # a: [b, "c', " #it's # two");

/** Scalars that can be written anywhere, as source. */
const scalar = fc.constantFrom(
  ...['reading', '2024', '1e3', '0x1F', '-0.50', '.5', 'true', 'No', 'null', '~', '2026-12-01'],
  ...['"quoted"', '"a, b"', '"x # y"', "'it''s'", '"line\\nbreak"', "'#tag'", '"\\u00fc"', '""'],
  ...["it's", 'a"b', 'a#b', 'two words', 'Übung', '旅', '!!str 12', 'http://a.example/#x'],
);

/** Scalars with characters that mean something within brackets. */
const blockScalar = fc.oneof(
  scalar,
  fc.constantFrom(
    'a, b',
    'x [y]',
    'see {z}',
    'one\n    two',
    '"three\n    # four"',
    "'a\n\n    b'",
  ),
);

const nested = fc.constantFrom('{a: 1, "b": [c, d]}', '[e, "f]", [g]]', '{x: "}", y: }');

const entry = fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: nested });

const flow = fc
  .record({
    entries: fc.array(fc.tuple(entry, comment), { maxLength: 5 }),
    isTall: fc.boolean(),
    pad: fc.constantFrom('', ' '),
    endsWithComma: fc.boolean(),
    isClosedApart: fc.boolean(),
  })
  .map(({ entries, isTall, pad, endsWithComma, isClosedApart }) => {
    const isLast = (at: number) => at === entries.length - 1;
    const comma = (at: number) => (isLast(at) && !endsWithComma ? '' : ',');
    if (!isTall || entries.length === 0) {
      const inside = entries.map(([source], at) => source + comma(at)).join(pad || ' ');
      return `[${pad}${inside}${pad}]`;
    }
    const lines = entries.map(([source, note], at) => {
      const isJoined = isLast(at) && !isClosedApart;
      return `\n  ${source}${comma(at)}${isJoined ? '' : note}`;
    });
    return `[${lines.join('')}${isClosedApart ? '\n  ' : ''}]`;
  });

const blockEntry = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(entry, comment).map(([source, note]) => source + note) },
  fc.constantFrom(
    '',
    'k: v\n      w: x',
    '- deep\n      - er',
    '|\n      one\n      # two',
    'a, b',
  ),
);

const block = fc
  .record({
    entries: fc.array(
      fc.tuple(blockEntry, fc.constantFrom('', '', '', '\n', '# about the next\n', '  # more\n')),
      { minLength: 1, maxLength: 5 },
    ),
    indent: fc.constantFrom('', '  ', '    '),
    gap: fc.constantFrom(' ', ' ', '   '),
    note: comment,
  })
  .map(({ entries, indent, gap, note }) => {
    // Lines below a map's first key are aligned with it.
    const lines = entries.map(([source, below], at) => {
      const inner = ' '.repeat(indent.length + 1 + gap.length);
      const aligned = source.replaceAll('\n      ', `\n${inner}`);
      const separator = at === entries.length - 1 ? '' : below;
      return `${indent}-${source === '' ? '' : gap}${aligned}\n${separator}`;
    });
    return `${note}\n${lines.join('')}`.replace(/\n$/, '');
  });

export interface WrittenValue {
  /** What is written after the colon, without the last line break. */
  readonly source: string;
  readonly isList: boolean;
}

export const listValue: fc.Arbitrary<WrittenValue> = fc.oneof(
  fc.tuple(flow, comment).map(([list, note]) => ({ source: ` ${list}${note}`, isList: true })),
  flow.map((list) => ({ source: `\n  ${list}`, isList: true })),
  block.map((source) => ({ source, isList: true })),
);

export const scalarValue: fc.Arbitrary<WrittenValue> = fc
  .oneof(
    fc.tuple(blockScalar, comment).map(([source, note]) => ` ${source}${note}`),
    fc.tuple(scalar, comment).map(([source, note]) => `${note}\n  ${source}${note}`),
    fc.constantFrom(
      '',
      ' # empty',
      ' |\n  one\n  # two',
      ' >- # why\n  one\n  two',
      ' {a: 1} # map',
    ),
    fc.constantFrom('\n  a: 1 # one\n  b: "x"', ' &anchor kept', ' |2-\n    deep'),
  )
  .map((source) => ({ source, isList: false }));

/** Values with the variable `v` of a template. */
export const templateValue: fc.Arbitrary<WrittenValue> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('{{v}}', '"{{v}}"', "'{{v}}'", 'by {{v}} and {{v}}', '"a \\" {{v}}"'),
      fc.constantFrom("'it''s {{v}}'", '[a, {{v}}]', '[ "{{v}}", b ]', '{k: {{v}}}', '{{v}}/x'),
      fc.constantFrom(
        '\n  - {{v}}',
        '\n- k: {{v}}\n  "l": x{{v}}',
        '\n  in: "{{v}}"',
        '[\n  {{v}},\n  ]',
      ),
      fc.constantFrom('|-\n  by {{v}}.', '>-\n  by {{v}}.', '# {{v}}', '1 # see {{v}}'),
    ),
    comment,
  )
  .map(([source, note]) => ({
    source: ` ${source}${/^\n|[|>]/.test(source) ? '' : note}`,
    isList: false,
  }));

const separator = fc.constantFrom('', '', '', '\n', '# between\n', '  # indented\n\n');

export interface GeneratedNote {
  /** Up to the first character of the touched property's name. */
  readonly above: string;
  /** The touched property with its last line break. */
  readonly property: string;
  /** From the separator below the property to the end of the note. */
  readonly below: string;
  readonly value: WrittenValue;
}

/** A note with a property `name` (in any spelling of its key) among others. */
export function noteWith(
  name: string,
  value: fc.Arbitrary<WrittenValue>,
): fc.Arbitrary<GeneratedNote> {
  const other = (key: string) =>
    fc
      .tuple(fc.oneof(listValue, scalarValue), separator)
      .map(([{ source }, apart]) => `${key}:${source}\n${apart}`);
  return fc
    .record({
      value,
      key: fc.constantFrom(name, `"${name}"`, `${name} `),
      before: fc
        .array(fc.constantFrom('first', 'due date', '"x: y"'), { maxLength: 2 })
        .chain((keys) => fc.tuple(...[...new Set(keys)].map(other))),
      after: fc
        .array(fc.constantFrom('last', 'Zahl'), { maxLength: 2 })
        .chain((keys) => fc.tuple(...[...new Set(keys)].map(other))),
      top: separator,
      // An indented comment could become a line of the block text above.
      apart: fc.constantFrom('', '', '\n', '# between\n', '# one\n\n'),
      ending: fc.constantFrom('\n', '\n', '\r\n'),
      mark: fc.constantFrom('', '', '\uFEFF'),
      body: fc.constantFrom('', 'Body\n---\nname: no\n', '# Heading\n'),
    })
    .map(({ value: written, key, before, after, top, apart, ending, mark, body }) => {
      const own = (text: string) => text.replaceAll('\n', ending);
      return {
        above: mark + own(`---\n${top}${before.join('')}`),
        property: own(`${key}:${written.source}\n`),
        below: own(`${apart}${after.join('')}---\n${body}`),
        value: written,
      };
    });
}
