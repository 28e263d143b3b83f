/**
 * The word index as a file, so that it need not be built again after a restart. The file is a cache:
 * one that is damaged, or of another form, is ignored and written again.
 */
import type { InvertedLists, IndexedFacts } from './word-index';

/** Changes with the form of the file, and with which words of a text are indexed. */
const FORM = 2;

export interface KeptWords {
  readonly lists: InvertedLists;
  /** The tag without which the notes were indexed; '' if there was none. */
  readonly excludedTag: string;
}

interface Head {
  readonly form: number;
  readonly excludedTag: string;
  readonly notes: readonly (readonly [path: string, stamp: string, length: number, name: number])[];
  readonly words: readonly string[];
  /** Number of entries in all lists. */
  readonly entries: number;
}

/** The checksum and the length of the head. */
const PREFIX_BYTES = 8;

/** Entries per step. */
const STEP_ENTRIES = 100_000;

/** At most three bytes for a use and five for a slot. */
const MAX_ENTRY_BYTES = 8;

/** Works in steps. */
export function* encodeWords(kept: KeptWords): Generator<void, Uint8Array<ArrayBuffer>> {
  const { notes, words, starts, slots, uses } = kept.lists;
  const head: Head = {
    form: FORM,
    excludedTag: kept.excludedTag,
    notes: notes.map(({ path, stamp, length, nameLength }) => [path, stamp, length, nameLength]),
    words,
    entries: slots.length,
  };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  yield;
  const lists = new ByteWriter();
  let left = STEP_ENTRIES;
  for (let word = 0; word < words.length; word++) {
    const [from, to] = [starts[word]!, starts[word + 1]!];
    lists.reserve((to - from + 1) * MAX_ENTRY_BYTES);
    lists.number(to - from);
    let before = 0;
    for (let at = from; at < to; at++) {
      lists.number(slots[at]! - before);
      before = slots[at]!;
      // The field bits go last, so that most uses take one byte.
      lists.number(((uses[at]! & 0xfff) << 4) | (uses[at]! >>> 12));
    }
    if ((left -= to - from + 1) > 0) continue;
    left = STEP_ENTRIES;
    yield;
  }
  const listBytes = lists.written();
  const bytes = new Uint8Array(PREFIX_BYTES + headBytes.length + listBytes.length);
  bytes.set(headBytes, PREFIX_BYTES);
  bytes.set(listBytes, PREFIX_BYTES + headBytes.length);
  const prefix = new DataView(bytes.buffer);
  prefix.setUint32(4, headBytes.length);
  prefix.setUint32(0, checksum(bytes.subarray(4)));
  return bytes;
}

/** Works in steps. Null if the bytes are damaged, or of another form. */
export function* decodeWords(bytes: Uint8Array): Generator<void, KeptWords | null> {
  if (bytes.length < PREFIX_BYTES) return null;
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES);
  if (prefix.getUint32(0) !== checksum(bytes.subarray(4))) return null;
  yield;
  try {
    return yield* decodedLists(bytes, PREFIX_BYTES + prefix.getUint32(4));
  } catch {
    // Another form may begin differently.
    return null;
  }
}

/** @throws if the bytes are not of this form */
function* decodedLists(bytes: Uint8Array, end: number): Generator<void, KeptWords | null> {
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, end))) as Head;
  if (head.form !== FORM) return null;
  yield;
  const { excludedTag, words, entries } = head;
  const starts = new Uint32Array(words.length + 1);
  const slots = new Uint32Array(entries);
  const uses = new Uint16Array(entries);
  const lists = new ByteReader(bytes, end);
  let place = 0;
  let left = STEP_ENTRIES;
  for (let word = 0; word < words.length; word++) {
    const from = place;
    const stop = place + lists.number();
    let slot = 0;
    for (; place < stop; place++) {
      slots[place] = slot += lists.number();
      const use = lists.number();
      uses[place] = (use >>> 4) | ((use & 0xf) << 12);
    }
    starts[word + 1] = place;
    if ((left -= place - from + 1) > 0) continue;
    left = STEP_ENTRIES;
    yield;
  }
  const notes = head.notes.map(([path, stamp, length, nameLength]): IndexedFacts => {
    return { path, stamp, length, nameLength };
  });
  return { excludedTag, lists: { notes, words, starts, slots, uses } };
}

/** Adler-32 without its modulo at every byte. */
function checksum(bytes: Uint8Array): number {
  let [one, two] = [1, 0];
  for (let from = 0; from < bytes.length; from += 3_000) {
    const to = Math.min(bytes.length, from + 3_000);
    for (let at = from; at < to; at++) {
      one += bytes[at]!;
      two += one;
    }
    one %= 65_521;
    two %= 65_521;
  }
  return ((two << 16) | one) >>> 0;
}

/** Writes numbers in as few bytes as they need, seven bits each. */
class ByteWriter {
  #bytes = new Uint8Array(1_000_000);
  #end = 0;

  /** Makes room; must be called before `number`. */
  reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  number(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#end++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#end++] = rest;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** @throws {RangeError} at the end of the bytes */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('The lists end early.');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}
