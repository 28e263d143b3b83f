/** Reads the words of a text. In scripts without spaces between words, each character is one. */

/** Scripts without spaces between words, for use in a class of a pattern. */
export const UNSPACED =
  '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';

const LETTERS = '\\p{L}\\p{M}\\p{N}';

/**
 * A pattern that finds words.
 *
 * @param joiners further characters of words, for use in a class
 * @param others what else is found, as alternatives
 */
export function wordPattern(joiners = '', ...others: readonly string[]): RegExp {
  const words = [
    // Most words are ASCII, and found several times faster by this alternative.
    `[A-Za-z0-9${joiners}]+(?![${LETTERS}${joiners}])`,
    `(?=[${LETTERS}])[${UNSPACED}]`,
    `(?:(?![${UNSPACED}])[${LETTERS}${joiners}])+`,
  ];
  return new RegExp([...words, ...others].join('|'), 'gu');
}

/** Changed regions beyond this length, on all sides and in all, are not compared word by word. */
export const MAX_COMPARED_CHARS = 25_000;

/** What `Intl.Segmenter` finds in a text that is all ASCII, many times faster. */
const ASCII_WORDS = /(?:\w|(?<=[A-Za-z])[:.'](?=[A-Za-z])|(?<=\d)[.,;'](?=\d))+|\r\n| +|[^]/g;

/** Whole words that are all ASCII, or few others: `Intl.Segmenter` takes quadratic time. */
const PORTION = /\p{ASCII}+(?<=\s)|\p{ASCII}+$|(?:\S*\P{ASCII}\S*\s*){1,100}/gu;

/** Made on first use, because it loads a dictionary. */
let segmenter: Intl.Segmenter | undefined;

/**
 * Words, spaces, and punctuation in order, as the language of the text separates them; joined, they
 * are the text.
 */
export function splitWords(text: string): string[] {
  const words = (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' }));
  return (text.match(PORTION) ?? []).flatMap((portion) =>
    /^\p{ASCII}*$/u.test(portion)
      ? (portion.match(ASCII_WORDS) ?? [])
      : Array.from(words.segment(portion), ({ segment }) => segment),
  );
}
