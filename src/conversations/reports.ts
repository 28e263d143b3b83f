/** What the person has to know of damaged files: each told once, and nothing of it lost. */
import type { Damage } from './read-conversation';

export class Reports {
  readonly #report: (sentence: string) => void;
  readonly #told = new Set<string>();

  constructor(report: (sentence: string) => void) {
    this.#report = report;
  }

  damaged(path: string, { damaged, lost }: Damage): void {
    if (damaged === 0) return;
    this.#once(
      lost
        ? `Nothing in ${path} could be read. The file was kept as it is.`
        : `${lines(damaged)} of ${path} could not be read and left out. The file was kept as it is.`,
    );
  }

  unreadable(path: string, error: unknown): void {
    const { code } = error as { code?: unknown };
    if (code === 'EVERSION') return this.newer(path);
    this.#once(
      `${path} could not be read. Check that it is not locked by another program, then open it again. (${detailOf(error)})`,
    );
  }

  newer(path: string): void {
    this.#once(
      `${path} was written by a newer version of Parley. It was kept as it is, and can be read once Parley is updated here.`,
    );
  }

  madeAnew(path: string, count: number): void {
    this.#once(
      `${lines(count)} of ${path} could not be read. The list was made anew from the conversations, and the damaged file was kept as ${path}.damaged.`,
    );
  }

  marks(path: string, count: number): void {
    this.#once(
      `${lines(count)} of ${path} could not be read: a deletion, or a title, pin or archive of another device’s conversation, may be missing. The file was kept as it is.`,
    );
  }

  marksUnreadable(path: string, error: unknown): void {
    this.#once(
      `${path} could not be read: deleted conversations may be listed again until it can. (${detailOf(error)})`,
    );
  }

  #once(sentence: string): void {
    if (this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#report(sentence);
  }
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
