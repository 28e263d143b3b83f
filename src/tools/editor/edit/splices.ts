/** Replacements in a text. */
import type { LineRange } from '#text/change-check';
import type { Lines } from './text-lines';

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
