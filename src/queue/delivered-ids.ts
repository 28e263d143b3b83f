/**
 * The ids of messages that SmartHole has delivered, in one file, one per line, so that a repeated
 * message does not run again after a restart.
 */
import { jsonLine, LineAppender, linesIn, parseJson } from '#ports/line-file';
import type { Storage } from '#ports/storage';

const MAX_REMEMBERED_IDS = 1_000;

export class DeliveredIds {
  readonly #store: Storage;
  readonly #path: string;
  readonly #appender: LineAppender;
  /** In order of arrival. */
  readonly #ids = new Set<string>();

  /** @param path vault-relative */
  constructor(store: Storage, path: string) {
    this.#store = store;
    this.#path = path;
    this.#appender = new LineAppender(store, path);
  }

  /**
   * Rejects if the file cannot be read; the ids in `taken` are remembered all the same.
   *
   * @param taken ids of messages that Parley has, in case a crash came before they were recorded
   * @returns those that were not recorded, which therefore may not have been acknowledged either
   */
  async load(taken: readonly string[]): Promise<readonly string[]> {
    for (const id of taken) this.#remember(id);
    const text = (await this.#store.read(this.#path)) ?? '';
    const lines = [...linesIn(text)];
    const recorded = new Set(lines.map(parseJson).filter((id) => typeof id === 'string'));
    for (const id of recorded) this.#remember(id);
    for (const id of taken) this.#remember(id);
    this.#appender.continueAfter(text);
    const missing = [...new Set(taken)].filter((id) => !recorded.has(id));
    // The file may have grown long. If it cannot be written now, the next start tries again.
    if (missing.length > 0 || lines.length > 2 * MAX_REMEMBERED_IDS) await this.#rewrite();
    return missing;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * Resolves when the id is on disk. Rejects if it cannot be written, and then it is not
   * remembered.
   */
  async add(id: string): Promise<void> {
    await this.#appender.append([id], { flush: true });
    this.#remember(id);
  }

  /** Remembers an id that cannot be recorded; the next start finds it with its message. */
  keep(id: string): void {
    this.#remember(id);
  }

  /**
   * Forgets a message that was refused after all, so that it can be delivered again. Never rejects;
   * what cannot be written is remembered again after a restart.
   */
  async forget(id: string): Promise<void> {
    this.#ids.delete(id);
    await this.#rewrite();
  }

  async #rewrite(): Promise<void> {
    await this.#store
      .write(this.#path, [...this.#ids].map(jsonLine).join(''))
      .then(() => this.#appender.continueAfter(''))
      .catch(() => undefined);
  }

  #remember(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MAX_REMEMBERED_IDS) break;
      this.#ids.delete(oldest);
    }
  }
}
