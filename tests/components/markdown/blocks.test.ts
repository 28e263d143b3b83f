import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import { markdown } from './pieces';
import { ReadText, wholeHtml } from './whole';

function grown(text: string, size: number): ReadText {
  const blocks = new ReadText();
  for (let end = size; end < text.length; end += size) blocks.update(text.slice(0, end), false);
  blocks.update(text, true);
  return blocks;
}

function joined(blocks: ReadText): string {
  return blocks.list.map(({ html }) => html).join('');
}

describe('a growing text', () => {
  test('a list drawn again for a later definition keeps its white space', () => {
    const text = '- item\n===    \t\n\n\n[y]: https://a.b\n';
    expect(joined(grown(text, 1))).toBe(wholeHtml(text));
  });

  test('a growing text ends like a single reading of the whole', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 25 }), (text, size) => {
        expect(joined(grown(text, size))).toBe(wholeHtml(text));
      }),
      cases,
    );
  });

  test.each([
    'A line\n2. two\n- item\n',
    '1. one\n\n2. two\n',
    '    code\n\n    more\n',
    '> a\n>\n> b',
  ])('a growing text settles nothing that the next line may change: %j', (text) =>
    expect(joined(grown(text, 1))).toBe(wholeHtml(text)),
  );

  test('finished blocks stay the same objects', () => {
    const blocks = new ReadText();
    blocks.update('# One\n\nTwo.\n\nThree.\n\nFour', false);
    const [first] = blocks.list;
    blocks.update('# One\n\nTwo.\n\nThree.\n\nFour and more.\n\nFive.', false);
    expect(blocks.list[0]).toBe(first);
  });

  test('a block is drawn again when its link is defined later', () => {
    const blocks = new ReadText();
    blocks.update('See [the plan][p].\n\nMore.\n\nAnd more.\n\nAnd', false);
    expect(blocks.list[0]?.html).not.toContain('<a');
    blocks.update('See [the plan][p].\n\nMore.\n\nAnd more.\n\nAnd\n\n[p]: https://a.b\n', true);
    expect(blocks.list[0]?.html).toContain('href="https://a.b"');
  });

  test('a block is drawn again when its link is defined far below, inside a list', () => {
    const blocks = new ReadText();
    const text = `See [the plan][p].\n\n- [p]: https://a.b\n\n${'More.\n\n'.repeat(30)}And [p].`;
    for (let end = 1; end < text.length; end += 10) blocks.update(text.slice(0, end), false);
    blocks.update(text, true);
    expect(joined(blocks)).toBe(wholeHtml(text));
    expect(blocks.list.at(-1)?.html).toContain('href="https://a.b"');
  });

  test('a block is not drawn again for a definition it does not use', () => {
    const blocks = new ReadText();
    const text = 'See [the plan][p].\n\nMore.\n\nAnd more.\n\nSee [it][i].\n\nMore.\n\nAnd';
    for (let end = 1; end <= text.length; end += 1) blocks.update(text.slice(0, end), false);
    const before = blocks.list;
    blocks.update(`${text}\n\n[i]: https://a.b\n`, true);
    expect(blocks.list[3]?.html).not.toBe(before[3]?.html);
    expect(blocks.list[0]).toBe(before[0]);
  });

  test('adding to a long text reads no more than adding to a short one', () => {
    const line = 'A sentence with **bold** words and a [[Note]].\n\n';
    const read: number[] = [];
    const blocks = new ReadText();
    let text = '';
    for (let count = 0; count < 400; count += 1) {
      text += line;
      const before = blocks.list;
      blocks.update(text, false);
      const after = blocks.list;
      read.push(after.filter((block) => !before.includes(block)).length);
    }
    expect(Math.max(...read.slice(-100))).toBeLessThanOrEqual(Math.max(...read.slice(5, 100)));
  });

  test('earlier pages stay unchanged', () => {
    const text = 'A line.\n\n'.repeat(100);
    const blocks = new ReadText();
    const before = blocks.update(text, false);
    const after = blocks.update(`${text}And one more.`, false);
    expect(before.length).toBeGreaterThan(2);
    expect(after.slice(0, -1)).toEqual(before.slice(0, after.length - 1));
    expect(after[0]).toBe(before[0]);
  });

  test('a different text starts anew', () => {
    const blocks = new ReadText();
    blocks.update('One.\n\nTwo.\n\nThree.', false);
    blocks.update('Else.', true);
    expect(joined(blocks)).toBe(wholeHtml('Else.'));
  });
});
