/** All that a turn did to notes in one line, as it stands now. */
import type { PersonAct } from '#model/conversation';
import type { PendingEdit } from '#model/pending-edit';
import type { ChangeId, ProposalId } from '#model/ids';
import type { EditPlace } from '#stores/edits';
import { lineCounts, type LineCounts } from '#model/change';
import { decidedOf, type Decided } from './decided';
import type { Made, Proposed, TurnChanges } from './turn-changes';
import { counted } from './words';

/** What became of what a turn proposed for one note. */
export interface Reviewed extends Proposed {
  /** Where the note is now, as far as something waits in it. */
  readonly place: string;
  /** All that decided about it last, taken back or not. */
  readonly decisions: readonly ChangeId[];
  readonly pending: readonly PendingEdit[];
  readonly decided: readonly Decided[];
  /** All of it was taken back. */
  readonly undone: boolean;
}

interface Present {
  /** Null where it waits no more. */
  find(part: ProposalId | ChangeId, note: string): EditPlace | null;
  isUndone(change: ChangeId): boolean;
}

export function reviewedOf(
  proposed: Proposed,
  acts: readonly PersonAct[],
  { find, isUndone }: Present,
): Reviewed {
  const { path, parts } = proposed;
  const last = decidedOf(acts, parts);
  const standing = new Set(
    last.flatMap(({ change, decisions }) =>
      isUndone(change) ? [] : decisions.map(({ proposal }) => proposal),
    ),
  );
  const places = parts.flatMap((part) => {
    const place = find(part, path);
    // What was decided here may wait in a copy of the note.
    return place && (place.note.path === path || !standing.has(part)) ? [place] : [];
  });
  const waiting = new Set(places.map(({ edit }) => edit.id));
  return {
    ...proposed,
    decisions: last.map(({ change }) => change),
    place: places[0]?.note.path ?? path,
    pending: places.map(({ edit }) => edit),
    decided: decidedOf(
      acts,
      parts.filter((part) => !waiting.has(part)),
    ),
    undone: proposed.changes.every(isUndone),
  };
}

/** "1 note to review, 3 notes changed, +12 −4": what waits and what was not rejected. */
export function turnLine(
  made: readonly Made[],
  reviewed: readonly Reviewed[],
  isUndone: (change: ChangeId) => boolean,
): string {
  const waiting = reviewed.filter(({ pending }) => pending.length > 0);
  const accepted = reviewed.filter(
    (note) => !waiting.includes(note) && standingTexts(note, isUndone).length > 0,
  );
  const texts = reviewed.flatMap((note) => standingTexts(note, isUndone));
  const counts = [
    ...made,
    ...texts.map((text) => lineCounts({ kind: 'write', path: '', ...text })),
  ];
  const parts = [
    ...(waiting.length > 0 ? [`${counted(waiting.length, 'note')} to review`] : []),
    ...placesWords(made, accepted),
    ...countWords(counts),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No note changed';
}

/** The same of a turn that was taken back. */
export function undoneLine({ made, proposed }: TurnChanges): string {
  const all = [...made, ...proposed];
  return `Undone: ${[...placesWords(made, proposed), ...countWords(all)].join(', ')}`;
}

/** Those of its parts that wait, and those that the person let in. */
function standingTexts(
  { pending, decided }: Reviewed,
  isUndone: (change: ChangeId) => boolean,
): { before: string; after: string }[] {
  const standing = decided.filter(({ change }) => !isUndone(change));
  const accepted = standing.flatMap(({ decisions }) =>
    decisions.flatMap(({ choice, before, proposed, after = proposed }) =>
      choice === 'reject' ? [] : [{ before, after }],
    ),
  );
  return [...pending.map(({ before, after }) => ({ before, after })), ...accepted];
}

function placesWords(made: readonly Made[], notes: readonly Proposed[]): string[] {
  const folders = made.filter(({ kind }) => kind === 'folder');
  const others = made.filter(({ kind }) => kind !== 'folder');
  const places = new Set([
    ...others.map(({ to, path }) => to ?? path),
    ...notes.map(({ path }) => path),
  ]);
  return [
    ...(places.size > 0 ? [`${counted(places.size, 'note')} changed`] : []),
    ...(folders.length > 0 ? [`${counted(folders.length, 'folder')} made`] : []),
  ];
}

function countWords(counts: readonly LineCounts[]): string[] {
  const added = counts.reduce((sum, each) => sum + each.added, 0);
  const removed = counts.reduce((sum, each) => sum + each.removed, 0);
  const words = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return words.length > 0 ? [words.join('\u00a0')] : [];
}
