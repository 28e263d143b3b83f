/** The bytes of the pictures and PDFs in a request, as the API takes them. */
import { base64Of } from '#model/base64';
import { base64Length, shownKey, type ShownFile } from '#model/shown-file';
import type { HistoryMessage, LookAt } from '#ports/model-stream';

/** Letters of base64 in one request; the API takes 32 MB in all. */
const MOST_LETTERS = 30_000_000;
const MOST_FILES = 90;

/** Base64 by `shownKey`. */
export type Encoded = ReadonlyMap<string, string>;

/** Of one request. */
export interface Sending {
  readonly encoded: Encoded;
  /** The server has taken it. */
  taken(): void;
  /** What to leave out where the server refuses the request; null where nothing can be. */
  suspects(): ReadonlySet<string> | null;
}

export class ShownFiles {
  readonly #lookAt: LookAt;
  readonly #pause: () => Promise<void>;
  /** What was encoded last: the next request mostly has the same. */
  #encoded: Encoded = new Map();
  /** By server and model: files that they took, and such that a request was taken only without. */
  readonly #taken = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(lookAt: LookAt, pause: () => Promise<void>) {
    this.#lookAt = lookAt;
    this.#pause = pause;
  }

  /**
   * The newest ones, as many as there is room for.
   *
   * @param to the server and the model
   * @param without what this request was refused with
   */
  async sending(
    history: readonly HistoryMessage[],
    to: string,
    without: ReadonlySet<string>,
  ): Promise<Sending> {
    const encoded = new Map<string, string>();
    let room = MOST_LETTERS;
    for (const file of shownIn(history).toReversed()) {
      const key = shownKey(file);
      const letters = base64Length(file.size);
      if (encoded.has(key) || without.has(key) || this.#refused.has(`${to} ${key}`)) continue;
      if (letters > room || encoded.size >= MOST_FILES) continue;
      const seen = await this.#lookAt(file);
      const text = seen && (this.#encoded.get(key) ?? (await this.#encode(await seen.bytes())));
      if (text === null) continue;
      encoded.set(key, text);
      room -= letters;
    }
    if (encoded.size > 0) this.#encoded = encoded;
    return {
      encoded,
      taken: () => {
        for (const key of encoded.keys()) this.#taken.add(`${to} ${key}`);
        for (const key of without) this.#refused.add(`${to} ${key}`);
      },
      suspects: () => {
        if (encoded.size === 0) return null;
        const fresh = [...encoded.keys()].filter((key) => !this.#taken.has(`${to} ${key}`));
        return new Set([...without, ...(fresh.length > 0 ? fresh : encoded.keys())]);
      },
    };
  }

  async #encode(bytes: ArrayBuffer | null): Promise<string | null> {
    if (!bytes) return null;
    return base64Of(bytes, this.#pause);
  }
}

/** In the order in which they were shown. */
function shownIn(history: readonly HistoryMessage[]): ShownFile[] {
  return history.flatMap((message) => {
    if (message.role === 'person') return message.shown ?? [];
    if (message.role === 'model') return [];
    return message.results.flatMap(({ result }) => result.shown ?? []);
  });
}
