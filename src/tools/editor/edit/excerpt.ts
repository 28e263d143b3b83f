import { firstCharacters } from '../../shorten';
import type { Lines } from './lines';

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
