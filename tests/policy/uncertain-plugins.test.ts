/** What plugins and other programs run or load. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  address,
  addedParts,
  everyVariantIsUncertain,
  isUncertain,
  partsOf,
  placed,
} from './uncertain-variants';

const plainAddress = address.filter((each) => !/[\\&]/.test(each));

/** Writes some characters as escapes of a quoted YAML scalar. */
const escaped = (text: string, step: number) =>
  Array.from(text, (sign, at) =>
    at % step === 0 ? `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}` : sign,
  ).join('');

describe('what plugins run', () => {
  test('a query of Dataview is uncertain that joins texts without a plus between them', () => {
    const value = fc.constantFrom('this.a', 'file.name', 'note.b', 'p["x"]', 'title', 'rows.a');
    const expression = fc
      .record({ one: value, other: value, number: fc.constantFrom('1', '0.5', '"1 day"', "'2'") })
      .chain(({ one, other, number }) =>
        fc.constantFrom(
          `sum(list(${one}, ${other}))`,
          `sum(${one})`,
          `${one} + ${number} + ${other}`,
          `${one} + num + ${other}`,
          `${one} + length + ${other}`,
          `${one}.length + ${other}`,
          `${one} + dur(${number}) + ${other}`,
          `link(${one}, ${other})`,
          `link(${one}, lower(${other}))`,
          `link(${one}, "x" + ${other})`,
          `truncate(${one}, 3, ${other})`,
          `link(lower(${one}), [${other}])`,
        ),
      );
    const query = expression.chain((each) =>
      fc.constantFrom(
        `\`\`\`dataview\nTABLE ${each} FROM #x\n\`\`\``,
        `\`\`\`dataview\nLIST WITHOUT ID ${each}\n\`\`\``,
        `See \`= ${each}\` here.`,
      ),
    );
    everyVariantIsUncertain(placed(query));
    everyVariantIsUncertain(
      expression.map((each) => `formulas:\n  x: '${each.replaceAll("'", "''")}'\n`),
      'All.base',
    );
  });

  test('instructions that the Tasks plugin adds to all queries of a note are uncertain', () => {
    const property = fc
      .record({
        name: fc.constantFrom('TQ_extra_instructions', 'tq_extra_instructions', 'TQ_other'),
        code: fc.constantFrom(
          'filter by function evil()',
          'group by FUNCTION task.x',
          'path includes {{query.file.path}}',
        ),
        form: fc.nat(6),
        step: fc.integer({ min: 1, max: 5 }),
        title: fc.constantFrom('A', 'B'),
      })
      .map(({ name, code, form, step, title }) => {
        const forms = [
          `${name}: "${code}"`,
          `${name}: |\n  not done\n  ${code}`,
          `${name}: >-\n  ${code}`,
          `"${escaped(name, step)}": "${escaped(code, step)}"`,
          `? ${name}\n: "${code}"`,
          `x: &x "${code}"\n${name}: *x`,
          `{${name}: "${code}"}`,
        ];
        const body = forms[form] ?? '';
        return `---\n${body.startsWith('{') ? '' : `title: ${title}\n`}${body}\n---\nText.\n`;
      });
    everyVariantIsUncertain(property);
  });

  test('a drawing is uncertain however the property that makes it one is written', () => {
    const drawing = fc
      .record({
        form: fc.nat(6),
        step: fc.integer({ min: 1, max: 5 }),
        address: plainAddress,
        id: fc.stringMatching(/^\w{1,7}$/),
      })
      .map(({ form, step, address: to, id }) => {
        const forms = [
          'excalidraw-plugin: parsed',
          '!!str excalidraw-plugin: parsed',
          '&a excalidraw-plugin: parsed',
          '? excalidraw-plugin\n: parsed',
          `"${escaped('excalidraw-plugin', step)}": raw`,
          '{excalidraw-plugin: parsed}',
          'x: {a: 1}\nExcalidraw-Plugin: parsed',
        ];
        return `---\n${forms[form] ?? ''}\n---\n\n# Embedded files\n${id}: ${/^[a-z]+:/i.test(to) ? to : `https:${to}`}\n`;
      });
    everyVariantIsUncertain(drawing);
    expect(
      isUncertain('---\nexcalidraw-onload-script: "[[x]]"\nexcalidraw-plugin: raw\n---\n'),
    ).toBe(true);
  });

  test('a card of a canvas is uncertain whose text has other line endings', () => {
    const content = fc
      .record({
        ending: fc.constantFrom('\r', '\r\n', '\n', '\r\r'),
        language: fc.constantFrom('dataviewjs', 'js-engine', 'button', 'run-python'),
        marks: fc.constantFrom('```', '~~~', '````'),
        before: fc.constantFrom('Words.', '', '- a', '\uFEFF', '> b'),
      })
      .map(({ ending, language, marks, before }) =>
        JSON.stringify({
          nodes: [
            { type: 'text', text: [before, '', `${marks}${language}`, 'x', marks].join(ending) },
          ],
        }),
      );
    everyVariantIsUncertain(content, 'Board.canvas');
  });

  test('a block in a language that plugins draw is uncertain', () => {
    const block = fc
      .record({
        language: fc.constantFrom('dot', 'latex', 'tex', 'typst', 'LaTeX', 'graphviz', 'tikz'),
        marks: fc.constantFrom('```', '~~~', '````'),
        words: fc.constantFrom('x', 'digraph { a -> b }', '\\input{x}'),
      })
      .map(({ language, marks, words }) => `${marks}${language}\n${words}\n${marks}`);
    everyVariantIsUncertain(placed(block));
    expect(isUncertain('```svg\n<svg><image href="https://evil.example/x"/></svg>\n```')).toBe(
      true,
    );
  });

  test('a property is uncertain that themes and plugins take a picture from', () => {
    const property = fc
      .record({
        name: fc.constantFrom(
          ...['pic', 'Pic', 'pics', 'cover-pic', 'profile_pic', 'profilepic', 'header', 'banner'],
          ...[
            'cover',
            'artwork',
            'hero',
            'bg',
            'portrait',
            'screenshot',
            'gallery',
            'header-image',
          ],
        ),
        address: plainAddress,
        form: fc.nat(3),
      })
      .map(({ name, address: to, form }) => {
        const forms = [
          `${name}: ${to}`,
          `${name}: "${to}"`,
          `${name}:\n  - ${to}`,
          `a:\n  ${name}: ${to}`,
        ];
        return `---\ntitle: A\n${forms[form] ?? ''}\n---\nText.\n`;
      });
    everyVariantIsUncertain(property);
  });

  test.each([
    'graph TD\nA --> B\nclick A call evil()',
    'graph TD;A-->B;click A evil',
    'graph TD\n%%{init: {}}%% click A href "/x"',
    'classDiagram\nclass A\ncallback A "evil"',
    'graph TD\nA[<img src=x>]',
    'graph TD\nA[<b onclick=x>]',
  ])('the diagram %j is uncertain', (source) => {
    expect(isUncertain(`\`\`\`mermaid\n${source}\n\`\`\``)).toBe(true);
  });
});

test.each([
  ...[
    'bat',
    'ps1xml',
    'diagcab',
    'settingcontent-ms',
    'library-ms',
    'appx',
    'vbscript',
    'wsc',
    'iqy',
  ],
  ...['command', 'inetloc', 'fileloc', 'mobileconfig', 'scptd', 'pkg', 'shortcut', 'osx'],
  ...['desktop', 'service', 'run', 'flatpakref', 'AppImage', 'timer'],
  ...['py', 'lua', 'tcl', 'php', 'coffee', 'BAT', 'ahk', 'xsh'],
])('a file with the ending .%s is uncertain', (ending) => {
  expect(addedParts(`Tools/start.${ending}`, '', 'calc')).not.toEqual([]);
  expect(partsOf(`Tools/start.${ending}.md`, 'calc')).toEqual([]);
});

test.each(['md', 'txt', 'csv', 'json', 'yaml', 'log', 'bib', 'tsv'])(
  'a file with the ending .%s is certain',
  (ending) => {
    expect(partsOf(`Data/list.${ending}`, 'a: 1')).toEqual([]);
  },
);
