import { Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted, firstNames } from '#messages/plural';
import {
  capitalize,
  clip,
  closeGaps,
  codeSpan,
  firstCharacters,
  oneLine,
  shorten,
} from '#text/shorten';
import { quote } from '#text/paths';
import { cases } from '../cases';

it('clip marks a longer text and never keeps half of a character', () => {
  expect(clip('short', 5)).toBe('short');
  expect(clip('longer', 4, ' …')).toBe('long …');
  expect(clip('ab😀', 3)).toBe('ab…');
  expect(firstCharacters('ab😀', 4)).toBe('ab😀');
  expect(quote(`${'a'.repeat(199)}😀`)).toBe(`\`${'a'.repeat(199)}…\``);
});

it('oneLine joins lines and removes outer spaces, and capitalize changes the first letter', () => {
  expect(oneLine('  one\r\n\ttwo  ')).toBe('one two');
  expect(capitalize('lists/Shopping')).toBe('Lists/Shopping');
});

it('closeGaps leaves at most one blank line between words, and what indents a line', () => {
  const text = `a${' '.repeat(30)}b\nc\n \n\u3000\n\n  d\r\n\te`;
  expect(closeGaps(text)).toBe('a b\nc\n\n  d\r\n\te');
});

it('counts in messages have grouped digits, also beyond a list of names', () => {
  expect(counted(1, 'card')).toBe('1 card');
  expect(counted(1_200, 'match', 'matches')).toBe('1,200 matches');
  expect(firstNames(['A', 'B', 'C'], 2)).toBe('A, B and 1 more');
  expect(firstNames(['A', 'B'], 2, 1_202)).toBe('A, B and 1,200 more');
});

it.each(['plain.md', 'a`b.md', '`a`', '``', 'a``b`c.md', '`a b'])(
  'commonmark reads the path %s in a message as one piece of code',
  (path) => {
    for (const shown of [codeSpan(path), quote(path)]) {
      const paragraph = new Parser().parse(`See ${shown}, and \`more\`.`).firstChild;
      expect(paragraph?.firstChild?.next).toMatchObject({ type: 'code', literal: path });
    }
  },
);

it('shorten never splits a character or exceeds the limit', () => {
  const units = fc.constantFrom('👩‍🍳', 'é', 'a', ' ', '世', '🇩🇪', '.', '\n');
  fc.assert(
    fc.property(
      fc.array(units, { maxLength: 40 }),
      fc.integer({ min: 2, max: 60 }),
      (each, limit) => {
        const whole = each.join('');
        const short = shorten(whole, limit);
        expect(short.length).toBeLessThanOrEqual(limit);
        expect(short).not.toMatch(/\p{Surrogate}/u);
        const kept = short === whole ? whole : short.slice(0, -1);
        expect(whole.startsWith(kept)).toBe(true);
      },
    ),
    cases,
  );
});
