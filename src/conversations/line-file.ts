/**
 * A file in which each line is the complete record of one id; the last line of an id counts. Lines
 * are appended, so a change costs the same for any number of records, and a torn or damaged line
 * loses only that line.
 */
import { SerialQueue } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import { type SliceClock, Slices } from '#ports/slices';

export interface LineFileOptions<Line> {
  readonly store: Storage;
  readonly path: string;
  readonly clock: SliceClock;
  /** The newest supported version; lines of a newer one are skipped. */
  readonly version: number;
  /** Converts a saved line to the current form. Null if it is not a valid line. */
  migrate(saved: Readonly<Record<string, unknown>>): Line | null;
}

export class LineFile<Line extends { readonly id: string }> {
  readonly #options: LineFileOptions<Line>;
  readonly #lines = new Map<string, Line>();
  #count = 0;
  #damaged = 0;
  #tornLineRepair: TornLineRepair = '\n';
  #isRead = false;
  #text = '';
  readonly #queue = new SerialQueue();

  constructor(options: LineFileOptions<Line>) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** Number of lines in the file. */
  get count(): number {
    return this.#count;
  }

  /** Number of unreadable lines. */
  get damaged(): number {
    return this.#damaged;
  }

  get(id: string): Line | undefined {
    return this.#lines.get(id);
  }

  lines(): Iterable<Line> {
    return this.#lines.values();
  }

  /** Rejects if the file cannot be read; a missing file counts as empty. */
  load(): Promise<void> {
    return this.#queue.run(() => this.#read());
  }

  /** Resolves when the lines are in the file and in memory. */
  put(lines: readonly Line[], { flush }: { flush: boolean }): Promise<void> {
    return this.#queue.run(async () => {
      if (lines.length === 0) return;
      // The end of the file must be known before appending. If it cannot be read, a new line is
      // started in any case.
      if (!this.#isRead) await this.#read().catch(() => undefined);
      const text = this.#tornLineRepair + lines.map(lineText).join('');
      this.#tornLineRepair = CUT_MARK;
      await this.#options.store.append(this.path, text, { flush });
      this.#tornLineRepair = '';
      this.#count += lines.length;
      for (const line of lines) this.#lines.set(line.id, line);
    });
  }

  /** Replaces all lines of the file. A damaged file is saved as a copy beside it first. */
  rewrite(lines: readonly Line[]): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#damaged > 0) await this.#options.store.write(`${this.path}.damaged`, this.#text);
      const slices = new Slices(this.#options.clock);
      let text = '';
      for (const line of lines) {
        text += lineText(line);
        if (slices.isDue) await slices.pause();
      }
      await this.#options.store.write(this.path, text);
      this.#lines.clear();
      for (const line of lines) this.#lines.set(line.id, line);
      this.#count = lines.length;
      this.#damaged = 0;
      this.#tornLineRepair = '';
      this.#text = '';
    });
  }

  async #read(): Promise<void> {
    const text = (await this.#options.store.read(this.path)) ?? '';
    const slices = new Slices(this.#options.clock);
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
      if (slices.isDue) await slices.pause();
    }
    this.#tornLineRepair = tornLineRepair(text, last, isWhole);
    if (this.#tornLineRepair === CUT_MARK) this.#damaged -= 1;
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
}

function lineText(line: object): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Marks a line whose write was interrupted, so that it does not count as damaged: its writer knew
 * that it was not saved.
 */
export const CUT_MARK = '…\n';

/** What the next append must begin with, so that it does not become part of a torn last line. */
export type TornLineRepair = '' | '\n' | typeof CUT_MARK;

/**
 * @param last the last line
 * @param isWhole whether the last line could be parsed
 */
export function tornLineRepair(text: string, last: string, isWhole: boolean): TornLineRepair {
  if (text === '' || text.endsWith('\n')) return '';
  // Any other text never was the beginning of a line.
  return !isWhole && last.startsWith('{') ? CUT_MARK : '\n';
}

/**
 * Yields lines one at a time, because splitting a long file takes a while. Skips empty and
 * interrupted lines.
 */
export function* linesIn(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() !== '' && !`${line}\n`.endsWith(CUT_MARK)) yield line;
  }
}

/** Size on disk: a character may take up to three bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
