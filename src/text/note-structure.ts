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
  const lines = withoutByteOrderMark(all);
  const contexts = frontMatterContexts(lines);
  const closers = lastClosers(lines);
  let at = contexts.length;
  const closesLater = (closer: string) => (closers.get(closer) ?? -1) > at;
  const opensMath = (words: string) => {
    if (!closesLater('$$') || blankInlineCode(words).split('$$').length % 2 === 1) return false;
    // A formula that starts within a paragraph must be closed in it.
    return words.startsWith('$$') || closesInParagraph(lines, at + 1);
  };
  const blocks = new BlockReader({ opensMath, closesLater });
  let isInComment = false;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const { kind, isStart } = isInComment ? IN_COMMENT : blocks.read(line);
    contexts.push(kind === 'comment' && isStart ? 'text' : CONTEXTS[kind]);
    if (isInComment || kind === 'text') {
      isInComment = isCommentOpen(line, isInComment, () => closesLater('%%'));
    }
  }
  return contexts;
}

const IN_COMMENT: Pick<BlockLine, 'kind' | 'isStart'> = { kind: 'comment', isStart: false };

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
