/** Splits text into words for the index, ignoring case, accents and Unicode composition. */
import { folded, isAscii } from '#text/text-folding';
import { UNSPACED } from '#text/word-reader';

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/** Splits a run of letters where it changes between such a script and any other. */
const STRETCH = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/** Longer runs are cut. */
const MAX_WORD_CHARS = 64;

/** Contracted words, with their apostrophe: `'s`, `'ll`, `'t`, `l'`, `qu'`. */
const CONTRACTIONS =
  /(?<=\p{L})['’](?:[dmnst]|ll|re|ve)(?!\p{L})|(?<![\p{L}\p{M}])(?:\p{L}|qu)['’](?=\p{L}{2})/gu;

/**
 * Returns the words of a text in order, with repetitions. In scripts without spaces, each pair of
 * adjacent characters is a word.
 * @param isQuery whether the text is a query: contractions such as the `s` of "today's" are left out,
 * and a single character of a script without spaces counts only if it has no neighbor
 */
export function wordsOf(text: string, isQuery = false): string[] {
  const plain = isQuery ? folded(text).replace(CONTRACTIONS, '') : folded(text);
  if (isAscii(plain)) return (plain.match(/[a-z0-9]+/g) ?? []).map(cut);
  return (plain.match(RUN) ?? []).flatMap((run) =>
    IS_UNSPACED.test(run)
      ? (run.match(STRETCH) ?? []).flatMap((each) =>
          IS_UNSPACED.test(each) ? pairs(each, isQuery) : [cut(each)],
        )
      : [cut(run)],
  );
}

/**
 * Whether the word is in a script without spaces, where a single character may be a word or begin
 * one.
 */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}

/**
 * In a note, the last character is a word by itself, so that each character begins a word and can
 * be found as a prefix.
 */
function pairs(stretch: string, isQuery: boolean): string[] {
  const letters = Array.from(stretch);
  const all = letters.map((letter, at) => letter + (letters[at + 1] ?? ''));
  return isQuery && letters.length > 1 ? all.slice(0, -1) : all;
}

function cut(word: string): string {
  return word.length > MAX_WORD_CHARS ? word.slice(0, MAX_WORD_CHARS) : word;
}

/** Maximum number of letters that may be wrong, missing, extra or swapped. */
export function typosIn(word: string): number {
  // A different number means something else.
  if (word.length < 5 || /\p{N}/u.test(word)) return 0;
  return word.length <= 8 ? 1 : 2;
}

/** Whether a word of a note may be a query word with typos. The first letter must be right. */
export function isMisspelling(word: string, name: string, typos: number): boolean {
  return typos > 0 && name.charCodeAt(0) === word.charCodeAt(0) && mayBeTypo(word, name, typos);
}

export function mayBeTypo(word: string, other: string, most: number): boolean {
  if (Math.abs(word.length - other.length) > most) return false;
  let [before, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= word.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const isSame = word[i - 1] === other[j - 1];
      let typos = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]) {
        typos = Math.min(typos, before[j - 2]! + 1);
      }
      next.push(typos);
      least = Math.min(least, typos);
    }
    if (least > most) return false;
    [before, row] = [row, next];
  }
  return row[other.length]! <= most;
}
