/** Makes texts comparable: ignores case, accents and Unicode composition, and finds words that way. */

/**
 * Optional marks: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels, and the Arabic
 * elongation stroke.
 */
const ACCENTS = /[\u0300-\u036F\u0591-\u05BD\u05BF-\u05C7\u0610-\u061A\u064B-\u065F\u0670]|\u0640/g;

/** Letters that are written with plain ones, but that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ς: 'σ', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
};
const WHOLE_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

const ASCII = /^[\0-\x7F]*$/;

/** A character with its marks. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** The text without case, accents and differences of composition. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(WHOLE_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** A text in which folded words can be found at their places. */
export class FoldedText {
  readonly #length: number;
  readonly #folded: string;
  /** By place in the folded text: where its character begins in the text; null if nothing moves. */
  readonly #starts: readonly number[] | null;

  constructor(text: string) {
    this.#length = text.length;
    if (isAscii(text)) {
      this.#folded = text.toLowerCase();
      this.#starts = null;
      return;
    }
    const parts: string[] = [];
    const starts: number[] = [];
    for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
      const part = folded(cluster);
      parts.push(part);
      for (let at = 0; at < part.length; at++) starts.push(index);
    }
    this.#folded = parts.join('');
    this.#starts = starts;
  }

  /** The ranges in the text, from start to end, in which it has the folded word. */
  *places(word: string): Generator<readonly [from: number, to: number], void> {
    if (word === '') return;
    for (
      let at = this.#folded.indexOf(word);
      at >= 0;
      at = this.#folded.indexOf(word, at + word.length)
    ) {
      yield [this.#startOf(at), this.#endOf(at + word.length)];
    }
  }

  has(word: string): boolean {
    return this.#folded.includes(word);
  }

  #startOf(place: number): number {
    return this.#starts?.[place] ?? place;
  }

  /** The end of the character that the folded text before this place ends with. */
  #endOf(place: number): number {
    const starts = this.#starts;
    if (!starts) return place;
    const last = starts[place - 1];
    let end = place;
    while (starts[end] === last) end += 1;
    return starts[end] ?? this.#length;
  }
}
