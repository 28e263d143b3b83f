/**
 * Classifies the lines of a note (text, front matter, code, math, or comment), and finds
 * headings and tables.
 */
import { DIVIDER, FENCE, HEADING, LIST_MARK, readHeading, UNDERLINE } from './block-marks';
import { type BlockLine, BlockReader } from './block-reader';
import { frontMatterEnd } from './front-matter';

/**
 * The opening and closing lines of a block belong to it. The first line of a comment counts as
 * text, because text may precede the comment. The lines of `<pre>` and its like are code.
 */
export type LineContext = 'front-matter' | 'code' | 'indented-code' | 'math' | 'comment' | 'text';

export interface Heading {
  /** From 1. */
  readonly line: number;
  /** The line of dashes or equals signs of an underlined heading; otherwise the same as `line`. */
  readonly lastLine: number;
  readonly level: number;
  /** Without the hashes on either side. */
  readonly text: string;
}

const CONTEXTS: Readonly<Record<BlockLine['kind'], LineContext>> = {
  'fence-start': 'code',
  fenced: 'code',
  'fence-end': 'code',
  indented: 'indented-code',
  raw: 'code',
  comment: 'comment',
  html: 'text',
  math: 'math',
  text: 'text',
};

/** @param all lines without their line endings */
export function lineContexts(all: readonly string[]): readonly LineContext[] {
  const lines = new NoteLineReader(all);
  const contexts = frontMatterContexts(all);
  for (let next = lines.read(); next; next = lines.read()) contexts.push(next.context);
  return contexts;
}

/** A line below the front matter. */
export interface StructuredLine extends Pick<BlockLine, 'kind' | 'isStart'> {
  readonly context: LineContext;
  /** What follows the marks of quotes and list items; empty within a comment. */
  readonly rest: string;
  /** Whether it belongs to the block of the line above. */
  readonly continues: boolean;
}

/** Reads the lines of a note below its front matter, one by one. */
export class NoteLineReader {
  readonly blocks: BlockReader;
  readonly #lines: readonly string[];
  /** Null until a line asks for them, which most notes have none of. */
  #closers: ReadonlyMap<string, number> | null;
  #isInComment = false;
  /** Index of the next line. */
  #at: number;

  /**
   * @param all without their line endings
   * @param syntax `plain` reads what CommonMark defines, and no comments or math
   * @param from the line, from 0, to begin with, on which a block begins (see `blockAbove`)
   */
  constructor(all: readonly string[], syntax: 'note' | 'plain' = 'note', from = 0) {
    this.#lines = withoutByteOrderMark(all);
    this.#at = Math.max(from, frontMatterEnd(all));
    this.#closers = syntax === 'note' ? null : NO_CLOSERS;
    const notes = {
      opensMath: (words: string) => this.#opensMath(words),
      closesLater: (closer: string) => this.#closesLater(closer),
    };
    this.blocks = new BlockReader(syntax === 'note' ? notes : null);
  }

  /** Index of the line that `read` returns next. */
  get at(): number {
    return this.#at;
  }

  /** Null at the end of the note. */
  read(): StructuredLine | null {
    const line = this.#lines[this.#at];
    if (line === undefined) return null;
    const { kind, isStart, rest } = this.#isInComment ? IN_COMMENT : this.blocks.read(line);
    const continues = this.#isInComment || this.blocks.continues;
    const context = kind === 'comment' && isStart ? 'text' : CONTEXTS[kind];
    if (this.#isInComment || kind === 'text') {
      this.#isInComment = isCommentOpen(line, this.#isInComment, () => this.#closesLater('%%'));
    }
    this.#at += 1;
    return { kind, isStart, rest, context, continues };
  }

  #closesLater(closer: string): boolean {
    this.#closers ??= lastClosers(this.#lines);
    return (this.#closers.get(closer) ?? -1) > this.#at;
  }

  #opensMath(words: string): boolean {
    if (!this.#closesLater('$$') || blankInlineCode(words).split('$$').length % 2 === 1) {
      return false;
    }
    // A formula that starts within a paragraph must be closed in it.
    return words.startsWith('$$') || closesInParagraph(this.#lines, this.#at + 1);
  }
}

