import { expect, it } from 'vitest';
import { linkRewriter } from '#edits/links-after-rename';

it('linkRewriter spells a number sign in a name so that it names no heading', () => {
  const rewrite = linkRewriter([{ from: 'In/C# x.md', to: 'Out/C# x.md' }], ['Out/C# x.md']);
  expect(rewrite('[a](In/C%23%20x.md#b) [a](<In/C%23 x.md>)')).toBe(
    '[a](Out/C%23%20x.md#b) [a](<Out/C%23 x.md>)',
  );
});

it('linkRewriter ends links where they did if a new name has parentheses', () => {
  const rewrite = linkRewriter([{ from: 'Old.md', to: 'New (1.md' }], ['New (1.md']);
  expect(rewrite('[a](Old.md) [b](<Old.md>) [[Old]]')).toBe(
    '[a](New%20%281.md) [b](<New (1.md>) [[New (1]]',
  );
});
