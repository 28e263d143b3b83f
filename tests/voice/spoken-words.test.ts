import { expect, test } from 'vitest';
import { spokenChoice, typedChoice } from '#voice/yes-no-words';
import type { Approval } from '#model/interaction';
import { spokenWords } from '#voice/spoken-words';

const NAMES = [['miss', 'simone'], ['simone']];

test.each<[string, string, readonly string[]]>([
  ['apostrophes inside a word', `a${"'".repeat(200_000)}b`, [`a${"'".repeat(200_000)}b`]],
  ['fillers', 'so '.repeat(100_000), ['so']],
  ['names', 'Miss Simone, '.repeat(50_000), []],
])('a spoken message with many %s is read to its end', (_what, text, words) => {
  expect(spokenWords(text, NAMES).words).toEqual(words);
});

test('the name, fillers and quotes around words are not part of what was said', () => {
  expect(spokenWords("Hey, okay Miss Simone, 'delete' it please, Simone", NAMES)).toEqual({
    words: ['delete', 'it'],
    whole: ['hey', 'okay', 'miss', 'simone', 'delete', 'it', 'please', 'simone'],
    isQuestion: false,
  });
});

test('a long run of yes decides nothing', () => {
  const approval = { choices: ['delete', 'keep'] } as unknown as Approval;
  expect(typedChoice('yes, yes', approval)).toBe('delete');
  expect(typedChoice('yes '.repeat(200_000), approval)).toBe(null);
});

test('spoken words never allow what is too long to have been announced', () => {
  const choices = ['allow-once', 'deny'];
  const said = (words: string, text: string) => {
    const approval = { choices, input: [{ name: 'a', text }] } as unknown as Approval;
    return spokenChoice(spokenWords(words, NAMES), approval);
  };
  expect(said('Simone, allow it', 'short')).toBe('allow-once');
  expect(said('Simone, allow it', 'long '.repeat(200))).toBe(null);
  expect(said('Simone, deny it', 'long '.repeat(200))).toBe('deny');
});
