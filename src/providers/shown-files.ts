/** The bytes of the pictures and PDFs in a request, as the API takes them. */
import { base64Length, shownKey, type ShownFile } from '#model/shown-file';
import type { HistoryMessage, LookAt } from '#ports/model-stream';

/** Letters of base64 in one request; the API takes 32 MB in all. */
const MOST_LETTERS = 30_000_000;
const MOST_FILES = 90;
/** Encoded between two pauses; divisible by three, so that the pieces can be joined. */
const PIECE = 3 * 2 ** 17;

/** Base64 by `shownKey`. */
export type Encoded = ReadonlyMap<string, string>;

export class ShownFiles {
  readonly #lookAt: LookAt;
  readonly #pause: () => Promise<void>;
  /** What the last request had: the next one mostly has the same. */
  #encoded: Encoded = new Map();
  /** A server that takes no such file, or not this one, refuses the whole request. */
  readonly #refused = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(lookAt: LookAt, pause: () => Promise<void>) {
    this.#lookAt = lookAt;
    this.#pause = pause;
  }

  /** The newest ones, as many as there is room for. */
  async of(history: readonly HistoryMessage[]): Promise<Encoded> {
    const encoded = new Map<string, string>();
    let room = MOST_LETTERS;
    for (const file of shownIn(history).toReversed()) {
      const key = shownKey(file);
      const letters = base64Length(file.size);
      if (encoded.has(key) || this.#refused.has(key)) continue;
      if (letters > room || encoded.size >= MOST_FILES) continue;
      const known = this.#encoded.get(key) ?? (await this.#encode(await this.#lookAt(file)));
      if (known === null) continue;
      encoded.set(key, known);
      room -= letters;
    }
    return (this.#encoded = encoded);
  }

  tookIt(): void {
    for (const key of this.#encoded.keys()) this.#taken.add(key);
  }

  /** False where nothing can be left out: it is not for the files that the request was refused. */
  leaveOut(): boolean {
    const keys = [...this.#encoded.keys()];
    const fresh = keys.filter((key) => !this.#taken.has(key));
    for (const key of fresh.length > 0 ? fresh : keys) this.#refused.add(key);
    return keys.length > 0;
  }

  async #encode(bytes: ArrayBuffer | null): Promise<string | null> {
    if (!bytes) return null;
    const pieces: string[] = [];
    for (let at = 0; at < bytes.byteLength; at += PIECE) {
      pieces.push(base64(new Uint8Array(bytes, at, Math.min(PIECE, bytes.byteLength - at))));
      await this.#pause();
    }
    return pieces.join('');
  }
}

function base64(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(letters);
}

/** In the order in which they were shown. */
function shownIn(history: readonly HistoryMessage[]): ShownFile[] {
  return history.flatMap((message) => {
    if (message.role === 'person') return message.shown ?? [];
    if (message.role === 'model') return [];
    return message.results.flatMap(({ result }) => result.shown ?? []);
  });
}
