/** Reads a long text slice by slice, so that the window stays responsive. */
import { Blocks, continues, type Page } from './blocks';
import type { Report } from './bounded-lexer';

/** How much is read at once. Nearly every answer is shorter. */
export interface SliceSize {
  readonly lines: number;
  readonly chars: number;
}

/** A line is a block at most; 300 of the costliest ones are read in about 10 ms. */
export const SLICE: SliceSize = { lines: 300, chars: 16_000 };

export interface SlicedPages {
  readonly pages: readonly Page[];
  /** The text that is not read yet, in slices. */
  readonly waiting: readonly WaitingText[];
}

export interface WaitingText {
  /** Where it starts in the whole text, which stays the same while the text grows. */
  readonly at: number;
  readonly text: string;
}

/** Blocks of a growing text of which each call reads one more slice. */
export class SlicedBlocks {
  readonly #report: Report;
  #blocks: Blocks;
  readonly #size: SliceSize;
  #source = '';
  /** Number of characters that have been read. */
  #read = 0;
  /** Ends of the slices after them. */
  #ends: readonly number[] = [];

  /** @param report receives errors of blocks that are shown as plain text */
  constructor(report: Report, size: SliceSize = SLICE) {
    this.#report = report;
    this.#blocks = new Blocks(report);
    this.#size = size;
  }

  /** The source of link definitions read so far, outside other blocks; they are not drawn. */
  get definitions(): string {
    return this.#blocks.definitions;
  }

  /**
   * Reads on. Call it again while something is waiting.
   * @param finished whether nothing follows the text
   */
  next(source: string, finished: boolean): SlicedPages {
    this.#replaceText(source);
    const from = this.#read;
    // A block that continues is read from its start. Reading as much again keeps the sum linear.
    const ends = [...this.#ends];
    do {
      this.#read = ends.shift() ?? source.length;
    } while (ends.length > 0 && this.#read - from < this.#blocks.unsettled);
    this.#ends = ends;
    const isAll = this.#read === source.length;
    const pages = this.#blocks.update(source.slice(0, this.#read), finished && isAll, !isAll);
    const starts = [this.#read, ...ends];
    const waiting = ends.map((end, index) => {
      const at = starts[index] ?? end;
      return { at, text: source.slice(at, end) };
    });
    return { pages, waiting };
  }

  #replaceText(source: string): void {
    if (source === this.#source) return;
    const grows = continues(source, this.#source);
    if (!grows) {
      this.#read = 0;
      this.#blocks = new Blocks(this.#report);
    }
    // The last slice may go on in the added text.
    const known = grows ? this.#ends.slice(0, -1) : [];
    this.#source = source;
    this.#ends = [...known, ...sliceEnds(source, known.at(-1) ?? this.#read, this.#size)];
  }
}

function sliceEnds(text: string, from: number, { lines, chars }: SliceSize): number[] {
  const ends: number[] = [];
  let [start, end, count] = [from, from, 0];
  while (end < text.length) {
    const line = text.indexOf('\n', end);
    const next = line < 0 ? text.length : line + 1;
    const isFull = count === lines || next - start > chars;
    if (isFull && end > start) {
      ends.push(end);
      [start, count] = [end, 0];
    }
    // A longer line is cut.
    end = Math.min(next, start + chars);
    count += 1;
  }
  if (end > start) ends.push(end);
  return ends;
}
