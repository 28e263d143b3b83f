import { expect, it } from 'vitest';
import { linkRewriter } from '#edits/link-rewrites';

it('linkRewriter spells a number sign in a name so that it names no heading', () => {
  const rewrite = linkRewriter([{ from: 'In/C# x.md', to: 'Out/C# x.md' }], ['Out/C# x.md']);
  expect(rewrite('[a](In/C%23%20x.md#b) [a](<In/C%23 x.md>)')).toBe(
    '[a](Out/C%23%20x.md#b) [a](<Out/C%23 x.md>)',
  );
});
