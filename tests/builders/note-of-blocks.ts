/** Generates notes out of marks that begin, continue and end blocks, in any order. */
import fc from 'fast-check';

const CONTAINERS = [
  ...['', '> ', '>', '> > ', '>> ', '  > ', '   > ', '    > ', '> \t', '>\t', '\t>', '>     '],
  ...['- ', '* ', '1. ', '10) ', '- - ', '-\t', '- [ ] ', '- \t', '-     ', '- > ', '> - ', '2. '],
  ...['  ', '   ', '    ', '      ', '\t', '\t\t'],
];

const BLOCKS = [
  ...[
    '```',
    '~~~',
    '````',
    '~~~~',
    '```js',
    '~~~ text',
    '``` a`b',
    '``` ```',
    '```\u00A0',
    '```\t',
    '``',
  ],
  ...['<div>', '</div>', '<pre>', '</pre>', '<!--', '-->', '<!-- -->', '<!-- a', '<script>', '<b'],
  ...['</script>', '<?', '?>', '<![CDATA[', ']]>', '<a>', '</x>', '<x `a', '<p>`', '<svg>', '">'],
  ...['---', '===', '-', '*', '1.', '2.', '***', '- - -', '_ _ _', '=', '--', '|a|b|', '|-|-|'],
  ...['# h', '#', '#a', 'x', 'a  ', '"t', '`', '\\', '\\```', '&nbsp;', '\u00A0', '\u00A0```'],
  ...['\u3000', '[', '\u3000```', '', ''],
];

/**
 * Lines without their line endings.
 *
 * @param others further texts that may stand in a line
 */
export function noteOfBlocks(others: readonly string[] = []): fc.Arbitrary<string[]> {
  const line = fc
    .tuple(
      fc.constantFrom(...CONTAINERS, ...Array.from({ length: 8 }, () => '')),
      fc.option(fc.constantFrom(...CONTAINERS), { freq: 4, nil: '' }),
      fc.option(fc.constantFrom(...BLOCKS), { freq: 8, nil: '' }),
      fc.constantFrom(...BLOCKS, ...others),
    )
    .map(([outer, inner, before, block]) => outer + inner + (before && `${before} `) + block);
  return fc.array(line, { minLength: 2, maxLength: 9 });
}
