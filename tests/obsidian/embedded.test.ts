import { expect, test } from 'vitest';
import { blockIn } from '#obsidian/vault/embedded-content';

const NOTE = `# Garden

Two beds, side by side,
and a path. ^beds

- beans ^beans
- peas
  in the shade ^peas

| bed | row |
| --- | --- |
| 1 | 2 |

^table
`;

test.each([
  ['^beds', 'Two beds, side by side,\nand a path.'],
  ['^beans', '- beans'],
  ['^peas', '- peas\n  in the shade'],
  ['^table', '| bed | row |\n| --- | --- |\n| 1 | 2 |'],
  ['^bed', null],
])('`blockIn` finds the block with the id %s', (name, expected) => {
  expect(blockIn(NOTE, name)).toBe(expected);
});
