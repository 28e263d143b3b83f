import type { NoteEntry } from './vault';

/**
 * Caches a value by path, or by another id, as long as its stamp is the same. Evicts the least
 * recently used values first.
 */
export class PathCache<Value> {
  readonly #entries = new Map<string, { readonly stamp: string; readonly value: Value }>();
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  /** @param sizeOf without it, `maxSize` is a number of values */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(path: string, stamp: string): Value | undefined {
    const entry = this.#entries.get(path);
    if (entry?.stamp !== stamp) return undefined;
    // A map keeps insertion order, so the first key is the least recently used.
    this.#entries.delete(path);
    this.#entries.set(path, entry);
    return entry.value;
  }

  /** A value larger than the whole cache is not kept. */
  set(path: string, stamp: string, value: Value): void {
    this.delete(path);
    const size = this.#sizeOf(value);
    if (size > this.#maxSize) return;
    this.#entries.set(path, { stamp, value });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#entries.delete(path);
    this.#size -= this.#sizeOf(entry.value);
  }
}

/** Changes with nearly every change of a file. */
export function stampOf({ modified, size }: Pick<NoteEntry, 'modified' | 'size'>): string {
  return `${modified}:${size}`;
}
