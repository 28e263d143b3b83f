import { firstCharacters } from '../../result-format';

import type { LineEnding } from '#model/diff/list-diff';

/**
 * A text seen as numbered lines, counted from 1. A line ends at LF or CRLF and nowhere else: U+2028
 * and a lone CR are characters of a line, as they are to the reader that hands out the numbers. A
 * final newline ends the last line and does not begin another; an empty text has no lines.
 */
export class Lines {
  readonly count: number;
  /** Where each line begins, and last the end of the text. */
  private readonly starts: number[] = [0];

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.starts.push(at + 1);
    }
    if (!text.endsWith('\n') && text !== '') this.starts.push(text.length);
    this.count = this.starts.length - 1;
  }

  /** Where line `line` begins; one past the last line is the end of the text. */
  start(line: number): number {
    return this.starts[line - 1] ?? this.text.length;
  }

  /** Where the words of the line end, before its line ending. */
  contentEnd(line: number): number {
    const next = this.start(line + 1);
    if (this.text[next - 1] !== '\n' || next === this.start(line)) return next;
    const crlf = this.text[next - 2] === '\r' && next - 2 >= this.start(line);
    return crlf ? next - 2 : next - 1;
  }

  content(line: number): string {
    return this.text.slice(this.start(line), this.contentEnd(line));
  }

  /** The line ending of the line; empty for a last line without one. */
  ending(line: number): string {
    return this.text.slice(this.contentEnd(line), this.start(line + 1));
  }

  /** The line that the character at `offset` belongs to. */
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
}

/** The lines without their endings. */
export function contentsOf(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, at) => lines.content(at + 1));
}

/** The line ending most lines have; LF where there is none or no majority. */
export function usualEnding(text: string): LineEnding {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf++;
    else lf++;
  }
  return crlf > lf ? '\r\n' : '\n';
}

/** The text with every line ending in the one given. */
export function withEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}

/** Content meant as whole lines: a final newline is there, and only once, whoever wrote it. */
export function asWholeLines(content: string, ending: LineEnding): string {
  const lines = withEnding(content, ending);
  return lines.endsWith('\n') ? lines : lines + ending;
}

/** A note whose last line has words but no line ending. */
export function lacksFinalNewline(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}

const MAX_LINES = 12;
const MAX_LINE_CHARACTERS = 240;

/** Cuts a text to the stretch around `from`..`to`, saying on each side how much was left out. */
export function cutAround(text: string, from: number, to: number, most: number): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - (to - from));
  let start = Math.max(0, Math.min(from - Math.floor(room / 2), text.length - most));
  let end = Math.min(text.length, start + most);
  // Half of an emoji is not a character a model could quote.
  if (isLowSurrogate(text, start)) start--;
  if (isLowSurrogate(text, end)) end++;
  const left = start > 0 ? `[${start} characters]…` : '';
  const right = end < text.length ? `…[${text.length - end} characters]` : '';
  return left + text.slice(start, end) + right;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** One line, cut around the column that matters if it is long. */
export function cutLine(lines: Lines, line: number, column = 0, length = 0): string {
  const content = lines.content(line);
  const end = Math.min(content.length, column + length);
  return cutAround(content, column, end, MAX_LINE_CHARACTERS);
}

/** A row of an excerpt; without a line number it says how many lines are left out. */
export interface ExcerptRow {
  readonly line: number | null;
  readonly words: string;
}

/** Lines `from` to `to`; of many lines the first and the last. */
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

/** The call that shows a whole text with its line numbers; without a start, a canvas is described instead. */
export function readingCall(path: string): string {
  const start = path.toLowerCase().endsWith('.canvas') ? { start_line: 1 } : {};
  return `read_file ${JSON.stringify({ path, ...start })}`;
}

/** "line 4" or "lines 4-6". */
export function lineSpan(from: number, to: number): string {
  return from >= to ? `line ${from}` : `lines ${from}-${to}`;
}

/** What the model wrote, quoted on one line and cut, to recognise it by. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.length <= most ? text : `${firstCharacters(text, most)}…`);
}
