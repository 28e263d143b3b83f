/**
 * Classifies the lines of a note (text, front matter, code, math, or comment), and finds headings
 * and tables.
 */

/**
 * The opening and closing lines of a block belong to it. The first line of a comment counts as
 * text, because text may precede the comment.
 */
export type LineContext = 'front-matter' | 'code' | 'math' | 'comment' | 'text';

export interface Heading {
  /** From 1. */
  readonly line: number;
  /** The line of dashes or equals signs of an underlined heading; otherwise the same as `line`. */
  readonly lastLine: number;
  readonly level: number;
  /** Without the hashes on either side. */
  readonly text: string;
}

/**
 * Number of front matter lines, 0 if there is none. It starts with `---` on the very first line and
 * must be closed: a `---` further down, or one that is never closed, is a divider.
 */
export function frontMatterEnd(lines: readonly string[]): number {
  const isFence = (line: string) => /^---[ \t]*$/.test(line);
  if (!isFence((lines[0] ?? '').replace(/^\uFEFF/, ''))) return 0;
  return lines.findIndex((line, at) => at > 0 && isFence(line)) + 1;
}

/** A block whose lines are not Markdown, with the quote depth and list column that contain it. */
interface OpenBlock {
  readonly kind: 'code' | 'math';
  /** The text that opened it ("```", "~~~~", "$$"), or the end tag of an HTML element. */
  readonly mark: string;
  readonly quotes: number;
  readonly column: number;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const QUOTE = /^[ \t]{0,3}>[ \t]?/;
/** HTML elements whose content continues to the end tag, even across blank lines. */
const RAW_HTML = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i;

/** @param all lines without their line endings */
export function lineContexts(all: readonly string[]): readonly LineContext[] {
  const lines = withoutByteOrderMark(all);
  const first = frontMatterEnd(lines);
  const contexts: LineContext[] = Array.from({ length: first }, () => 'front-matter');
  const closers = lastClosers(lines);
  let open: OpenBlock | null = null;
  let comment: string | null = null;
  /** Content columns of the open list items, outermost first. */
  let columns: number[] = [];
  let isBelowBlank = true;
  let isIndentedCode = false;
  for (let at = first; at < lines.length; at += 1) {
    const { quotes, rest } = unquoted(lines[at] ?? '');
    const indent = indentOf(rest);
    const isBlank = rest.trim() === '';
    if (open !== null) {
      const isInside: boolean = quotes >= open.quotes && (isBlank || indent >= open.column);
      if (isInside) {
        contexts.push(open.kind);
        if (closes(rest, indent, open)) open = null;
        isBelowBlank = false;
        continue;
      }
      open = null;
    }
    if (comment === null && !isBlank) {
      columns = columns.filter((column) => column <= indent);
      const outer = columns.at(-1) ?? 0;
      isIndentedCode = indent - outer >= 4 && (isBelowBlank || isIndentedCode);
      if (isIndentedCode) {
        contexts.push('code');
        isBelowBlank = false;
        continue;
      }
      const inner = withoutItems(rest, indent, columns);
      const block = opened(inner, { quotes, column: columns.at(-1) ?? 0 }, lines, at, closers);
      if (block !== null) {
        open = block;
        const isWhole = block.mark !== '$$' || /^ {0,3}\$\$/.test(inner);
        contexts.push(isWhole ? block.kind : 'text');
        isBelowBlank = false;
        continue;
      }
    }
    contexts.push(comment === null ? 'text' : 'comment');
    comment = commentAfter(rest, comment, (closer) => (closers.get(closer) ?? -1) > at);
    isBelowBlank = isBlank;
  }
  return contexts;
}

/** Removes the byte order mark, which belongs to the file and not to the first line. */
function withoutByteOrderMark(lines: readonly string[]): readonly string[] {
  return lines[0]?.startsWith('\uFEFF') ? [lines[0].slice(1), ...lines.slice(1)] : lines;
}

export function unquoted(
  line: string,
  most = Infinity,
): { readonly quotes: number; readonly rest: string } {
  let rest = line;
  let quotes = 0;
  for (let mark = QUOTE.exec(rest); mark && quotes < most; mark = QUOTE.exec(rest)) {
    rest = rest.slice(mark[0].length);
    quotes += 1;
  }
  return { quotes, rest };
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

/**
 * Strips list markers and adds their content columns to `columns`. The result keeps its indent
 * within the innermost item.
 */
export function withoutItems(rest: string, indent: number, columns: number[]): string {
  let words = rest.trimStart();
  let column = indent;
  for (let mark = ITEM.exec(words); mark; mark = ITEM.exec(words)) {
    if (column - (columns.at(-1) ?? 0) > 3) break;
    const behind = words.slice(mark[0].length);
    const gap = indentOf(behind, column + mark[0].length);
    column += mark[0].length + (gap === 0 || gap > 4 ? 1 : gap);
    columns.push(column);
    words = behind.trimStart();
  }
  return ' '.repeat(Math.max(0, column - (columns.at(-1) ?? 0))) + words;
}

/** @param closers the last line on which each closer occurs */
function opened(
  inner: string,
  place: Pick<OpenBlock, 'quotes' | 'column'>,
  lines: readonly string[],
  at: number,
  closers: ReadonlyMap<string, number>,
): OpenBlock | null {
  if (!/[`~]{3}|<|\$\$/.test(inner)) return null;
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(inner)?.[1];
  if (fence !== undefined) return { kind: 'code', mark: fence, ...place };
  const tag = RAW_HTML.exec(inner)?.[1]?.toLowerCase();
  if (tag !== undefined) {
    const end = `</${tag}>`;
    const isClosed = inner.toLowerCase().includes(end);
    return isClosed || (closers.get(end) ?? -1) <= at
      ? null
      : { kind: 'code', mark: end, ...place };
  }
  if (!inner.includes('$$') || (closers.get('$$') ?? -1) <= at) return null;
  const isOdd = blankInlineCode(inner).split('$$').length % 2 === 0;
  if (!isOdd) return null;
  // A formula that starts within a paragraph must be closed in it.
  const isClosed = /^ {0,3}\$\$/.test(inner) || closesInParagraph(lines, at + 1);
  return isClosed ? { kind: 'math', mark: '$$', ...place } : null;
}

function closesInParagraph(lines: readonly string[], from: number): boolean {
  for (let at = from; (lines[at] ?? '').trim() !== ''; at += 1) {
    if (lines[at]?.includes('$$')) return true;
  }
  return false;
}

function closes(rest: string, indent: number, { kind, mark, column }: OpenBlock): boolean {
  if (kind === 'math') return rest.includes('$$');
  if (mark.startsWith('<')) return rest.toLowerCase().includes(mark);
  const marks = /^\s*(`{3,}|~{3,})[ \t]*$/.exec(rest)?.[1];
  if (marks === undefined || indent - column > 3) return false;
  return marks[0] === mark[0] && marks.length >= mark.length;
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
 * The closer of a comment that is still open at the end of the line, or null. An opener that is
 * never closed, as in "50 %% off", is not a comment; otherwise all later headings would be lost.
 */
function commentAfter(
  content: string,
  open: string | null,
  closesLater: (closer: string) => boolean,
): string | null {
  if (open === null && !content.includes('%%') && !content.includes('<!--')) return null;
  let waiting = open;
  let at = 0;
  const marks = open === null ? blankInlineCode(content) : content;
  const opener = /%%|<!--/g;
  const last = { '%%': marks.lastIndexOf('%%'), '-->': marks.lastIndexOf('-->') };
  for (;;) {
    if (waiting !== null) {
      const close = marks.indexOf(waiting, at);
      if (close === -1) return waiting;
      at = close + waiting.length;
      waiting = null;
    }
    opener.lastIndex = at;
    const next = opener.exec(marks);
    if (!next) return null;
    at = next.index + next[0].length;
    const closer = next[0] === '%%' ? '%%' : '-->';
    if (closesLater(closer) || last[closer] >= at) waiting = closer;
  }
}

/** Columns of the inline code in a line, including its backticks. Takes linear time. */
export function inlineCode(line: string): { readonly from: number; readonly to: number }[] {
  if (!line.includes('`')) return [];
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => {
    const isEscaped = /(?<!\\)(?:\\\\)*\\$/.test(line.slice(Math.max(0, index - 40), index));
    return { index, length, opens: isEscaped ? length - 1 : length };
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

/** Parses `## Words ##` into level and text; null for anything else, including `#tag`. */
export function readHeading(line: string): Pick<Heading, 'level' | 'text'> | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (!match?.[1]) return null;
  const words = (match[2] ?? '').trimEnd();
  const text = words.replace(/#+$/, '');
  const closed = text === '' || /[ \t]$/.test(text);
  return { level: match[1].length, text: closed ? text.trimEnd() : words };
}

/** `---`, `***` or `___`, optionally with blanks in between. */
export const DIVIDER = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/;
/**
 * Lines that are not paragraphs: quotes, list items, tables, HTML, comments, link definitions,
 * indented or blank lines.
 */
const NO_PARAGRAPH = /^ {0,3}(?:[>|<]|%%|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|\[[^\]]*\]:)|^ {4}|^\s*$/;

/**
 * Headings as a reader sees them, both `# Words` and underlined ones; none from front matter, code,
 * math, or comments.
 *
 * @param contexts what `lineContexts` returns for the same lines
 */
export function headingsIn(
  all: readonly string[],
  contexts: readonly LineContext[] = lineContexts(all),
): Heading[] {
  const lines = withoutByteOrderMark(all);
  const found: Heading[] = [];
  /** Whether a paragraph may begin on the next line. */
  let isFree = true;
  lines.forEach((line, at) => {
    const isUnderline = found.at(-1)?.lastLine === at + 1;
    const heading = contexts[at] === 'text' ? readHeading(line) : null;
    const level = heading || !isFree || isUnderline ? null : underlineLevel(lines, contexts, at);
    if (heading) found.push({ line: at + 1, lastLine: at + 1, ...heading });
    if (level !== null) found.push({ line: at + 1, lastLine: at + 2, level, text: line.trim() });
    const isDivider = contexts[at] === 'text' && DIVIDER.test(line);
    isFree =
      contexts[at] !== 'text' || line.trim() === '' || heading !== null || isUnderline || isDivider;
  });
  return found;
}

/** Level of a one-line paragraph that is underlined with `=` or `-`; null for any other line. */
function underlineLevel(
  lines: readonly string[],
  contexts: readonly LineContext[],
  at: number,
): number | null {
  const [line = '', below = ''] = [lines[at], lines[at + 1]];
  if (contexts[at] !== 'text' || contexts[at + 1] !== 'text') return null;
  if (NO_PARAGRAPH.test(line) || DIVIDER.test(line)) return null;
  // Text indented more than the line below it belongs to a list item.
  if (indentOf(line) > indentOf(below) + 1) return null;
  const mark = /^ {0,3}([=-])\1*[ \t]*$/.exec(below)?.[1];
  return mark === undefined ? null : mark === '=' ? 1 : 2;
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

/**
 * Whether the tags include `tag` or a tag nested below it (`private/health`), as in Obsidian.
 *
 * @param tags with or without `#`
 */
export function hasTag(tags: readonly string[], tag: string): boolean {
  if (tag === '') return false;
  const wanted = folded(tag);
  return tags.some((each) => {
    const own = folded(each.replace(/^#/, ''));
    return own === wanted || own.startsWith(`${wanted}/`);
  });
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
