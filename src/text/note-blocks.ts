/**
 * Splits a note into its smallest whole blocks, and compares how two notes are built. Both follow
 * Obsidian's reading of Markdown and CommonMark's, because other programs read the same files.
 */
import type { BlockLine, Container } from './block-reader';
import { frontMatterEnd } from './front-matter';
import { type StructuredLine, NoteLineReader } from './note-structure';

/** The smallest whole block, and the blank lines above it. */
export interface BlockRange {
  /** Lines from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Where the text of the list item begins that contains the block, in columns; 0 if there is none. */
  readonly indent: number;
}

/** A line with only a block id, which names the block above it. */
export const BLOCK_ID = /^[ \t]*\^[\w-]+[ \t]*$/;
/** The end of a line with a block id, which is the first group. */
export const ENDS_WITH_ID = /(?:^|\s)\^([\w-]+)[ \t]*$/;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/;

/**
 * The smallest whole blocks from the top, which together are all lines: paragraphs, headings, the
 * text of list items, code, and whole tables, quotes, formulas, comments and footnotes. Blank lines
 * belong to the block below them, at the end of the note to the last block.
 *
 * @param lines without their line endings
 */
export function blockRanges(lines: readonly string[]): BlockRange[] {
  const top = frontMatterEnd(lines);
  const [plain, note] = [blockStarts(lines, 'plain'), blockStarts(lines, 'note')];
  const starts: number[] = [];
  note.forEach((indent, line) => {
    if (indent !== NO_START && plain[line] !== NO_START) starts.push(line);
  });
  const isAdded = top > 0 || starts.length === 0;
  if (isAdded) starts.unshift(0);
  const ranges: BlockRange[] = [];
  let from = 0;
  starts.forEach((start, at) => {
    let to = starts[at + 1] ?? lines.length;
    if (at < starts.length - 1) while (to > start + 1 && isBlank(lines[to - 1])) to -= 1;
    if (at === 0 && top > 0) to = top;
    const indent = isAdded && at === 0 ? 0 : (note[start] ?? 0);
    if (to > from) ranges.push({ from, to, indent });
    from = to;
  });
  // Blank lines below front matter without text.
  if (from < lines.length) ranges.push({ from, to: lines.length, indent: 0 });
  return ranges;
}

/**
 * The number of the last line of the list item that begins on a line, with all that is nested in it
 * and the text that continues it; the same line if no item begins there.
 *
 * @param lines without their line endings
 * @param number from 1
 */
export function itemEnd(lines: readonly string[], number: number): number {
  const reader = new NoteLineReader(lines, 'note');
  const { blocks } = reader;
  let open: readonly Container[] = [];
  let item: Container | undefined;
  let end = number;
  for (let at = reader.at, line = reader.read(); line; at = reader.at, line = reader.read()) {
    const { containers } = blocks;
    if (at === number - 1) {
      item = containers.findLast((each) => each.kind === 'item' && !open.includes(each));
      if (!item) return number;
    } else if (item && isContent(line, containers, open)) {
      if (!line.continues && !containers.includes(item)) return end;
      end = at + 1;
    }
    open = [...containers];
  }
  return end;
}

/** Whether lines hold nothing but spaces and tabs; other white space is text. */
export function isBlank(lines: string | undefined): boolean {
  return lines !== undefined && /^[ \t\r\n]*$/.test(lines);
}

const NO_START = -1;

/**
 * For each line on which a whole block begins in one reading, the indent of its list items, and for
 * all others `NO_START`.
 */
function blockStarts(lines: readonly string[], syntax: 'note' | 'plain'): Int32Array {
  const reader = new NoteLineReader(lines, syntax);
  const { blocks } = reader;
  const starts = new Int32Array(lines.length).fill(NO_START);
  let open: readonly Container[] = [];
  let [isFirst, isInFootnote] = [true, false];
  for (let at = reader.at, line = reader.read(); line; at = reader.at, line = reader.read()) {
    const { containers } = blocks;
    if (blocks.isTooDeep) break;
    if (isContent(line, containers, open) && !line.continues) {
      const isInQuote = containers.some(
        (each, depth) => each.kind === 'quote' && open[depth] === each,
      );
      const isOfFootnote = isInFootnote && line.kind === 'indented' && containers.length === 0;
      const isOfBlockAbove = isInQuote || isOfFootnote || BLOCK_ID.test(lines[at] ?? '');
      if (!isOfBlockAbove || isFirst) {
        starts[at] = indentOfItems(containers);
        isFirst = false;
      }
      if (!isOfFootnote) isInFootnote = containers.length === 0 && FOOTNOTE.test(lines[at] ?? '');
    }
    if (containers.length !== open.length || containers.some((each, i) => each !== open[i])) {
      open = [...containers];
    }
  }
  return starts;
}

