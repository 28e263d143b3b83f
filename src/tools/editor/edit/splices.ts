/** Replacements in a text, and where each line of the result comes from. */
import type { LineRange } from '#text/change-check';
import { Lines } from './text-lines';

/** One replacement of an edit: `start`..`end` becomes `text`. */
export interface Splice {
  /** Number of the edit, from 1. */
  edit: number;
  start: number;
  end: number;
  text: string;
}

/**
 * Sorts by position. An insertion comes before a replacement that starts there; insertions at one
 * position keep the order of the edits.
 */
export function inOrder(splices: readonly Splice[]): Splice[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end || a.edit - b.edit);
}

/** The first two splices that share characters, or null. Adjacent splices do not overlap. */
export function firstOverlap(ordered: readonly Splice[]): [Splice, Splice] | null {
  let reach: Splice | undefined;
  for (const splice of ordered) {
    if (reach && splice.start < reach.end) return [reach, splice];
    if (!reach || splice.end >= reach.end) reach = splice;
  }
  return null;
}

/** Applies splices, which must be sorted and must not overlap. */
export function assemble(text: string, ordered: readonly Splice[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const splice of ordered) {
    parts.push(text.slice(done, splice.start), splice.text);
    done = splice.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/**
 * The lines of the edited text that replace others, as they were given; from 0, without the last.
 *
 * @param ordered sorted and not overlapping
 */
export function replacingLines(before: Lines, ordered: readonly Splice[]): LineRange[] {
  const breaks = (text: string) => text.split('\n').length - 1;
  const ranges: LineRange[] = [];
  let [done, line] = [0, 0];
  for (const { start, end, text } of ordered) {
    line += breaks(before.text.slice(done, start));
    const last = line + breaks(text.replace(/\n$/, ''));
    if (end > start) ranges.push([line, last + 1]);
    line += breaks(text);
    done = end;
  }
  return ranges;
}

/**
 * For each line of an edited text: the earlier lines that parts of it were kept from; null if it is
 * an earlier line, unchanged.
 */
export type LineOrigins = readonly (readonly number[] | null)[];

/** @param ordered sorted and not overlapping */
export function lineOrigins(before: Lines, ordered: readonly Splice[]): LineOrigins {
  const edited = new EditedLines(before);
  let done = 0;
  for (const { start, end, text } of ordered) {
    edited.keep(done, start);
    edited.write(text);
    done = end;
  }
  edited.keep(done, before.text.length);
  return edited.finish();
}

/** A part of a line: written by the edit, or kept from an earlier line. */
type Piece = 'written' | { readonly line: number; readonly isWhole: boolean };

class EditedLines {
  readonly #lines: (readonly number[] | null)[] = [];
  #pieces: Piece[] = [];

  constructor(private readonly before: Lines) {}

  write(text: string): void {
    text.split('\n').forEach((part, at, { length }) => {
      if (at > 0) this.#endLine();
      const isLast = at === length - 1;
      if ((isLast ? part : part.replace(/\r$/, '')) !== '') this.#pieces.push('written');
    });
  }

  keep(from: number, to: number): void {
    const { before } = this;
    if (from >= to) return;
    for (let line = before.lineAt(from); before.start(line) < to; line += 1) {
      const [start, end] = [before.start(line), before.contentEnd(line)];
      const next = before.start(line + 1);
      // The usual case is fast: the whole line is kept, and nothing precedes it.
      if (this.#pieces.length === 0 && from <= start && end < next && next <= to) {
        this.#lines.push(null);
        continue;
      }
      const isWhole = from <= start && end <= to;
      if (isWhole || Math.max(from, start) < Math.min(to, end))
        this.#pieces.push({ line, isWhole });
      if (next <= to && end < next) this.#endLine();
    }
  }

  finish(): LineOrigins {
    if (this.#pieces.length > 0) this.#endLine();
    return this.#lines;
  }

  #endLine(): void {
    const [only, ...others] = this.#pieces;
    const isUnchanged = others.length === 0 && typeof only === 'object' && only.isWhole;
    const kept = this.#pieces.flatMap((piece) => (piece === 'written' ? [] : [piece.line]));
    this.#lines.push(isUnchanged ? null : kept.filter((line) => this.before.content(line) !== ''));
    this.#pieces = [];
  }
}
