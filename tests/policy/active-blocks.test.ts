/** Images that a parser of Markdown shows, in notes whose blocks are hard to read. */
import { HtmlRenderer, Parser } from 'commonmark';
import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import { noteOfBlocks } from '#tests/builders/note-of-blocks';
import { asks } from './active-variants';

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
  test.each(PARSERS)('asks wherever %s shows it', (name, render) => {
    let shown = 0;
    fc.assert(
      fc.property(note, (text) => {
        if (name !== "CommonMark's own parser" && isUnusual(text)) return;
        if (!new RegExp(`<img[^>]*src="${ADDRESS}`).test(render(text))) return;
        shown += 1;
        expect(asks(text), JSON.stringify(text)).toBe(true);
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
  ])('asks %s', (_, text) => {
    expect(asks(text)).toBe(true);
  });

  test.each([
    ['a fence', `Write:\n\`\`\`\n${IMAGE}\n\`\`\`\n`],
    ['a fence of a callout', `> [!note]\n> \`\`\`html\n> ${IMAGE}\n> \`\`\`\n`],
    ['a fence of a list item', `1. Write:\n\n   \`\`\`md\n   ${IMAGE}\n   \`\`\`\n\n2. Done\n`],
    ['a fence of a callout in a list', `- a\n  > \`\`\`html\n  > ${IMAGE}\n  > \`\`\`\n`],
    ['indented code', `Write:\n\n    ${IMAGE}\n\nDone.\n`],
  ])('does not ask in %s', (_, text) => {
    expect(asks(text)).toBe(false);
  });
});
