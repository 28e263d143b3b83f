/**
 * How words sound, roughly: words that a transcription may take for each other have the same sound.
 * Sounds are letters: consonants in a few groups, and "a" for a vowel at the start.
 */
import { hasRun } from './spoken-words';

/** In this order, each on the result of those before. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^ps/, 's'],
  [/^x/, 's'],
  [/ph/g, 'f'],
  [/gh/g, ''],
  [/tch|dge?(?=[ei])|ch|sh|j|g(?=[eiy])|c(?=[eiy])|z/g, 's'],
  [/x/g, 'ks'],
  [/[cgq]/g, 'k'],
  [/b/g, 'p'],
  [/d/g, 't'],
  [/v/g, 'f'],
  [/m/g, 'n'],
  [/^h/, ''],
  [/^[aeiouy]/, 'A'],
  [/(?!^)[aeiouyhw]/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Empty for a word without letters. */
export function soundOf(word: string): string {
  const letters = word.normalize('NFD').replace(/[^\p{L}]/gu, '');
  const sound = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), letters);
  return sound.toLowerCase();
}

/** Whether the words sound like some of the others that follow each other. */
export function soundsWithin(words: readonly string[], others: readonly string[]): boolean {
  const sounds = (all: readonly string[]) => all.map(soundOf).filter((sound) => sound !== '');
  return hasRun(sounds(others), sounds(words));
}
