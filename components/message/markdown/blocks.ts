/** Reads growing Markdown text block by block; only its last block is read again. */
import type { Report } from './bounded-lexer';
import { topBlocks } from './costly-blocks';
import { footnotesHtml, usesAny } from './note-syntax';
import { type BlockSource, noLinks, normalize, readBlock } from './renderer';

export interface Block {
  /** Its index; a block keeps it while the text grows. */
  readonly index: number;
  readonly html: string;
  /** Its source, shown if it cannot be drawn. */
  readonly raw: string;
  /** Whether it will not change any more. */
  readonly complete: boolean;
}

/**
 * Blocks that are drawn together, so that the browser skips the beginning of a long answer while
 * its end grows.
 */
export interface Page {
  readonly index: number;
  readonly blocks: readonly Block[];
}

export interface ReadPages {
  readonly pages: readonly Page[];
  /** The text that is not read yet, in slices. */
  readonly waiting: readonly string[];
}

interface ReadBlock extends Block, BlockSource {
  /** HTML of its footnotes, which are shown at the end of the text. */
  readonly notes: readonly string[];
}

/** Few enough that a growing page is cheap, many enough that there are few pages. */
const PAGE_BLOCKS = 8;

/** The footnotes' index, after all others. */
const LAST = -1;

/** How much is read at once. Nearly every answer is shorter. */
export interface SliceSize {
  readonly blocks: number;
  readonly chars: number;
}

/** 150 of the costliest blocks are read in about 10 ms. */
export const SLICE: SliceSize = { blocks: 150, chars: 16_000 };

/** Slices of text that is not read yet. */
const WAITING = /[^]{1,16000}(?:\n|$)|[^]{1,16000}/g;

/**
 * Whether a text begins with an earlier one. It is asked at every chunk of an answer, and engines
 * compare two long texts much faster than `startsWith` does.
 */
function continues(text: string, earlier: string): boolean {
  return text.slice(0, earlier.length) === earlier;
}

export class Blocks {
  readonly #report: Report;
  readonly #size: SliceSize;
  /** The text as given, to detect a text that does not continue it. */
  #source = '';
  /** Blocks that can change only by a link definition. */
  #settled: ReadBlock[] = [];
  /** Where the text after them begins, in the normalized text. */
  #end = 0;
  /** Link and footnote definitions of the settled blocks; the first of a name counts. */
  #links = noLinks();
  #definitions = '';
  /** Full pages of settled blocks, the settled blocks after them, and those with footnotes. */
  #full: Page[] = [];
  #begun: ReadBlock[] = [];
  #noted: ReadBlock[] = [];

  /** @param report receives errors of blocks that are shown as plain text */
  constructor(report: Report, size: SliceSize = SLICE) {
    this.#report = report;
    this.#size = size;
  }

  /** The source of settled link definitions outside other blocks; they are not drawn. */
  get definitions(): string {
    return this.#definitions;
  }

  /**
   * Reads one more slice. Call it again while something is waiting.
   *
   * @param finished whether nothing follows the text
   */
  next(source: string, finished: boolean): ReadPages {
    if (!continues(source, this.#source)) this.#reset();
    this.#source = source;
    const text = normalize(source);
    const from = this.#end;
    const first = this.#settled.length;
    const known = new Set(Object.keys(this.#links));
    const open: ReadBlock[] = [];
    let end = from;
    for (const { text: raw, isCostly } of topBlocks(text, from)) {
      end += raw.length;
      const block = { raw, isCostly, notesBefore: noteCount(open.at(-1) ?? this.#settled.at(-1)) };
      // The last block may go on, also in a last line that looks like another block until it ends.
      if (!finished && !text.includes('\n', end)) {
        open.push(this.#read(block, this.#settled.length + open.length, false));
        continue;
      }
      this.#settle(block);
      const isFull = end - from >= this.#size.chars;
      if (isFull || this.#settled.length - first === this.#size.blocks) break;
    }
    const defined = Object.keys(this.#links).filter((name) => !known.has(name));
    if (defined.length > 0) this.#redraw(defined);
    const waiting = text.slice(end).match(WAITING) ?? [];
    const pages = [...this.#full, ...this.#lastPages(open)];
    if (waiting.length === 0) pages.push(...footnotePage([...this.#noted, ...open], finished));
    return { pages, waiting };
  }

  #settle(block: BlockSource): void {
    const { html, notes, definitions } = readBlock(block, this.#links, this.#report);
    const read = { ...block, html, notes, index: this.#settled.length, complete: true };
    this.#settled.push(read);
    this.#place(read);
    this.#definitions += definitions;
    this.#end += block.raw.length;
  }

  /** Adds a settled block to the pages, so that it is never looked at again. */
  #place(block: ReadBlock): void {
    if (block.notes.length > 0) this.#noted.push(block);
    if (block.html === '') return;
    this.#begun.push(block);
    if (this.#begun.length < PAGE_BLOCKS) return;
    this.#full.push({ index: this.#full.length, blocks: this.#begun });
    this.#begun = [];
  }

  #lastPages(open: readonly ReadBlock[]): Page[] {
    const blocks = [...this.#begun, ...open.filter(({ html }) => html !== '')];
    const pages: Page[] = [];
    for (let at = 0; at < blocks.length; at += PAGE_BLOCKS) {
      const index = this.#full.length + pages.length;
      pages.push({ index, blocks: blocks.slice(at, at + PAGE_BLOCKS) });
    }
    return pages;
  }

  /** Reads the settled blocks again that may use what is defined now. */
  #redraw(defined: readonly string[]): void {
    this.#settled = this.#settled.map((each) => {
      const isDrawn = each.html !== '' || each.notes.length > 0;
      return isDrawn && usesAny(each.raw, defined) ? this.#read(each, each.index, true) : each;
    });
    this.#clearPages();
    for (const block of this.#settled) this.#place(block);
  }

  /** Reads a block without adding its definitions. */
  #read(block: BlockSource, index: number, complete: boolean): ReadBlock {
    const links = Object.assign(noLinks(), this.#links);
    const { raw, isCostly, notesBefore } = block;
    const { html, notes } = readBlock(block, links, this.#report);
    return { index, raw, isCostly, notesBefore, html, notes, complete };
  }

  #reset(): void {
    this.#settled = [];
    this.#end = 0;
    this.#links = noLinks();
    this.#definitions = '';
    this.#clearPages();
  }

  #clearPages(): void {
    this.#full = [];
    this.#begun = [];
    this.#noted = [];
  }
}

/** Number of footnotes up to a block. */
function noteCount(last: ReadBlock | undefined): number {
  return last ? last.notesBefore + last.notes.length : 0;
}

function footnotePage(read: readonly ReadBlock[], complete: boolean): Page[] {
  const html = footnotesHtml(read.flatMap(({ notes }) => notes));
  if (html === '') return [];
  const raw = read.flatMap((block) => (block.notes.length > 0 ? block.raw : [])).join('\n');
  return [{ index: LAST, blocks: [{ index: LAST, html, raw, complete }] }];
}
