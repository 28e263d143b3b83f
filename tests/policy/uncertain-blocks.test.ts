/** Images that a parser of Markdown shows, in notes whose blocks are hard to read. */
import { HtmlRenderer, Parser } from 'commonmark';
import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import { noteOfBlocks } from '#tests/builders/note-of-blocks';
import { isUncertain, partsOf } from './uncertain-variants';

const ADDRESS = 'https://evil.example/x.png';
const IMAGE = `![](${ADDRESS})`;

/** Notes that the parser cannot read show nothing. */
function chatHtml(text: string): string {
  try {
    return marked.parse(text, { async: false });
  } catch {
    return '';
  }
}

const PARSERS: readonly (readonly [name: string, render: (text: string) => string])[] = [
  ["CommonMark's own parser", (text) => new HtmlRenderer().render(new Parser().parse(text))],
  ['the parser of the chat', chatHtml],
];

/** Lines with an image in one of them. */
const note = fc
  .tuple(
    noteOfBlocks(['%%', '$$', '[r]: /u', '[^1]: x', '```ad-note', '````ad-x', '\f']),
    fc.nat(8),
  )
  .chain(([lines, at]) => {
    const image = fc.constantFrom(IMAGE, `<img src="${ADDRESS}">`, `[x] ${IMAGE} \``);
    return image.map((each) =>
      lines.map((line, own) => (own === at % lines.length ? line + each : line)).join('\n'),
    );
  });

/** White space that Markdown does not know, on which the parser of the chat differs. */
const isUnusual = (text: string) => /[\f\u00A0\u3000]/.test(text);

describe('an image', () => {
  test.each(PARSERS)('is uncertain wherever %s shows it', (name, render) => {
    let shown = 0;
    fc.assert(
      fc.property(note, (text) => {
        if (name !== "CommonMark's own parser" && isUnusual(text)) return;
        if (!new RegExp(`<img[^>]*src="${ADDRESS}`).test(render(text))) return;
        shown += 1;
        expect(isUncertain(text), JSON.stringify(text)).toBe(true);
      }),
      { numRuns: cases.numRuns * 20 },
    );
    expect(shown).toBeGreaterThan(cases.numRuns * 3);
  });

  test.each([
    ['below a fence with a quoted fence', `\`\`\`\n> \`\`\`\nx\n\`\`\`\n${IMAGE}\n`],
    ['below a fence with another quoted fence', `~~~\n> ~~~\n~~~\n${IMAGE}\n`],
    ['in a quote below a fence', `> \`\`\`\n> > \`\`\`\n> \`\`\`\n> ${IMAGE}\n> \`\`\`\n`],
    ['below a fence that ends with its quote', `>\`\`\`\n \`\`\`\n${IMAGE}\n`],
    ['below what is no fence, but follows a blank', `\u00A0\`\`\`\n${IMAGE}\n`],
    ['in the last line of a paragraph', `>- x\n    \`\`\`j ${IMAGE}\n`],
    ['in a line of a list item', `0)     \`\`\`\n   ${IMAGE}\n`],
    ['behind a numbered fence in a paragraph', `x\n0) ~~~txt ${IMAGE}\n`],
    ['in inline code of a block of HTML', `<div>\n\`<img src="${ADDRESS}">\`\n</div>\n`],
    ['below a footnote that is indented', `a[^1]\n\n [^1]: x\n\n    ${IMAGE}\n`],
    ['below a fence that a tab follows', `\`\`\`\n\`\`\`\t\n\`\`\`\n${IMAGE}\n`],
  ])('is uncertain %s', (_, text) => {
    expect(isUncertain(text)).toBe(true);
  });

  test.each([
    'Use `$$` for math.\n',
    '\\$$ a\n',
    'It costs $$ here.\n',
    '# a $$\n',
    '%% $$ %%\n',
    'a\n\n    $$\n',
    '[a](x$$y)\n',
    '[[a$$b]]\n',
    '> $$\n',
    '- $$\n\nb\n',
    '|a $$|b|\n',
    '```ad-note\n$$\n```\n',
    '$$\na\n`$$`\n$$\n',
    '%%\n$$\n%%\n',
    '<div>\n$$\n</div>\n',
    'a $$\nb\n',
  ])('is uncertain below math that may begin elsewhere: %j', (first) => {
    expect(isUncertain(`${first}\n$$\n\`\`\`\n$$\n${IMAGE}\n\`\`\`\n`)).toBe(true);
  });

  test('is uncertain in blocks that are drawn within each other too often', () => {
    expect(isUncertain('```ad-a\n'.repeat(6_000))).toBe(true);
  });

  const fence = (indent: string) =>
    ['```html', IMAGE, '```'].map((line) => `${indent}${line}\n`).join('');

  test.each([
    ['math in a callout', `> $$\n> x\n> $$\n\n${fence('')}`],
    ['math in a line', `The sum $$a_{1}$$ and $x$.\n\n${fence('')}\n$$\ny\n$$\n`],
    ['math', `$$\n\\frac{1}{2} & [a]\n$$\n\n${fence('')}\n$$\ny\n$$\n`],
    [
      'a list in a callout',
      `> [!note] T\n> 1. a\n>\n>     ${fence('').replaceAll('\n', '\n>     ')}\n`,
    ],
    ['a nested list in a callout', `> - a\n>     - b\n${fence('> ')}`],
    ['a list item after a tab', `1.\ta\n\n${fence('\t')}`],
    ['another list item after a tab', `-\ta\n\n${fence('\t')}`],
  ])('is certain below %s', (_, text) => {
    expect(isUncertain(text)).toBe(false);
  });

  test.each([
    ['a fence', `Write:\n\`\`\`\n${IMAGE}\n\`\`\`\n`],
    ['a fence of a callout', `> [!note]\n> \`\`\`html\n> ${IMAGE}\n> \`\`\`\n`],
    ['a fence of a list item', `1. Write:\n\n   \`\`\`md\n   ${IMAGE}\n   \`\`\`\n\n2. Done\n`],
  ])('is certain in %s', (_, text) => {
    expect(isUncertain(text)).toBe(false);
  });
});

test('the uncertain-text check keeps no state between notes', () => {
  const note = '$$-->$$\n\n```\n$$';
  const found = partsOf('Note.md', note);
  expect(found).toHaveLength(1);
  partsOf('Other.md', 'Words with a comment that is never closed <!-- ');
  expect(partsOf('Note.md', note)).toEqual(found);
});
