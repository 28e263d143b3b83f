/**
 * Inverted lists in few bytes. An entry is the distance to the slot before, doubled, plus one unless
 * the word occurs once in the text and in no field; then follow its count and fields. Both numbers have
 * seven bits a byte, the lowest first, and a high bit on all bytes but the last.
 */
import type { Field } from './chunks';

/** How often a word occurs in the text of a note (`COUNT`), and in which fields (`FIELD_BITS`). */
export type WordUse = number;

export const COUNT = 0xfff;
export const FIELD_BITS: Readonly<Record<Exclude<Field, 'body' | 'property'>, number>> = {
  title: 0x1000,
  alias: 0x2000,
  tag: 0x4000,
  heading: 0x8000,
};

/** The notes of each word, by its number. */
export interface Postings {
  /** Where the list of each word begins in the bytes, and the end of the last one. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly entries: number;
}

export const NO_POSTINGS: Postings = {
  starts: new Uint32Array(1),
  bytes: new Uint8Array(0),
  entries: 0,
};

/** The most bytes of an entry. */
const MAX_ENTRY_BYTES = 8;

const USE_BITS = { fields: 4, count: 12 };
const ONCE: WordUse = 1;

/** One list at a time. */
export class PostingsReader {
  readonly #postings: Postings;
  /** Ascending. */
  readonly slots: Uint32Array;
  readonly uses: Uint16Array;

  /** @param slotEnd one more than the highest slot */
  constructor(postings: Postings, slotEnd: number) {
    this.#postings = postings;
    this.slots = new Uint32Array(slotEnd);
    this.uses = new Uint16Array(slotEnd);
  }

  /** Reads the list of a word into the arrays; returns its number of entries. */
  read(word: number): number {
    const { starts, bytes } = this.#postings;
    const { slots, uses } = this;
    const end = starts[word + 1] ?? 0;
    let slot = -1;
    let count = 0;
    let at = starts[word] ?? end;
    while (at < end) {
      let byte = bytes[at++]!;
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 0x7f) << shift;
      }
      slot += (value >>> 1) + 1;
      let use = ONCE;
      if ((value & 1) === 1) {
        byte = bytes[at++]!;
        value = byte & 0x7f;
        for (let shift = 7; byte > 0x7f; shift += 7) {
          byte = bytes[at++]!;
          value |= (byte & 0x7f) << shift;
        }
        use = (value >>> USE_BITS.fields) | ((value << USE_BITS.count) & ~COUNT);
      }
      slots[count] = slot;
      uses[count++] = use;
    }
    return count;
  }
}

/** Writes the lists of all words in order. */
export class PostingsWriter {
  readonly #starts: number[] = [0];
  readonly #bytes: Uint8Array;
  #at = 0;
  #slot = -1;
  #entries = 0;

  /** @param before bytes of the lists that are written again, with the same or nearer slots */
  constructor(before: number, newEntries: number) {
    this.#bytes = new Uint8Array(before + newEntries * MAX_ENTRY_BYTES);
  }

  /** Slots must ascend within a list. */
  add(slot: number, use: WordUse): void {
    const distance = (slot - this.#slot - 1) * 2;
    this.#slot = slot;
    this.#entries += 1;
    if (use === ONCE) {
      this.#write(distance);
      return;
    }
    this.#write(distance + 1);
    this.#write(((use & COUNT) << USE_BITS.fields) | (use >>> USE_BITS.count));
  }

  /** Ends the list of a word. Returns false if it is empty; then the next list is this word's. */
  endList(): boolean {
    if (this.#slot < 0) return false;
    this.#starts.push(this.#at);
    this.#slot = -1;
    return true;
  }

  postings(): Postings {
    return {
      starts: Uint32Array.from(this.#starts),
      bytes: this.#bytes.slice(0, this.#at),
      entries: this.#entries,
    };
  }

  #write(value: number): void {
    let left = value;
    for (; left > 0x7f; left >>>= 7) this.#bytes[this.#at++] = (left & 0x7f) | 0x80;
    this.#bytes[this.#at++] = left;
  }
}
