/**
 * Input that nests too deep or is too expensive to read becomes plain text, and the text around it
 * is drawn.
 */
import { describe, expect, test } from 'vitest';
import { MAX_BLOCK_LINES, MAX_TABLE_CELLS } from '#components/message/markdown/costly-blocks.ts';
import { MAX_ADDRESS_CHARS } from '#components/message/markdown/renderer.ts';
import { ReadText, wholeHtml } from './whole';

const NESTING_DEPTH = 3_000;
/** How deep quotes and list items are read. */
const MAX_NESTING_DEPTH = 30;

function blocksOf(text: string): readonly { html: string }[] {
  const blocks = new ReadText();
  blocks.update(text, true);
  return blocks.list;
}

function textOf(html: string): string {
  const element = document.createElement('div');
  element.innerHTML = html;
  return element.textContent;
}

/** Nested items, each indented by two more columns. */
function staircase(mark: string, levels: number): string {
  return Array.from({ length: levels }, (_, at) => `${'  '.repeat(at)}${mark} x\n`).join('');
}

const TOO_DEEP: readonly (readonly [what: string, text: string])[] = [
  ['quotes', `${'> '.repeat(NESTING_DEPTH)}x`],
  ['quotes without spaces', `${'>'.repeat(NESTING_DEPTH)}x`],
  ['list items', `${'- '.repeat(NESTING_DEPTH)}x`],
  ['list items with a plus', `${'+ '.repeat(NESTING_DEPTH)}x`],
  ['list items with a star', `${'* '.repeat(NESTING_DEPTH)}x`],
  ['numbered list items', `${'1. '.repeat(NESTING_DEPTH)}x`],
  ['numbered list items with a bracket', `${'1) '.repeat(NESTING_DEPTH)}x`],
  ['quotes of lists', `${'> - '.repeat(NESTING_DEPTH)}x`],
  ['lists of quotes', `${'- > '.repeat(NESTING_DEPTH)}x`],
  ['callouts', `${'> [!note] a\n'}${'> '.repeat(NESTING_DEPTH)}[!note] x`],
  ['list items below each other', staircase('-', MAX_NESTING_DEPTH + 10)],
  [
    'numbered items below each other',
    staircase('1.', MAX_NESTING_DEPTH + 10).replace(/ {2}/g, '   '),
  ],
  [
    'quotes that grow by a line',
    Array.from({ length: 200 }, (_, at) => `${'> '.repeat(at + 1)}x`).join('\n'),
  ],
  ['list items with text below', `${'- '.repeat(NESTING_DEPTH)}x\ny\nz`],
  ['a deep second item', `- a\n${'- '.repeat(NESTING_DEPTH)}x\ny`],
  ['a deep line of a quote', `> a\n${'> '.repeat(NESTING_DEPTH)}x\ny`],
  ['a deep footnote', `[^1]: ${'> '.repeat(NESTING_DEPTH)}x`],
  ['footnotes in footnotes', `${'[^1]: '.repeat(NESTING_DEPTH)}x`],
  ['emphasis', `${'*a '.repeat(200)}x${' b*'.repeat(200)}`],
  ['bold words', `${'**a '.repeat(200)}x${' b**'.repeat(200)}`],
  ['crossed-out words', `${'~~a '.repeat(400)}x${'b~~'.repeat(400)}`],
  ['marks in one long line', '_a_'.repeat(20_000)],
  ['brackets in one long line', '!['.repeat(20_000)],
  ['a paragraph of very many short lines', 'a\n'.repeat(20_000).trimEnd()],
  ['the beginnings of an address', `${'a.'.repeat(20_000)}@`],
  ['addresses without a scheme in one long line', 'www.a '.repeat(4_000)],
  ['a list of very many items', '- a\n'.repeat(MAX_BLOCK_LINES + 1)],
  ['a list of very many items apart', '1. a\n\n'.repeat(MAX_BLOCK_LINES)],
  ['a list of very many lines', `- a\n${'  b\n'.repeat(MAX_BLOCK_LINES)}`],
  ['an indented list of very many items', '  - a\n'.repeat(MAX_BLOCK_LINES + 1)],
  ['a list of very many quotes', '- a\n  > b\n'.repeat(MAX_BLOCK_LINES)],
  ['a list of very many headings', '- a\n  # b\n'.repeat(MAX_BLOCK_LINES)],
  ['a very long list in a quote', '> - a\n'.repeat(MAX_BLOCK_LINES + 1)],
  ['a very long quote', '> a\n>\n'.repeat(MAX_BLOCK_LINES)],
  ['a quote with very many gaps', '> x\ny\n'.repeat(3_000).trimEnd()],
];

describe('a block beyond the limits', () => {
  test.each(TOO_DEEP)('%s become plain text, and the blocks around them are drawn', (_, text) => {
    const html = blocksOf(`# Before\n\n${text}\n\nAfter **it**.`).map((block) => block.html);
    const [before = '', ...rest] = html;
    expect(before).toBe('<h1>Before</h1>\n');
    const plain = rest.filter((each) => each.includes('parley-plain'));
    expect(plain).toHaveLength(1);
    expect(textOf(plain[0] ?? '').replace(/\s+/g, '')).toContain(
      text.slice(0, 60).replace(/\s+/g, ''),
    );
    expect(html.join('')).toContain('After <strong>it</strong>.');
  });

  test.each(TOO_DEEP)('%s read in parts end like a single reading', (_, text) => {
    const whole = `Before.\n\n${text}\n\nAfter.`;
    const blocks = new ReadText();
    for (const end of [20, 90, 150, 1_000, whole.length - 4])
      blocks.update(whole.slice(0, end), false);
    blocks.update(whole, true);
    expect(blocks.list.map(({ html }) => html).join('')).toBe(wholeHtml(whole));
  });

  test('a table with too many cells becomes plain text', () => {
    const columns = 500;
    const rows = MAX_TABLE_CELLS / columns;
    const table = (count: number) =>
      `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|\n'.repeat(count)}`;
    expect(wholeHtml(table(rows / 2))).toContain('<table>');
    expect(wholeHtml(table(rows))).toMatch(/^<p class="parley-plain">/);
  });

  test('a link with too long a URL is plain text', () => {
    const address = (length: number) => `https://a.b/${'c'.repeat(length)}`;
    const html = (length: number) => wholeHtml(`[words][x] ![map][x]\n\n[x]: ${address(length)}`);
    expect(html(100)).toContain('<a class="external-link"');
    expect(html(MAX_ADDRESS_CHARS)).toBe('<p>words map</p>\n');
  });
});