/** Blocks that go on over blank lines. Without them, it is known where a block begins. */
const LONG_BLOCK = /%%|\$\$|<[!?/a-z]|```|~~~/i;
/** A line of words at the margin, which begins a block below a blank line. */
const BEGINS_BLOCK = /^[\p{L}\p{N}#](?!\d*[.)])/u;
/** A heading or a list item at the margin that begins a block below any line. */
const BEGINS_ANYWHERE = /^(?:#{1,6}(?:[ \t]|$)|(?:[-*+]|1[.)])[ \t]+[^\s])/;

/** Whether any of the lines may begin a block that goes on over blank lines. */
export function mayBeginLongBlock(lines: readonly string[]): boolean {
  return lines.some((line) => LONG_BLOCK.test(line));
}

/**
 * Whether a block outside of quotes and list items begins on this line (from 0), whatever is above
 * it, unless that may begin a long block or is front matter.
 */
export function isBlockStart(lines: readonly string[], at: number): boolean {
  const [line = '', above] = [lines[at], lines[at - 1]];
  return (
    BEGINS_ANYWHERE.test(line) ||
    (BEGINS_BLOCK.test(line) && above !== undefined && /^[ \t\r\n]*$/.test(above))
  );
}

/** A line (from 0), at or above the given one, from which on the note is read as in the whole. */
export function blockAbove(lines: readonly string[], at: number): number {
  if (mayBeginLongBlock(lines.slice(0, at))) return 0;
  const top = frontMatterEnd(lines);
  for (let line = at; line > top; line -= 1) if (isBlockStart(lines, line)) return line;
  return 0;
}

const NO_CLOSERS: ReadonlyMap<string, number> = new Map();

const IN_COMMENT: BlockLine = { kind: 'comment', isStart: false, rest: '' };

/** Removes the byte order mark, which belongs to the file and not to the first line. */
function withoutByteOrderMark(lines: readonly string[]): readonly string[] {
  return lines[0]?.startsWith('\uFEFF') ? [lines[0].slice(1), ...lines.slice(1)] : lines;
}

/**
 * Width of the leading white space of a text that starts at column `from`; tab stops are multiples
 * of 4.
 */
export function indentOf(text: string, from = 0): number {
  let column = from;
  for (const sign of text) {
    if (sign === ' ') column += 1;
    else if (sign === '\t') column += 4 - (column % 4);
    else break;
  }
  return column - from;
}

function closesInParagraph(lines: readonly string[], from: number): boolean {
  for (let at = from; (lines[at] ?? '').trim() !== ''; at += 1) {
    if (lines[at]?.includes('$$')) return true;
  }
  return false;
}

const CLOSERS = ['%%', '-->', '$$', '</pre>', '</script>', '</style>', '</textarea>'];

/** The last line (from 0) that contains each closer. */
function lastClosers(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = lines.length - 1; at >= 0 && found.size < CLOSERS.length; at -= 1) {
    const line = lines[at] ?? '';
    if (!/%%|-->|\$\$|<\//.test(line)) continue;
    const folded = line.toLowerCase();
    for (const closer of CLOSERS) {
      if (!found.has(closer) && folded.includes(closer)) found.set(closer, at);
    }
  }
  return found;
}

/**
 * Whether a comment (`%%`) is open at the end of the line. An opener that is never closed, as in "50
 * %% off", is not a comment; otherwise all later headings would be lost.
 */
function isCommentOpen(line: string, wasOpen: boolean, closesLater: () => boolean): boolean {
  if (!line.includes('%%')) return wasOpen;
  const shown = wasOpen ? line : withoutHtmlComments(blankInlineCode(line));
  const isEven = shown.split('%%').length % 2 === 1;
  return wasOpen === isEven && closesLater();
}

function withoutHtmlComments(line: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const start = line.indexOf('<!--', from);
    const end = start < 0 ? -1 : line.indexOf('-->', start + 4);
    if (end < 0) return result + line.slice(from);
    result += line.slice(from, start);
    from = end + 3;
  }
}

/** Whether an odd number of backslashes stands before a character. */
export function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from -= 1;
  return (at - from) % 2 === 1;
}

/** Columns of the inline code in a line, including its backticks. Takes linear time. */
export function inlineCode(line: string): { readonly from: number; readonly to: number }[] {
  if (!line.includes('`')) return [];
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => {
    return { index, length, opens: isEscaped(line, index) ? length - 1 : length };
  });
  /** The next run of each length, while iterating backward. */
  const nextOfLength = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let run = runs.length - 1; run >= 0; run -= 1) {
    const { length = 0, opens = 0 } = runs[run] ?? {};
    closing[run] = nextOfLength.get(opens);
    nextOfLength.set(length, run);
  }
  const found: { from: number; to: number }[] = [];
  for (let run = 0; run < runs.length; run += 1) {
    const last = closing[run];
    const [start, end] = [runs[run], last === undefined ? undefined : runs[last]];
    if (last === undefined || !start || !end) continue;
    found.push({ from: start.index + start.length - start.opens, to: end.index + end.length });
    run = last;
  }
  return found;
}

