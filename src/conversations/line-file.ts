/**
 * A file of our own in which each line says all there is to say of one id, the last one counting. Lines are appended,
 * so that a change costs the same however many there are; a torn or damaged line costs that line.
 */
import type { Storage } from '#ports/storage';
import { type Slice, SlicedWork } from '#search/slices';

export interface LineFileOptions<Line> {
  readonly store: Storage;
  readonly path: string;
  readonly slice: Slice;
  /** The newest form that is understood; a line of a newer one is passed by. */
  readonly version: number;
  /** Today's form of a line as it was saved; null where it is none. */
  migrate(saved: Readonly<Record<string, unknown>>): Line | null;
}

export class LineFile<Line extends { readonly id: string }> {
  readonly #options: LineFileOptions<Line>;
  readonly #lines = new Map<string, Line>();
  #count = 0;
  #damaged = 0;
  #mend: TornLineRepair = '\n';
  #isRead = false;
  #text = '';
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: LineFileOptions<Line>) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** How many lines lie in the file. */
  get count(): number {
    return this.#count;
  }

  /** How many of them could not be read. */
  get damaged(): number {
    return this.#damaged;
  }

  get(id: string): Line | undefined {
    return this.#lines.get(id);
  }

  lines(): Iterable<Line> {
    return this.#lines.values();
  }

  /** Rejects when it can't be read; a missing one is empty. */
  load(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /** Resolves when they are in the file and known. */
  put(lines: readonly Line[], { flush }: { flush: boolean }): Promise<void> {
    return this.#inTurn(async () => {
      if (lines.length === 0) return;
      // How it ends has to be known; where it can't be read, a new line begins in any case.
      if (!this.#isRead) await this.#read().catch(() => undefined);
      const text = this.#mend + lines.map(lineText).join('');
      this.#mend = CUT;
      await this.#options.store.append(this.path, text, { flush });
      this.#mend = '';
      this.#count += lines.length;
      for (const line of lines) this.#lines.set(line.id, line);
    });
  }

  /** These lines and no others. What was there is kept beside it where it was damaged. */
  rewrite(lines: readonly Line[]): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#damaged > 0) await this.#options.store.write(`${this.path}.damaged`, this.#text);
      const work = new SlicedWork(this.#options.slice);
      let text = '';
      for (const line of lines) {
        text += lineText(line);
        if (work.isDue) await work.pause();
      }
      await this.#options.store.write(this.path, text);
      this.#lines.clear();
      for (const line of lines) this.#lines.set(line.id, line);
      this.#count = lines.length;
      this.#damaged = 0;
      this.#mend = '';
      this.#text = '';
    });
  }

  async #read(): Promise<void> {
    const text = (await this.#options.store.read(this.path)) ?? '';
    const work = new SlicedWork(this.#options.slice);
    this.#lines.clear();
    this.#count = 0;
    this.#damaged = 0;
    let last = '';
    let isWhole = true;
    for (const written of linesIn(text)) {
      this.#count += 1;
      last = written;
      isWhole = this.#take(written);
      if (!isWhole) this.#damaged += 1;
      if (work.isDue) await work.pause();
    }
    this.#mend = tornLineRepair(text, last, isWhole);
    if (this.#mend === CUT) this.#damaged -= 1;
    this.#text = this.#damaged > 0 ? text : '';
    this.#isRead = true;
  }

  #take(written: string): boolean {
    try {
      const saved: unknown = JSON.parse(written);
      if (typeof saved !== 'object' || saved === null) return false;
      const { version } = saved as { version?: unknown };
      if (typeof version === 'number' && version > this.#options.version) return true;
      const line = this.#options.migrate(saved as Record<string, unknown>);
      if (line) this.#lines.set(line.id, line);
      return line !== null;
    } catch {
      return false;
    }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const acted = this.#tail.then(act);
    this.#tail = acted.catch(() => undefined);
    return acted;
  }
}

function lineText(line: object): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Ends a line that was cut while it was written, so that it is not taken for a damaged one: whoever wrote it knew that
 * it was not kept.
 */
export const CUT = '…\n';

/** What the next append has to begin with, so that the end of the file does not swallow it. */
export type TornLineRepair = '' | '\n' | typeof CUT;

/** @param last the last line; @param isWhole whether it could be read */
export function tornLineRepair(text: string, last: string, isWhole: boolean): TornLineRepair {
  if (text === '' || text.endsWith('\n')) return '';
  // Anything else was never the beginning of a line.
  return !isWhole && last.startsWith('{') ? CUT : '\n';
}

/** One by one: to split a long file takes a while. Empty and cut ones are passed by. */
export function* linesIn(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() !== '' && !`${line}\n`.endsWith(CUT)) yield line;
  }
}

/** As it lies on disk: a character may take three. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
