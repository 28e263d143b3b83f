import { expect, it } from 'vitest';
import { capitalize, clip, firstCharacters, oneLine } from '#text/shorten';
import { quote } from '#text/paths';

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
