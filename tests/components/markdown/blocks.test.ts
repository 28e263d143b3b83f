import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Blocks, wholeHtml } from '#components/message/markdown/blocks.ts';

function grown(text: string, size: number): Blocks {
  const blocks = new Blocks();
  for (let end = size; end < text.length; end += size) blocks.update(text.slice(0, end), false);
  blocks.update(text, true);
  return blocks;
}

function joined(blocks: Blocks): string {
  return blocks.list.map(({ html }) => html).join('');
}

/** Pieces that change what stands before or after them, put together at random. */
const PIECES = [
  ...[
    '\n',
    '\n\n',
    '\n\n\n',
    ' ',
    '    ',
    '\t',
    '\r\n',
    'word',
    'a b',
    '- item',
    '* item',
    '1. one',
  ],
  ...[
    '2. two',
    '2',
    '10) ten',
    '+ plus',
    '  - nested',
    '    deep',
    '> quote',
    '>',
    '# head',
    '## ',
  ],
  ...[
    '===',
    '---',
    '***',
    '```',
    '```js\n',
    '~~~',
    '`code`',
    '**bold',
    '**',
    '_em_',
    '~~',
    '~~gone~~',
  ],
  ...[
    '| a | b |',
    '| --- | --- |',
    '| 1 | 2 |',
    '|',
    '[x]',
    '[x][y]',
    '[x]: /note',
    '[y]: https://a.b',
  ],
  ...[
    '"title"',
    ' "title',
    '[a](b)',
    '![p](https://c.d/e)',
    '[[Note]]',
    '[[No',
    '|te]]',
    '- [ ] task',
  ],
  ...[
    '<div>',
    '</div>',
    '<br>',
    '<!--',
    '-->',
    '<kbd>K</kbd>',
    '<script>',
    '</script>',
    '<p>x',
    '<?',
    '?>',
  ],
  ...[
    '==hi==',
    '\\',
    '&amp;',
    'https://auto.link/x',
    '<https://a.b>',
    '😀',
    'שלום',
    '$x$',
    ':',
    '-',
  ],
];
const markdown = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 40 })
  .map((pieces) => pieces.join(''));

describe('a text that grows', () => {
  test('ends as one reading of the whole would have it', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 25 }), (text, size) => {
        expect(joined(grown(text, size))).toBe(wholeHtml(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps finished blocks as the very same objects', () => {
    const blocks = new Blocks();
    blocks.update('# One\n\nTwo.\n\nThree.\n\nFour', false);
    const [first] = blocks.list;
    blocks.update('# One\n\nTwo.\n\nThree.\n\nFour and more.\n\nFive.', false);
    expect(blocks.list[0]).toBe(first);
  });

  test('draws a block once more when its link is defined later', () => {
    const blocks = new Blocks();
    blocks.update('See [the plan][p].\n\nMore.\n\nAnd more.\n\nAnd', false);
    expect(blocks.list[0]?.html).not.toContain('<a');
    blocks.update('See [the plan][p].\n\nMore.\n\nAnd more.\n\nAnd\n\n[p]: https://a.b\n', true);
    expect(blocks.list[0]?.html).toContain('href="https://a.b"');
  });

  test('reads no more for a piece at the end of a long text than at its beginning', () => {
    const line = 'A sentence with **bold** words and a [[Note]].\n\n';
    const read: number[] = [];
    const blocks = new Blocks();
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

  test('leaves the pages before the end as they are', () => {
    const text = 'A line.\n\n'.repeat(100);
    const blocks = new Blocks();
    const before = blocks.update(text, false);
    const after = blocks.update(`${text}And one more.`, false);
    expect(before.length).toBeGreaterThan(2);
    expect(after.slice(0, -1)).toEqual(before.slice(0, after.length - 1));
    expect(after[0]).toBe(before[0]);
  });

  test('begins anew with a text that is another', () => {
    const blocks = new Blocks();
    blocks.update('One.\n\nTwo.\n\nThree.', false);
    blocks.update('Else.', true);
    expect(joined(blocks)).toBe(wholeHtml('Else.'));
  });
});