describe('a block within the limits', () => {
  test.each([
    ['quotes', '> ', 'blockquote'],
    ['list items', '- ', 'li'],
    ['numbered list items', '1. ', 'li'],
  ])('%s at the depth limit are drawn', (_, mark, element) => {
    const html = wholeHtml(`${mark.repeat(MAX_NESTING_DEPTH)}x`);
    expect(html.match(new RegExp(`<${element}>`, 'g'))).toHaveLength(MAX_NESTING_DEPTH);
    expect(html).not.toContain('parley-plain');
  });

  test.each([
    ['a list', '- a\n', 'li'],
    ['a list between other blocks', '# A\n- a\n- b\n---\n* c\n', 'li'],
    ['a quote', '> a\n>\n', 'blockquote'],
  ])('%s of as many lines as are read is drawn', (_, lines, element) => {
    const html = wholeHtml(lines.repeat(MAX_BLOCK_LINES / (lines.split('\n').length - 1)));
    expect(html).toContain(`<${element}>`);
    expect(html).not.toContain('parley-plain');
  });

  test.each<[what: string, isPlain: boolean, text: string]>([
    ['a fence in a list', true, `${'- a\n'.repeat(3_001)}- \`\`\`js\n  x\n  \`\`\`\n\n`],
    [
      'a fence that ends further left',
      true,
      `${'- a\n'.repeat(3_001)}- b\n\n    \`\`\`\n    x\n  \`\`\`\n\n`,
    ],
    ['a fence below a quote', false, `> Note\n\`\`\`js\n${'x\n'.repeat(3_001)}\n\ny\n\`\`\`\n\n`],
    ['a paragraph indented by one', true, `${'- a\n'.repeat(3_001)}\n A paragraph\ngoes on.\n\n`],
    ['blank lines below a list', false, `- a\n- b\n${'\n'.repeat(3_001)}`],
  ])('%s does not change what follows it', (_, isPlain, text) => {
    const html = wholeHtml(`${text}# Heading\n\nText **bold**.\n`);
    expect(html).toContain('<h1>Heading</h1>');
    expect(html).toContain('<strong>bold</strong>');
    const plain = /<p class="parley-plain">[^<]*/.exec(html)?.[0] ?? '';
    expect(plain !== '').toBe(isPlain);
    expect(plain).not.toContain('paragraph');
  });

  test('many short lists are drawn, however many lines they have together', () => {
    const html = wholeHtml('- a\n- b\n\nWords.\n\n'.repeat(MAX_BLOCK_LINES));
    expect(html.match(/<li>/g)).toHaveLength(2 * MAX_BLOCK_LINES);
  });

  test('a list nested step by step to the depth limit is drawn', () => {
    const html = wholeHtml(staircase('-', MAX_NESTING_DEPTH));
    expect(html.match(/<li>/g)).toHaveLength(MAX_NESTING_DEPTH);
  });

  test('code keeps every mark at the start of its lines', () => {
    const line = `${'> - '.repeat(NESTING_DEPTH)}x`;
    expect(textOf(wholeHtml(`\`\`\`\n${line}\n\`\`\``)).trim()).toBe(line);
    expect(wholeHtml(`    ${line}`)).toContain('<pre>');
  });

  test('a long rule stays a rule, also in a quote', () => {
    expect(wholeHtml('- '.repeat(NESTING_DEPTH))).toBe('<hr>\n');
    expect(wholeHtml(`> ${'* '.repeat(1_000)}`)).toBe('<blockquote>\n<hr>\n</blockquote>\n');
  });
});

describe('hostile input', () => {
  // Each of them took minutes or all memory without limits; the failure would be a hanging test.
  test.each([
    ['a deep list with lazy lines', `${'- '.repeat(5_000)}x\n${'y\n'.repeat(5_000)}`],
    ['a list as deep as the bound with lazy lines', `${'- '.repeat(50)}x\n${'y\n'.repeat(5_000)}`],
    ['deep items beside each other', `${'- '.repeat(500)}x\ny\n`.repeat(50)],
    [
      'a wide table with many short rows',
      `${'|a'.repeat(9_000)}|\n${'|-'.repeat(9_000)}|\n${'|\n'.repeat(9_000)}`,
    ],
    ['a list item of very many lines', `- x\n${'  y\n'.repeat(20_000)}`],
    ['a quote with very many gaps', '> x\ny\n'.repeat(20_000)],
    [
      'one definition for very many links',
      `[a]: https://a.b/${'c'.repeat(50_000)}\n\n${'[a]'.repeat(15_000)}`,
    ],
  ])('%s can be read', (_, text) => {
    expect(textOf(wholeHtml(text)).length).toBeGreaterThan(0);
  });
});
