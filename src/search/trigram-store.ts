/**
 * The trigram filters of many texts in few arrays: an array of its own would take more memory than the
 * filter of a short text.
 */
import { MAX_BITS, mayMatch, type TrigramFilter, type TrigramQuery } from './trigram-filter';

/** The place of a filter in the store, times 32, plus the logarithm of its length. */
export type StoredFilter = number;

/** An array has room for the longest filter. */
const ARRAY_WORDS = MAX_BITS / 32;

export class TrigramStore {
  readonly #arrays: Uint32Array[] = [];
  /** Places without a filter, by the logarithm of their length. */
  readonly #free: number[][] = Array.from({ length: Math.log2(ARRAY_WORDS) + 1 }, () => []);

  put(filter: TrigramFilter): StoredFilter {
    const size = Math.log2(filter.length);
    const place = this.#take(size);
    this.#arrays[Math.floor(place / ARRAY_WORDS)]!.set(filter, place % ARRAY_WORDS);
    return place * 32 + size;
  }

  remove(filter: StoredFilter): void {
    this.#free[filter & 31]!.push(filter >>> 5);
  }

  mayMatch(filter: StoredFilter, query: TrigramQuery): boolean {
    const place = filter >>> 5;
    const filters = this.#arrays[Math.floor(place / ARRAY_WORDS)]!;
    return mayMatch(filters, query, place % ARRAY_WORDS, 2 ** (filter & 31));
  }

  /** Halves a longer place if there is none of this size. */
  #take(size: number): number {
    const known = this.#free[size]!.pop();
    if (known !== undefined) return known;
    if (2 ** size === ARRAY_WORDS) {
      return (this.#arrays.push(new Uint32Array(ARRAY_WORDS)) - 1) * ARRAY_WORDS;
    }
    const place = this.#take(size + 1);
    this.#free[size]!.push(place + 2 ** size);
    return place;
  }
}
