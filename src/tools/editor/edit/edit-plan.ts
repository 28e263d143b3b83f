import type { PrintedLine, ShownNote } from '../../shown-notes';
import { NoteView, type Placed } from './note-view';
import { cutAround } from './excerpt';
import { placePositionEdit } from './place-lines';
import { placeTextEdit } from './replace-text';
import { describeOverlap, firstOverlap, inOrder, type Splice } from './splices';

/** One edit as the model wrote it, already valid by its schema. */
export type Edit =
  | { old_text: string; new_text: string; replace_all?: boolean }
  | { position: string; content?: string };

export interface EditInput {
  /** For messages only. */
  path: string;
  /** The note's text as it is now. */
  now: string;
  /** What the model was shown of it, which its line numbers mean. */
  shown: ShownNote;
  edits: readonly Edit[];
}

export type EditPlan =
  | { ok: true; after: string; notes: string[] }
  /** The problem names the edit, what was asked, what was found and what would work; `printed` are its line numbers. */
  | { ok: false; problem: string; printed: readonly PrintedLine[] };

/** Of many wrong edits the first few are enough to learn from. */
const MAX_PROBLEMS = 5;

/**
 * Works out what a list of edits makes of a note: all of them or none. Every edit is placed in the
 * same text, as if it were the only one, so that their order does not matter; two that touch the
 * same characters are refused. Never throws, whatever the texts hold.
 */
export function planEdits(input: EditInput): EditPlan {
  const { edits } = input;
  if (edits.length === 0) {
    return { ok: false, problem: 'The list of edits is empty.', printed: [] };
  }
  const note = new NoteView(input.path, input.now, input.shown);
  let failures = 0;
  const placed = edits.map((edit, at) => {
    const printed = note.printed.length;
    const one = place(note, edit, at + 1);
    // What is not told was not printed.
    if (!one.ok && ++failures > MAX_PROBLEMS) note.printed.length = printed;
    return one;
  });
  const problems = placed.flatMap((one, at) =>
    one.ok ? [] : [`Edit ${at + 1}${nameOf(edits[at])}: ${one.problem}`],
  );
  if (problems.length > 0) return refuse(note, problems);
  const splices = inOrder(placed.flatMap((one) => (one.ok ? one.splices : [])));
  const overlap = firstOverlap(splices);
  if (overlap) return refuse(note, [describeOverlap(overlap, note)]);
  const after = note.finish(splices, endsOpen(splices, edits));
  if (after === input.now) {
    return refuse(note, ['Together the edits leave the note as it is.']);
  }
  const notes = new Set(placed.flatMap((one) => (one.ok ? one.notes : [])));
  return { ok: true, after, notes: [...notes] };
}

function place(note: NoteView, edit: Edit, number: number): Placed {
  return 'position' in edit
    ? placePositionEdit(note, edit, number)
    : placeTextEdit(note, edit, number);
}

/** An empty note has no habit, so it ends as the last content was written. */
function endsOpen(ordered: readonly Splice[], edits: readonly Edit[]): boolean {
  const last = edits[(ordered.at(-1)?.edit ?? 0) - 1];
  return last !== undefined && 'position' in last && !last.content?.endsWith('\n');
}

function nameOf(edit: Edit | undefined): string {
  return edit && 'position' in edit ? ` (${cutAround(edit.position, 0, 0, 80)})` : '';
}

function refuse({ path, printed }: NoteView, problems: readonly string[]): EditPlan {
  const more = problems.length - MAX_PROBLEMS;
  return {
    ok: false,
    problem: [
      `\`${path}\` was not changed.`,
      ...problems.slice(0, MAX_PROBLEMS),
      ...(more > 0 ? [`… and ${more} more edits with problems.`] : []),
    ].join('\n'),
    printed,
  };
}
