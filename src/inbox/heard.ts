/**
 * The ids of the messages that SmartHole has delivered, so that one which comes again, also after a restart, is not
 * run again. One file of one id a line, appended to; the last thousand count.
 */
import type { Store } from '#ports/store';

const REMEMBERED = 1_000;

export class Heard {
  readonly #store: Store;
  readonly #path: string;
  /** In the order in which they came. */
  readonly #ids = new Set<string>();
  #torn = false;

  /** @param path vault-relative */
  constructor(store: Store, path: string) {
    this.#store = store;
    this.#path = path;
  }

  /**
   * Rejects when the file can't be read; those of `held` are known all the same.
   *
   * @param held ids of requests that are still in the inbox: a crash may have come before theirs were noted
   */
  async load(held: Iterable<string>): Promise<void> {
    for (const id of held) this.#remember(id);
    const text = (await this.#store.read(this.#path)) ?? '';
    const lines = text.split('\n');
    for (const line of lines) this.#remember(parsed(line));
    for (const id of held) this.#remember(id);
    this.#torn = text !== '' && !text.endsWith('\n');
    if (lines.length <= 2 * REMEMBERED) return;
    // Grown long over the months; what can't be shortened now is shortened at the next start.
    await this.#store
      .write(this.#path, [...this.#ids].map(lineOf).join(''))
      .then(() => (this.#torn = false))
      .catch(() => undefined);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Resolves when it is on disk, and rejects when it can't be written; then it is not remembered. */
  async add(id: string): Promise<void> {
    const before = this.#torn ? '\n' : '';
    this.#torn = true;
    await this.#store.append(this.#path, before + lineOf(id), { flush: true });
    this.#torn = false;
    this.#remember(id);
  }

  #remember(id: string | null): void {
    if (id === null) return;
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= REMEMBERED) break;
      this.#ids.delete(oldest);
    }
  }
}

function lineOf(id: string): string {
  return `${JSON.stringify(id)}\n`;
}

function parsed(line: string): string | null {
  try {
    const id: unknown = JSON.parse(line);
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