/** Columns to the text of the innermost list item that is not within a quote. */
function indentOfItems(containers: readonly Container[]): number {
  let columns = 0;
  for (const each of containers) {
    if (each.kind === 'quote') break;
    columns += each.width;
  }
  return columns;
}

/** Whether the line is more than white space between blocks, as is the mark of an empty list item. */
function isContent(
  { kind, rest }: StructuredLine,
  containers: readonly Container[],
  open: readonly Container[],
): boolean {
  if (kind !== 'text' || !isBlank(rest)) return true;
  return containers.some((each) => each.kind === 'item' && !open.includes(each));
}

/**
 * How the lines of a note are built: for each line the blocks around it, and which lists are loose.
 * Two notes with the same structure differ only in their words.
 *
 * @param inserted lines to pass over, and what they should be; the structure is that of the others
 * @returns null if an inserted line is something else, belongs to a block of other lines, or has a
 *   block id below it that would name it
 */
export function structureOf(
  lines: readonly string[],
  syntax: 'note' | 'plain',
  inserted: ReadonlyMap<number, BlockLine['kind']> = NONE,
): readonly string[] | null {
  const reader = new NoteLineReader(lines, syntax);
  const structure = new Structure();
  let above = false;
  for (let at = reader.at, line = reader.read(); line; at = reader.at, line = reader.read()) {
    const kind = inserted.get(at);
    const isInserted = kind !== undefined;
    if (isInserted && (line.context === 'comment' || line.kind !== kind)) return null;
    if (line.continues && isInserted !== above) return null;
    if (above && !isInserted && BLOCK_ID.test(lines[at] ?? '')) return null;
    if (structure.take(line, reader.blocks.containers, isInserted)) above = isInserted;
  }
  return structure.result();
}

const NONE: ReadonlyMap<number, BlockLine['kind']> = new Map();

interface Item {
  readonly list: number;
  readonly mark: string;
}

/** The root of a note, as a container of blocks. */
const ROOT = { kind: 'root' } as const;

class Structure {
  readonly #lines: string[] = [];
  readonly #names = new Map<Container, string>();
  readonly #items = new Map<Container, Item>();
  /** The last block within each container; null if it is no list item. */
  readonly #last = new Map<Container | typeof ROOT, Item | null>();
  readonly #loose = new Set<number>();
  #lists = 0;
  #open: readonly Container[] = [];
  #isBelowBlank = false;

  /** Returns whether the line is more than white space. */
  take(line: StructuredLine, containers: readonly Container[], isInserted: boolean): boolean {
    if (!isContent(line, containers, this.#open)) {
      this.#isBelowBlank = true;
      this.#open = [...containers];
      return false;
    }
    if (!line.continues) this.#begin(containers);
    this.#open = [...containers];
    this.#isBelowBlank = false;
    if (isInserted) return true;
    const around = containers.map((each) => this.#names.get(each) ?? '').join(' ');
    this.#lines.push(`${line.continues ? '' : '+'}${line.kind} ${around}`);
    return true;
  }

  #begin(containers: readonly Container[]): void {
    const shared = containers.findIndex((each, depth) => each !== this.#open[depth]);
    const first = shared < 0 ? containers.length : shared;
    const parent = containers[first - 1] ?? ROOT;
    const isSecond = this.#last.has(parent);
    const inner = containers.slice(first);
    const list = parent.kind === 'root' ? undefined : this.#items.get(parent)?.list;
    const known = this.#last.get(parent);
    const isNext = inner[0]?.kind === 'item' && known?.mark === inner[0].mark;
    if (this.#isBelowBlank) {
      if (isNext && known) this.#loose.add(known.list);
      else if (isSecond && list !== undefined) this.#loose.add(list);
    }
    let within: Container | typeof ROOT = parent;
    for (const each of inner) {
      this.#enter(each, within);
      within = each;
    }
    if (inner.length === 0) this.#last.set(parent, null);
    else this.#last.set(within, null);
  }

  #enter(container: Container, parent: Container | typeof ROOT): void {
    if (container.kind === 'quote') {
      this.#last.set(parent, null);
      this.#names.set(container, `>${String(this.#names.size)}`);
      return;
    }
    const { mark } = container;
    const last = this.#last.get(parent);
    const item = last?.mark === mark ? last : { list: (this.#lists += 1), mark };
    this.#last.set(parent, item);
    this.#items.set(container, item);
    this.#names.set(container, `${mark}${String(item.list)}.${String(this.#names.size)}`);
  }

  result(): readonly string[] {
    return [...this.#lines, `loose ${[...this.#loose].join(' ')}`];
  }
}