/** Replaces inline code with spaces, so that columns stay the same. */
export function blankInlineCode(line: string): string {
  let result = '';
  let done = 0;
  for (const { from, to } of inlineCode(line)) {
    result += line.slice(done, from) + ' '.repeat(to - from);
    done = to;
  }
  return result + line.slice(done);
}

const WIKILINK_WITH_CODE = /\[\[[^[\]]*`[^[\]]*\]\]/g;

/** Like `blankInlineCode`, but a wikilink that begins before code within it stays: [[A#`b`]]. */
export function blankCodeOutsideLinks(line: string): string {
  const links = [...line.matchAll(WIKILINK_WITH_CODE)];
  if (links.length === 0) return blankInlineCode(line);
  let result = '';
  let done = 0;
  for (const { 0: link, index } of links) {
    const end = index + link.length;
    const code = inlineCode(line.slice(done));
    const isCode = code.some(({ from, to }) => done + from < index && done + to > index);
    const isWhole = code.every(({ from, to }) => done + from >= end || done + to <= end);
    if (isCode || !isWhole) continue;
    result += blankInlineCode(line.slice(done, index)) + link;
    done = end;
  }
  return result + blankInlineCode(line.slice(done));
}

/** Quotes, tables, HTML, comments, link definitions, indented or blank lines. */
const OTHER_BLOCK = /^ {0,3}(?:[>|<]|%%|\[[^\]]*\]:)|^(?: {4}| {0,3}\t)|^\s*$/;

/** Whether a line, if it begins a block, begins a paragraph. */
export function beginsParagraph(line: string): boolean {
  return (
    !OTHER_BLOCK.test(line) &&
    !LIST_MARK.test(line) &&
    !DIVIDER.test(line) &&
    !FENCE.test(line) &&
    !HEADING.test(line)
  );
}

const MAY_BE_HEADING = /^ {0,3}(?:#|[=-]+[ \t]*$)/;
/** What begins a block of code, math, HTML or comments, unless the code is indented. */
const OTHER_CONTEXT = /```|~~~|\$\$|%%|<[!?/a-zA-Z]/;

/**
 * Headings as a reader sees them, both `# Words` and underlined ones; none from front matter, code,
 * math, or comments.
 *
 * @param known what `lineContexts` returns for the same lines
 */
export function headingsIn(
  all: readonly string[],
  known: readonly LineContext[] | null = null,
): Heading[] {
  const lines = withoutByteOrderMark(all);
  const found: Heading[] = [];
  let contexts = known;
  const isText = (at: number) => {
    // Search reads all notes, and most have no blocks that hide headings.
    contexts ??= lines.some((line) => OTHER_CONTEXT.test(line))
      ? lineContexts(lines)
      : frontMatterContexts(lines);
    return (contexts[at] ?? 'text') === 'text';
  };
  const isHeading = (at: number) => found.at(-1)?.lastLine === at + 1;
  /** Whether a paragraph may begin below this line. */
  const isFree = (at: number) => {
    const line = lines[at] ?? '';
    return line.trim() === '' || isHeading(at) || DIVIDER.test(line) || !isText(at);
  };
  lines.forEach((line, at) => {
    if (!MAY_BE_HEADING.test(line) || !isText(at)) return;
    const heading = readHeading(line);
    if (heading) found.push({ line: at + 1, lastLine: at + 1, ...heading });
    const mark = UNDERLINE.exec(line)?.[1];
    const above = lines[at - 1];
    if (mark === undefined || above === undefined || !isText(at - 1)) return;
    // Text indented more than the line below it belongs to a list item.
    if (!beginsParagraph(above) || indentOf(above) > indentOf(line) + 1) return;
    if (isHeading(at - 1) || !isFree(at - 2)) return;
    const level = mark === '=' ? 1 : 2;
    found.push({ line: at, lastLine: at + 1, level, text: above.trim() });
  });
  return found;
}

function frontMatterContexts(lines: readonly string[]): LineContext[] {
  return Array.from({ length: frontMatterEnd(lines) }, () => 'front-matter');
}

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** Whether a line (from 0) is the delimiter row below the header of a table. */
export function isDelimiterRow(lines: readonly string[], at: number): boolean {
  const row = (lines[at] ?? '').replace(/^[ \t>]+/, '');
  return row.includes('|') && DELIMITER_ROW.test(row) && lines[at - 1]?.includes('|') === true;
}

/** Whether a line (from 0) is a table row, also in a quote or list, with or without outer pipes. */
export function isTableRow(lines: readonly string[], at: number): boolean {
  const isRow = (line: number) => lines[line]?.includes('|') === true;
  if (isRow(at) && isDelimiterRow(lines, at + 1)) return true;
  for (let line = at; isRow(line); line -= 1) if (isDelimiterRow(lines, line)) return true;
  return false;
}
