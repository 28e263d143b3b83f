/** Numbered lines in the results of searches, which may be of a text that has changed since it was searched. */
import { Lines } from './editor/edit/lines';
import type { StepNotes } from './shown-notes';

export interface ShownRow {
  /** From 1. */
  readonly number: number;
  /** The whole line, as it was searched. */
  readonly line: string;
  /** What the result shows of it; null for the number alone. */
  readonly printed: string | null;
}

export interface ShownRows {
  readonly path: string;
  readonly rows: readonly ShownRow[];
}

/** @param text the note as it is now; if these lines are no longer in it, none of its line numbers can be used */
export function rememberRows(
  notes: StepNotes,
  path: string,
  text: string,
  rows: readonly ShownRow[],
): void {
  if (rows.length === 0) return;
  const lines = new Lines(text.replace(/^\uFEFF/, ''));
  const isCurrent = rows.every((row) => lines.content(row.number) === contentOf(row));
  if (!isCurrent) return notes.loseNumbers(path);
  notes.show(
    path,
    text,
    rows.map(({ number, printed }) => [number, printed]),
  );
}

/** Only at the beginning of a file is a byte order mark no part of the line. */
function contentOf({ number, line }: ShownRow): string {
  return (number === 1 ? line.replace(/^\uFEFF/, '') : line).replace(/\r$/, '');
}
