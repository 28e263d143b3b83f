import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaced, searchAtCaret } from '#components/composer/suggestions.svelte.ts';

/** The bar marks the caret. */
function at(written: string) {
  const caret = written.indexOf('|');
  return searchAtCaret(written.replace('|', ''), caret);
}

describe('a mention', () => {
  test.each([
    ['@|', ''],
    ['See @sho|', 'sho'],
    ['See @sho|p and more', 'sho'],
    ['(@Lists/Sho|', 'Lists/Sho'],
    ['買い物@京都|', '京都'],
    ['🌱@Bohnen für|', 'Bohnen für'],
    ['one\n@two|', 'two'],
    ['a@b.c @x|', 'x'],
    ['@Trip#Trains at|', 'Trip#Trains at'],
  ])('a mention is found in %s', (written, query) => {
    expect(at(written)).toMatchObject({ sign: '@', query });
  });

  test.each([
    'ines@home|',
    'See | @sho',
    '@ sho|',
    '@a\nb|',
    '@two  spaces|',
    '[[x]] @a]]|',
    '|@',
    'a @one two three four five|',
    `@${'x'.repeat(61)}|`,
  ])('a mention is not found in %s', (written) => {
    expect(at(written)).toBeNull();
  });
});

describe('a link', () => {
  test.each([
    ['[[|', ''],
    ['See [[Sho|', 'Sho'],
    ['See [[a note of many words, and more|', 'a note of many words, and more'],
    ['[[Trip#Tra|', 'Trip#Tra'],
    ['[[a]] and [[b|', 'b'],
    ['@x [[me@home|', 'me@home'],
  ])('a link is found in %s', (written, query) => {
    expect(at(written)).toMatchObject({ sign: '[[', query });
  });

  test.each(['[[a]]|', '[[a\nb|', '[a|', `[[${'x'.repeat(61)}|`])(
    'a link is not found in %s',
    (written) => {
      expect(at(written)?.sign).not.toBe('[[');
    },
  );

  test('the end of a link that was typed before its name goes', () => {
    const whole = 'See [[Sho]] now';
    const typed = searchAtCaret(whole, 9);
    expect(typed && replaced(whole, typed, '[[Shopping]]').text).toBe('See [[Shopping]] now');
  });
});

describe('a command', () => {
  test.each([
    ['/|', ''],
    ['/new ch|', 'new ch'],
    ['  /stop|', 'stop'],
  ])('a command is found at the start of the text: %s', (written, query) => {
    expect(at(written)).toMatchObject({ sign: '/', query });
  });

  test.each(['and/or|', 'See /stop|', '/a/b|', '/one\n|'])(
    'a command is not found in %s',
    (written) => {
      expect(at(written)).toBeNull();
    },
  );
});

const text = fc.array(
  fc.constantFrom(
    '@',
    '/',
    '#',
    ' ',
    '\n',
    'a',
    'é',
    '👩‍👧',
    '京',
    '[[',
    '.',
    'シ',
    '\u3000',
    '\u200b',
  ),
  { maxLength: 30 },
);

test('inserting a suggestion replaces only the text between its character and the caret', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom('', '[[Shopping]]', '#👩‍👧'), (before, after, words) => {
      const caret = before.join('').length;
      const whole = before.join('') + after.join('');
      const typed = searchAtCaret(whole, caret);
      fc.pre(typed !== null);
      expect(typed.to).toBe(caret);
      expect(whole.slice(typed.from, typed.to)).toBe(typed.sign + typed.query);
      const made = replaced(whole, typed, words);
      expect(made.text.startsWith(whole.slice(0, typed.from) + words)).toBe(true);
      expect(made.text.endsWith(whole.slice(typed.to))).toBe(true);
      expect(made.text.slice(typed.from, made.caret).trimEnd()).toBe(words);
    }),
  );
});
