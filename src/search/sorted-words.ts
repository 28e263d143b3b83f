/**
 * Sorted words, joined in few strings: a string of its own takes four times the memory of a word of
 * average length.
 */

/** Small, because one character beyond Latin-1 doubles the size of its block. */
const BLOCK_WORDS = 64;

export class SortedWords {
  readonly length: number;
  readonly #blocks: readonly string[];
  /** Where each word begins in its block. */
  readonly #starts: Uint16Array;

  /** @param words sorted, each shorter than a thousand characters */
  constructor(words: readonly string[]) {
    this.length = words.length;
    this.#starts = new Uint16Array(words.length);
    const blocks: string[] = [];
    for (let first = 0; first < words.length; first += BLOCK_WORDS) {
      const block = words.slice(first, first + BLOCK_WORDS);
      let start = 0;
      for (const [at, { length }] of block.entries()) {
        this.#starts[first + at] = start;
        start += length;
      }
      blocks.push(block.join(''));
    }
    this.#blocks = blocks;
  }

  /** The place must be one of the list. */
  at(place: number): string {
    return this.#block(place).slice(this.#starts[place], this.#endOf(place));
  }

  charsAt(place: number): number {
    return this.#endOf(place) - this.#starts[place]!;
  }

  /** The first place whose word does not come before this one. */
  placeOf(word: string): number {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.at(middle) < word) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #endOf(place: number): number {
    const next = place + 1;
    const isLast = next % BLOCK_WORDS === 0 || next === this.length;
    return isLast ? this.#block(place).length : this.#starts[next]!;
  }

  #block(place: number): string {
    return this.#blocks[Math.floor(place / BLOCK_WORDS)]!;
  }
}
