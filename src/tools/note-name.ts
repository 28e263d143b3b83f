/** Names of notes, made from words. */
import { firstCharacters } from './shorten';

const LONGEST_NAME = 80;

/** Without what no file name may have on some system; '' if nothing is left. */
export function noteName(words: string): string {
  const plain = words
    .replace(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return firstCharacters(plain, LONGEST_NAME).replace(
    /^[.\s\p{Default_Ignorable_Code_Point}]+|[.\s]+$/gu,
    '',
  );
}
