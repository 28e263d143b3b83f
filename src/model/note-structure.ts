/** What the lines of a note are: prose, or inside front matter, code, math or a comment; and the headings among them. */

/** A line that closes or opens a block belongs to it; the first line of a comment is text, whatever stands before it. */
export type LineContext = 'front-matter' | 'code' | 'math' | 'comment' | 'text';

export interface Heading {
  /** From 1. */
  readonly line: number;
  /** The line below it where it is one of dashes or equals signs that makes it a heading; otherwise its own. */
  readonly lastLine: number;
  readonly level: number;
  /** The words, without hashes on either side. */
  readonly text: string;
}

/**
 * The number of lines the front matter takes, 0 without one. It opens with `---` on the very first line and needs its
 * closing line: a `---` further down, or one never closed, is a divider.
 */
export function frontMatterEnd(lines: readonly string[]): number {
  const isFence = (line: string) => /^---[ \t]*$/.test(line);
  if (!isFence((lines[0] ?? '').replace(/^\uFEFF/, ''))) return 0;
  return lines.findIndex((line, at) => at > 0 && isFence(line)) + 1;
}

/** A code block or math that is open, and the quote and list item that it lies in. */
interface OpenBlock {
  readonly kind: 'code' | 'math';
  /** What opened it: "```", "~~~~" or "$$". */
  readonly mark: string;
  readonly quotes: number;
  readonly column: number;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const QUOTE = /^[ \t]{0,3}>[ \t]?/;

/** @param lines without their line endings */
export function lineContexts(lines: readonly string[]): readonly LineContext[] {
  const first = frontMatterEnd(lines);
  const contexts: LineContext[] = Array.from({ length: first }, () => 'front-matter');
  const closers = lastClosers(lines);
  let open: OpenBlock | null = null;
  let comment: string | null = null;
  /** Where the words of the list items begin that are open, the outermost first. */
  let columns: number[] = [];
  for (let at = first; at < lines.length; at += 1) {
    const { quotes, rest } = unquoted(lines[at] ?? '');
    const indent = indentOf(rest);
    const isBlank = rest.trim() === '';
    if (open !== null) {
      const isInside: boolean = quotes >= open.quotes && (isBlank || indent >= open.column);
      if (isInside) {
        contexts.push(open.kind);
        if (closes(rest, indent, open)) open = null;
        continue;
      }
      open = null;
    }
    if (comment === null && !isBlank) {
      columns = columns.filter((column) => column <= indent);
      const inner = withoutItems(rest, indent, columns);
      open = opened(inner, quotes, columns.at(-1) ?? 0, (closers.get('$$') ?? -1) > at);
      if (open !== null) {
        contexts.push(open.kind);
        continue;
      }
    }
    contexts.push(comment === null ? 'text' : 'comment');
    comment = commentAfter(rest, comment, (closer) => (closers.get(closer) ?? -1) > at);
  }
  return contexts;
}

function unquoted(line: string): { readonly quotes: number; readonly rest: string } {
  let rest = line;
  let quotes = 0;
  for (let mark = QUOTE.exec(rest); mark; mark = QUOTE.exec(rest)) {
    rest = rest.slice(mark[0].length);
    quotes += 1;
  }
  return { quotes, rest };
}

/** Columns of blanks before the first word; a tab goes on to the next multiple of four. */
function indentOf(text: string): number {
  let column = 0;
  for (const sign of text) {
    if (sign === ' ') column += 1;
    else if (sign === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

/** What stands behind the markers of list items, whose columns are added; with no more indent than it has there. */
function withoutItems(rest: string, indent: number, columns: number[]): string {
  let words = rest.trimStart();
  let column = indent;
  for (let mark = ITEM.exec(words); mark; mark = ITEM.exec(words)) {
    if (column - (columns.at(-1) ?? 0) > 3) break;
    const behind = words.slice(mark[0].length);
    const gap = indentOf(behind);
    column += mark[0].length + (gap === 0 || gap > 4 ? 1 : gap);
    columns.push(column);
    words = behind.trimStart();
  }
  return ' '.repeat(Math.max(0, column - (columns.at(-1) ?? 0))) + words;
}

function opened(
  inner: string,
  quotes: number,
  column: number,
  mathClosesLater: boolean,
): OpenBlock | null {
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(inner)?.[1];
  if (fence !== undefined) return { kind: 'code', mark: fence, quotes, column };
  const math = /^ {0,3}\$\$(.*)$/.exec(inner);
  if (!math || math[1]?.includes('$$') || !mathClosesLater) return null;
  return { kind: 'math', mark: '$$', quotes, column };
}

function closes(rest: string, indent: number, { kind, mark, column }: OpenBlock): boolean {
  if (kind === 'math') return rest.includes('$$');
  const marks = /^\s*(`{3,}|~{3,})[ \t]*$/.exec(rest)?.[1];
  if (marks === undefined || indent - column > 3) return false;
  return marks[0] === mark[0] && marks.length >= mark.length;
}

/** The last line (from 0) on which each kind of comment, and math, could still be closed. */
function lastClosers(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    ['%%', '-->', '$$'].map((closer) => [
      closer,
      lines.findLastIndex((line) => line.includes(closer)),
    ]),
  );
}

/**
 * The closer a comment still waits for at the end of the line. An opener that nothing closes, as in "50 %% off", is no
 * comment, or every heading after it would be lost.
 */
function commentAfter(
  content: string,
  open: string | null,
  closesLater: (closer: string) => boolean,
): string | null {
  let waiting = open;
  let at = 0;
  const marks = open === null ? blankInlineCode(content) : content;
  for (;;) {
    if (waiting !== null) {
      const close = marks.indexOf(waiting, at);
      if (close === -1) return waiting;
      at = close + waiting.length;
      waiting = null;
    }
    const next = /%%|<!--/.exec(marks.slice(at));
    if (!next) return null;
    at += next.index + next[0].length;
    waiting = next[0] === '%%' ? '%%' : '-->';
    if (marks.indexOf(waiting, at) === -1 && !closesLater(waiting)) waiting = null;
  }
}

/** The line with blanks in place of its code, so that what follows stays where it is. */
export function blankInlineCode(line: string): string {
  return line.includes('`')
    ? line.replace(/(?<!`)(`+)(?!`)[^`]*\1(?!`)/g, (code) => ' '.repeat(code.length))
    : line;
}

/** `## Words ##` as level and words; null for anything else, `#tag` included. */
export function readHeading(line: string): Pick<Heading, 'level' | 'text'> | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (!match?.[1]) return null;
  const words = (match[2] ?? '').trimEnd();
  const text = words.replace(/#+$/, '');
  const closed = text === '' || /[ \t]$/.test(text);
  return { level: match[1].length, text: closed ? text.trimEnd() : words };
}

/** `---`, `***` or `___`, with or without blanks between. */
export const DIVIDER = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/;
/** Quotes, list items, tables, HTML, comments and definitions of links are no paragraphs. */
const NO_PARAGRAPH = /^ {0,3}(?:[>|<]|%%|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|\[[^\]]*\]:)|^ {4}|^\s*$/;

/** The headings a reader sees, none from front matter, code, math or comments: `# Words`, and words that are underlined. */
export function headingsIn(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  const contexts = lineContexts(lines);
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

/** Of a paragraph of one line with a line of `=` or `-` below it; null for any other line. */
function underlineLevel(
  lines: readonly string[],
  contexts: readonly LineContext[],
  at: number,
): number | null {
  const [line = '', below = ''] = [lines[at], lines[at + 1]];
  if (contexts[at] !== 'text' || contexts[at + 1] !== 'text') return null;
  if (NO_PARAGRAPH.test(line) || DIVIDER.test(line)) return null;
  const mark = /^ {0,3}([=-])\1*[ \t]*$/.exec(below)?.[1];
  return mark === undefined ? null : mark === '=' ? 1 : 2;
}

const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Whether a line (from 0) is a row of a table, with or without bars around it. */
export function isTableRow(lines: readonly string[], at: number): boolean {
  const isRow = (line: number) => lines[line]?.includes('|') === true;
  const isDelimiter = (line: number) => isRow(line) && DELIMITER_ROW.test(lines[line] ?? '');
  if (isRow(at) && isDelimiter(at + 1)) return true;
  for (let line = at; isRow(line); line -= 1) if (isDelimiter(line)) return isRow(line - 1);
  return false;
}
