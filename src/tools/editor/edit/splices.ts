import { lineSpan } from './excerpt';
import type { NoteView } from './note-view';

/** What one edit does to one stretch of the note: `start`..`end` becomes `text`. */
export interface Splice {
  /** The number of the edit, from 1. */
  edit: number;
  start: number;
  end: number;
  text: string;
}

/**
 * In the order of the note. What is inserted where a replaced stretch begins comes before it;
 * insertions at one point keep the order in which they were given.
 */
export function inOrder(splices: readonly Splice[]): Splice[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end || a.edit - b.edit);
}

/** The first pair that touches the same characters; sides that only meet do not overlap. */
export function firstOverlap(ordered: readonly Splice[]): [Splice, Splice] | null {
  let reach: Splice | undefined;
  for (const splice of ordered) {
    if (reach && splice.start < reach.end) return [reach, splice];
    if (!reach || splice.end >= reach.end) reach = splice;
  }
  return null;
}

export function describeOverlap([a, b]: [Splice, Splice], note: NoteView): string {
  const [first, second] = a.edit <= b.edit ? [a, b] : [b, a];
  return (
    `Edits ${first.edit} and ${second.edit} overlap: edit ${first.edit} ${reachOf(first, note)}, ` +
    `edit ${second.edit} ${reachOf(second, note)}. Join them into one edit, or make the second ` +
    'in another call after this one.'
  );
}

function reachOf(splice: Splice, note: NoteView): string {
  const { lines, printed } = note;
  const from = lines.lineAt(splice.start);
  printed.push([from, null]);
  if (splice.start === splice.end) return `inserts before line ${from}`;
  const to = lines.lineAt(splice.end - 1);
  printed.push([to, null]);
  return `changes ${lineSpan(from, to)}`;
}

/** The text with every splice made; they must be in order and not overlap. */
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
