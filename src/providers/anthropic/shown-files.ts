/** Encodes the images and PDFs of a request, and omits those that the server refuses. */
import { base64Of, base64Length, viewableKey, type ViewableFile } from '#model/attachment';
import type { HistoryMessage, ReadViewable } from '#ports/model-provider';

/** Base64 characters in one request; the API accepts 32 MB in total. */
const MAX_ENCODED_CHARS = 30_000_000;
const MAX_FILES = 90;

/** Base64 by `viewableKey`. */
export type EncodedFiles = ReadonlyMap<string, string>;

/** The files of one request. */
export interface FileSelection {
  readonly encoded: EncodedFiles;
  /** Records that the server accepted the request. */
  accept(): void;
  /** The files to omit after the server refused the request, or null if it contained none. */
  suspects(): ReadonlySet<string> | null;
}

export class ShownFiles {
  readonly #lookAt: ReadViewable;
  readonly #pause: () => Promise<void>;
  /** Files of the last request, because the next one usually contains the same. */
  #encoded: EncodedFiles = new Map();
  /** Keyed by target and file: files that were accepted, and files that had to be omitted. */
  readonly #accepted = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(lookAt: ReadViewable, pause: () => Promise<void>) {
    this.#lookAt = lookAt;
    this.#pause = pause;
  }

  /**
   * Selects the newest files, as many as fit.
   *
   * @param target the server and the model
   * @param omitted files with which the server has already refused this request
   */
  async select(
    history: readonly HistoryMessage[],
    target: string,
    omitted: ReadonlySet<string>,
  ): Promise<FileSelection> {
    const encoded = new Map<string, string>();
    let remainingChars = MAX_ENCODED_CHARS;
    for (const file of filesIn(history).toReversed()) {
      const key = viewableKey(file);
      const chars = base64Length(file.size);
      if (encoded.has(key) || omitted.has(key) || this.#refused.has(`${target} ${key}`)) continue;
      if (chars > remainingChars || encoded.size >= MAX_FILES) continue;
      const visible = await this.#lookAt(file);
      const text =
        visible && (this.#encoded.get(key) ?? (await this.#encode(await visible.bytes())));
      if (text === null) continue;
      encoded.set(key, text);
      remainingChars -= chars;
    }
    if (encoded.size > 0) this.#encoded = encoded;
    return {
      encoded,
      accept: () => {
        for (const key of encoded.keys()) this.#accepted.add(`${target} ${key}`);
        for (const key of omitted) this.#refused.add(`${target} ${key}`);
      },
      suspects: () => {
        if (encoded.size === 0) return null;
        const untried = [...encoded.keys()].filter(
          (key) => !this.#accepted.has(`${target} ${key}`),
        );
        return new Set([...omitted, ...(untried.length > 0 ? untried : encoded.keys())]);
      },
    };
  }

  async #encode(bytes: ArrayBuffer | null): Promise<string | null> {
    if (!bytes) return null;
    return base64Of(bytes, this.#pause);
  }
}

/** All files of a conversation, oldest first. */
function filesIn(history: readonly HistoryMessage[]): ViewableFile[] {
  return history.flatMap((message) => {
    if (message.role === 'user') return message.shown ?? [];
    if (message.role === 'model') return [];
    return message.results.flatMap(({ result }) => result.shown ?? []);
  });
}
