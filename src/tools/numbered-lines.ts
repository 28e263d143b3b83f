/** Formats numbered lines for the model within limits, and records search results as shown. */
import { Lines, withoutMark } from './editor/edit/text-lines';
import { firstCharacters } from '#text/shorten';
import type { PrintedLine } from './printed-lines';
import type { StepNotes } from './shown-notes';
import { lineTexts } from '#text/list-diff';

export interface LineLimits {
  readonly lines: number;
  readonly characters: number;
  readonly lineCharacters: number;
}

export interface NumberedText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** True if part of the requested range is not shown. */
  readonly cut: boolean;
  readonly characters: number;
  readonly printed: readonly PrintedLine[];
}

/**
 * @param first from 1
 * @param last inclusive
 */
export function numberedLines(
  text: string,
  first: number,
  last: number,
  limits: LineLimits,
): NumberedText {
  const all = lineTexts(withoutMark(text));
  const wanted = Math.min(last, all.length);
  const shown: string[] = [];
  const printed: PrintedLine[] = [];
  let characters = 0;
  let line = first;
  for (; line <= wanted && shown.length < limits.lines; line += 1) {
    const whole = all[line - 1] ?? '';
    const words = lineStart(whole, limits.lineCharacters);
    const numbered = `${line}: ${words}`;
    if (shown.length > 0 && characters + numbered.length > limits.characters) break;
    shown.push(numbered);
    printed.push([line, words]);
    characters += numbered.length + 1;
  }
  return {
    text: shown.join('\n'),
    first,
    last: line - 1,
    total: all.length,
    cut: line - 1 < wanted,
    characters,
    printed,
  };
}

function lineStart(line: string, most: number): string {
  const shown = firstCharacters(line, most);
  if (shown.length === line.length) return line;
  const more = (line.length - shown.length).toLocaleString('en');
  return `${shown} … (${more} more characters in this line; search_files shows passages of it)`;
}

export interface ShownRow {
  /** From 1. */
  readonly number: number;
  /** The whole line that was searched. */
  readonly line: string;
  /** The text shown; null if only the number is shown. */
  readonly printed: string | null;
}

export interface ShownRows {
  readonly path: string;
  readonly rows: readonly ShownRow[];
}

/**
 * Records the rows as shown.
 *
 * @param text current text of the note; if it does not contain these rows, no line number of the
 * note is usable
 */
export function rememberRows(
  notes: StepNotes,
  path: string,
  text: string,
  rows: readonly ShownRow[],
): void {
  if (rows.length === 0) return;
  const lines = new Lines(withoutMark(text));
  const isCurrent = rows.every(
    ({ number, line }) =>
      comparable(lines.content(number)) === comparable(number === 1 ? withoutMark(line) : line),
  );
  if (!isCurrent) return notes.loseNumbers(path);
  notes.show(
    path,
    text,
    rows.map(({ number, printed }) => [number, printed]),
  );
}

/** A multiline search reads CRLF as LF, so it cuts one of two carriage returns. */
function comparable(line: string): string {
  return line.replace(/\r+$/, '');
}
