import { clip, splitsPair } from '#text/shorten';

import {
  changedLines,
  diffLists,
  type Hunk,
  type LineEnding,
  moved,
  withEnding,
} from '#text/list-diff';

/**
 * A text as numbered lines, from 1. Only LF and CRLF end a line; U+2028 and a lone CR are ordinary
 * characters, as in `read_file`. A final newline does not start another line, and an empty text has
 * no lines.
 */
export class Lines {
  readonly count: number;
  /** Offset of each line, and finally the end of the text. */
  private readonly starts: number[] = [0];

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.starts.push(at + 1);
    }
    if (!text.endsWith('\n') && text !== '') this.starts.push(text.length);
    this.count = this.starts.length - 1;
  }

  /** Offset of a line; for one past the last line, the end of the text. */
  start(line: number): number {
    return this.starts[line - 1] ?? this.text.length;
  }

  /** Offset of the line's end, before its line ending. */
  contentEnd(line: number): number {
    const next = this.start(line + 1);
    if (this.text[next - 1] !== '\n' || next === this.start(line)) return next;
    const crlf = this.text[next - 2] === '\r' && next - 2 >= this.start(line);
    return crlf ? next - 2 : next - 1;
  }

  content(line: number): string {
    return this.text.slice(this.start(line), this.contentEnd(line));
  }

  /** The line ending; empty for a last line that has none. */
  ending(line: number): string {
    return this.text.slice(this.contentEnd(line), this.start(line + 1));
  }

  /** Number of the line that contains `offset`. */
  lineAt(offset: number): number {
    let low = 1;
    let high = Math.max(1, this.count);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Number of the first line that begins at `offset` or later; one more than all if none does. */
  lineFrom(offset: number): number {
    const line = this.lineAt(offset);
    return line <= this.count && this.start(line) < offset ? line + 1 : line;
  }
}

/**
 * A diff of the lines without their endings. It costs little where a long text changes a little,
 * because the common start and end are not split into lines.
 */
export function lineHunks(before: Lines, after: Lines): Hunk[] {
  const middle = changedLines(before.text, after.text);
  const shorter = Math.min(before.count, after.count);
  let from = before.lineFrom(middle.from);
  while (from <= shorter && before.content(from) === after.content(from)) from += 1;
  const below = before.count + 1 - before.lineFrom(middle.beforeTo);
  const same = Math.min(below, shorter + 1 - from);
  return diffLists(
    contentsOf(before, from, before.count + 1 - same),
    contentsOf(after, from, after.count + 1 - same),
  ).map((hunk) => moved(hunk, from - 1, from - 1));
}

/** The byte order mark belongs to the file, not to its first line. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** The lines without their endings: all, or from one number to another, which is excluded. */
export function contentsOf(lines: Lines, from = 1, to = lines.count + 1): string[] {
  return Array.from({ length: to - from }, (_, at) => lines.content(from + at));
}

/** The more frequent line ending; LF if neither is. */
export function usualEnding(text: string): LineEnding {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf++;
    else lf++;
  }
  return crlf > lf ? '\r\n' : '\n';
}

/** The line breaks between a text and a block below it, with which a blank line is between them. */
export function gapBelow(text: string, ending: LineEnding): string {
  if (/^\uFEFF?$/.test(text)) return '';
  const isBlankLast = /(?:^|\n)[ \t]*$/.test(text.replace(/\r?\n$/, ''));
  return (text.endsWith('\n') ? '' : ending) + (isBlankLast ? '' : ending);
}

/** Content as whole lines: converts line endings and adds a final newline if it is missing. */
export function asWholeLines(content: string, ending: LineEnding): string {
  const lines = withEnding(content, ending);
  return lines.endsWith('\n') ? lines : lines + ending;
}

export function lacksFinalNewline(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}

const MAX_LINES = 12;
const MAX_LINE_CHARACTERS = 240;

/** Cuts a text around `from`..`to` and says on each side how many characters were left out. */
export function cutAround(text: string, from: number, to: number, most: number): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - (to - from));
  let start = Math.max(0, Math.min(from - Math.floor(room / 2), text.length - most));
  let end = Math.min(text.length, start + most);
  // A model cannot quote half of a surrogate pair.
  if (splitsPair(text, start)) start--;
  if (splitsPair(text, end)) end++;
  const left = start > 0 ? `[${start} characters]…` : '';
  const right = end < text.length ? `…[${text.length - end} characters]` : '';
  return left + text.slice(start, end) + right;
}

/** One line; a long one is cut around `column`. */
export function cutLine(lines: Lines, line: number, column = 0, length = 0): string {
  const content = lines.content(line);
  const end = Math.min(content.length, column + length);
  return cutAround(content, column, end, MAX_LINE_CHARACTERS);
}

/** A row of an excerpt. If `line` is null, it says how many lines are left out. */
export interface ExcerptRow {
  readonly line: number | null;
  readonly words: string;
}

/** Lines `from` to `to`; a long range is cut in the middle. */
export function excerptRows(lines: Lines, from: number, to: number): ExcerptRow[] {
  const last = Math.min(to, lines.count);
  const numbers: (number | null)[] = [];
  if (last - from < MAX_LINES) for (let line = from; line <= last; line++) numbers.push(line);
  else {
    const head = MAX_LINES - 4;
    for (let line = from; line < from + head; line++) numbers.push(line);
    numbers.push(null);
    for (let line = last - 2; line <= last; line++) numbers.push(line);
  }
  return numbers.map((line) => ({
    line,
    words: line === null ? `… ${last - from - MAX_LINES + 2} lines …` : cutLine(lines, line),
  }));
}

/**
 * The call that reads a whole file with line numbers. A canvas needs `start_line`; otherwise it is
 * described.
 */
export function readingCall(path: string): string {
  const start = path.toLowerCase().endsWith('.canvas') ? { start_line: 1 } : {};
  return `read_file ${JSON.stringify({ path, ...start })}`;
}

/** "line 4" or "lines 4-6". */
export function lineSpan(from: number, to: number): string {
  return from >= to ? `line ${from}` : `lines ${from}-${to}`;
}

/** The beginning of what the model wrote, quoted on one line, so that it recognizes it. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(clip(text, most));
}
