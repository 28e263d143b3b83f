/**
 * Files with one JSON value per line. Lines are appended, so a change costs the same for any number
 * of records, and a torn or damaged line loses only that line.
 */
import { SerialQueue } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import { type SliceClock, Slices } from '#ports/slices';

/** One line of a file. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Undefined if the line is damaged. */
export function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Marks a line whose write was interrupted, so that it does not count as damaged: its writer knew
 * that it was not saved.
 */
export const CUT_MARK = '…\n';

/** What the next append must begin with, so that it does not become part of a torn last line. */
export type TornLineRepair = '' | '\n' | typeof CUT_MARK;

/** @param text all of the file */
export function tornLineRepair(text: string): TornLineRepair {
  if (text === '' || text.endsWith('\n')) return '';
  const [last] = linesIn(text.slice(text.lastIndexOf('\n') + 1));
  // Any other text never was the beginning of a line.
  return last?.startsWith('{') && parseJson(last) === undefined ? CUT_MARK : '\n';
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
    if (isWritten(line)) yield line;
  }
}

/** Like `linesIn`, the last line first. */
export function* linesFromEnd(text: string): Generator<string, void> {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    end = start - 1;
    if (isWritten(line)) yield line;
  }
}

function isWritten(line: string): boolean {
  return line.trim() !== '' && !line.endsWith('…');
}

export interface ByteLine {
  readonly text: string;
  /** Bytes, including the line break. */
  readonly size: number;
  /** Byte offset of the end, after the line break. */
  readonly end: number;
}

const LINE_FEED = 10;

/** Decodes line by line, because decoding many megabytes at once would block the main thread. */
export function* byteLinesIn(buffer: ArrayBuffer | null): Generator<ByteLine, void> {
  if (!buffer) return;
  const bytes = new Uint8Array(buffer);
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, at);
    const until = found < 0 ? bytes.length : found;
    const text = decoder.decode(bytes.subarray(at, until));
    const end = Math.min(until + 1, bytes.length);
    yield { text, size: until + 1 - at, end };
    at = end;
  }
}

/** Size on disk: a character may take up to three bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Appends to a file, so that no line becomes part of an earlier one whose write failed. */
export class LineAppender {
  readonly #store: Storage;
  readonly #path: string;
  #beginning: string;

  /** @param beginning of the first append; by default safe for a file whose end is unknown */
  constructor(store: Storage, path: string, beginning = '\n') {
    this.#store = store;
    this.#path = path;
    this.#beginning = beginning;
  }

  /** @param text all of the file, as it is now */
  continueAfter(text: string): void {
    this.#beginning = tornLineRepair(text);
  }

  /** Returns the number of bytes. Call it only when the one before has ended. */
  async append(values: readonly unknown[], options: { flush: boolean }): Promise<number> {
    const text = this.#beginning + values.map(jsonLine).join('');
    // Until the write succeeds, the file may end in part of a line: a full disk takes what fits.
    this.#beginning = CUT_MARK;
    await this.#store.append(this.#path, text, options);
    this.#beginning = '';
    return bytesOf(text);
  }
}

export interface LineFileOptions<Line> {
  readonly store: Storage;
  readonly path: string;
  readonly clock: SliceClock;
  /** The newest supported version; lines of a newer one are skipped. */
  readonly version: number;
  /** Converts a saved line to the current form. Null if it is not a valid line. */
  migrate(saved: Readonly<Record<string, unknown>>): Line | null;
}

/** Each line is the complete record of one id; the last line of an id counts. */
export class LineFile<Line extends { readonly id: string }> {
  readonly #options: LineFileOptions<Line>;
  readonly #lines = new Map<string, Line>();
  #count = 0;
  #damaged = 0;
  readonly #appender: LineAppender;
  #isRead = false;
  #text = '';
  readonly #queue = new SerialQueue();

  constructor(options: LineFileOptions<Line>) {
    this.#options = options;
    this.#appender = new LineAppender(options.store, options.path);
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
      await this.#appender.append(lines, { flush });
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
        text += jsonLine(line);
        if (slices.isDue) await slices.pause();
      }
      await this.#options.store.write(this.path, text);
      this.#lines.clear();
      for (const line of lines) this.#lines.set(line.id, line);
      this.#count = lines.length;
      this.#damaged = 0;
      this.#appender.continueAfter('');
      this.#text = '';
    });
  }

  async #read(): Promise<void> {
    const text = (await this.#options.store.read(this.path)) ?? '';
    const slices = new Slices(this.#options.clock);
    this.#lines.clear();
    this.#count = 0;
    this.#damaged = 0;
    for (const written of linesIn(text)) {
      this.#count += 1;
      if (!this.#take(written)) this.#damaged += 1;
      if (slices.isDue) await slices.pause();
    }
    if (tornLineRepair(text) === CUT_MARK) this.#damaged -= 1;
    this.#appender.continueAfter(text);
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
