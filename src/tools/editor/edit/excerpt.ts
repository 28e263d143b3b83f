import { firstCharacters } from '../../shorten';
import type { Lines } from './lines';

const MOST_LINES = 12;
const MOST_CHARACTERS = 240;

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

/** One line as `12: words`, cut around the column that matters where it is long. */
export function numberedLine(lines: Lines, line: number, column = 0, length = 0): string {
  const content = lines.content(line);
  return `${line}: ${cutAround(content, column, Math.min(content.length, column + length), MOST_CHARACTERS)}`;
}

/** Lines `from` to `to` as `12: words`; of many lines the first and the last, saying what is between. */
export function excerpt(lines: Lines, from: number, to: number): string {
  const last = Math.min(to, lines.count);
  const numbers: (number | null)[] = [];
  if (last - from < MOST_LINES) for (let line = from; line <= last; line++) numbers.push(line);
  else {
    const head = MOST_LINES - 4;
    for (let line = from; line < from + head; line++) numbers.push(line);
    numbers.push(null);
    for (let line = last - 2; line <= last; line++) numbers.push(line);
  }
  return numbers
    .map((line) =>
      line === null ? `… ${last - from - MOST_LINES + 2} lines …` : numberedLine(lines, line),
    )
    .join('\n');
}

/** "line 4" or "lines 4-6". */
export function lineSpan(from: number, to: number): string {
  return from >= to ? `line ${from}` : `lines ${from}-${to}`;
}

/** What the model wrote, quoted on one line and cut, to recognise it by. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.length <= most ? text : `${firstCharacters(text, most)}…`);
}
