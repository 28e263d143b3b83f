import type { Placed, NoteView } from './note-view';
import type { LineRange } from '#text/change-check';
import { type Splice, inOrder, firstOverlap, replacingLines } from './splices';
import type { PrintedLine } from '../../printed-lines';
import { quote } from '#text/paths';
import { cutAround, lineSpan } from './text-lines';
import { placePositionEdit } from './place-lines';
import { describeMissing, placeTextEdit } from './replace-text';

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

/** One edit of the model, already validated by the schema. */
export type Edit =
  | { old_text: string; new_text: string; replace_all?: boolean }
  | { position: string; content?: string };

export type EditPlan =
  | {
      ok: true;
      after: string;
      notes: string[];
      replacing: readonly LineRange[];
      /** Whether the new text has lines that the model has not written, so it does not know them. */
      isUnseen?: true;
    }
  /**
   * The problem names the edit, what was found and what would work. `printed` lists the lines it
   * shows. `isNothing`: all edits replace every passage of a text, and there is none.
   */
  | { ok: false; reason: string; printed: readonly PrintedLine[]; isNothing?: boolean };

/** Reporting the first few problems is enough for a model to correct the rest. */
const MAX_PROBLEMS = 5;

/**
 * Computes the text after a list of edits: all of them or none. Every edit is placed in the
 * original text, so their order does not matter; overlapping edits are rejected. Never throws.
 */
export function planEdits(note: NoteView, edits: readonly Edit[]): EditPlan {
  if (edits.length === 0) {
    return { ok: false, reason: 'The list of edits is empty.', printed: [] };
  }
  let failures = 0;
  const placed = edits.map((edit, at) => {
    const printed = note.printed.length;
    const one = place(note, edit, at + 1);
    // This problem is not reported, so its lines are not shown.
    if (!one.ok && ++failures > MAX_PROBLEMS) note.printed.length = printed;
    return one;
  });
  const problems = placed.flatMap((one, at) =>
    one.ok ? [] : [`Edit ${at + 1}${positionSuffix(edits[at])}: ${one.reason}`],
  );
  if (problems.length > 0) return refuse(note, problems);
  const splices = inOrder(placed.flatMap((one) => (one.ok ? one.splices : [])));
  if (splices.length === 0) {
    const missing = edits.map((edit, at) =>
      'position' in edit || at >= MAX_PROBLEMS
        ? ''
        : `Edit ${at + 1}: ${describeMissing(note, edit.old_text)}`,
    );
    return refuse(note, missing, true);
  }
  const overlap = firstOverlap(splices);
  if (overlap) return refuse(note, [describeOverlap(overlap, note)]);
  const after = note.finish(splices, endsOpen(splices, edits));
  if (after === note.now) {
    return refuse(note, ['Together the edits leave the note as it is.']);
  }
  const notes = new Set(placed.flatMap((one) => (one.ok ? one.notes : [])));
  return { ok: true, after, notes: [...notes], replacing: replacingLines(note.lines, splices) };
}

function place(note: NoteView, edit: Edit, number: number): Placed {
  return 'position' in edit
    ? placePositionEdit(note, edit, number)
    : placeTextEdit(note, edit, number);
}

/** Whether an empty note gets no final newline: it ends as the last content does. */
function endsOpen(ordered: readonly Splice[], edits: readonly Edit[]): boolean {
  const last = edits[(ordered.at(-1)?.edit ?? 0) - 1];
  return last !== undefined && 'position' in last && !last.content?.endsWith('\n');
}

function positionSuffix(edit: Edit | undefined): string {
  return edit && 'position' in edit ? ` (${cutAround(edit.position, 0, 0, 80)})` : '';
}

function refuse(
  { path, printed }: NoteView,
  problems: readonly string[],
  isNothing = false,
): EditPlan {
  const more = problems.length - MAX_PROBLEMS;
  return {
    ok: false,
    isNothing,
    reason: [
      `${quote(path)} was not changed.`,
      ...problems.slice(0, MAX_PROBLEMS),
      ...(more > 0 ? [`… and ${more} more edits with problems.`] : []),
    ].join('\n'),
    printed,
  };
}
