import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  classifyLine,
  columns,
  type LineState,
  TOP_LEVEL,
} from '#model/proposal/markdown-structure';
import { shapeOf } from '#model/proposal/units';

const PARTS = [
  ...['a', 'é', '漢', ' ', '    ', '\t', '12', '#', '# '],
  ...['- ', '+ ', '* ', '1. ', '2) ', '> ', '>'],
  ...['---', '***', '===', '```', '~~~', '`', '$$', '%%', '|', ':-', '[', '[a]: b', '- [ ] ', '\\'],
  ...['<div>', '</pre>', '<pre>', '<!--', '-->', '<?', '?>', '<!x', '<![CDATA[', ']]>', '\u00a0'],
];
const lines = fc.array(fc.constantFrom(...PARTS), { maxLength: 5 }).map((parts) => parts.join(''));

/** The states after some lines, at most a few. */
function statesAfter(above: readonly string[]): readonly LineState[] {
  return above.reduce<readonly LineState[]>(
    (states, line) =>
      states.flatMap((state) => classifyLine(state, columns(line)).next).slice(0, 4),
    [TOP_LEVEL],
  );
}

test('the shape of a line reads as the line does', () => {
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 4 }), lines, (above, line) => {
      for (const state of statesAfter(above)) {
        expect(classifyLine(state, columns(shapeOf(line)))).toEqual(
          classifyLine(state, columns(line)),
        );
      }
    }),
    { numRuns: Number(process.env['CASES'] ?? 3_000) },
  );
});

test('lines of prose have the shape of their marks', () => {
  expect(shapeOf('Some words, and more.')).toBe('a');
  expect(shapeOf('  - [ ] water the plants')).toBe('  - a');
  expect(shapeOf('> ## Été')).toBe('> ## a');
  expect(shapeOf('text that opens $$ or %%')).toBe('text that opens $$ or %%');
});
