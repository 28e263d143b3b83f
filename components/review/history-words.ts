/** What was done to a note, in words for a person. */
import type { NoteChange } from '#model/edits';
import { noteName } from './words';

const DONE: Record<NoteChange['kind'], string> = {
  create: 'Created',
  write: 'Changed',
  hold: 'Changed',
  delete: 'Deleted',
  move: 'Moved',
  folder: 'Folder made',
};

const DECIDED: Record<NonNullable<NoteChange['choice']>, string> = {
  accept: 'You accepted what was proposed',
  reject: 'You rejected what was proposed',
  amend: 'You changed what was proposed, and accepted it',
};

export function historyWords(change: NoteChange): string {
  const { act, choice, kind, path, to, tool } = change;
  if (act === 'undo') return 'You undid a change';
  if (act === 'decide')
    return choice === null ? 'You decided on what was proposed' : DECIDED[choice];
  if (act === 'propose') return kind === 'create' ? 'Proposed as a new note' : 'Proposed a change';
  if (tool === 'update_properties') return 'Changed properties';
  if (tool === 'add_tags') return 'Added tags';
  if (kind !== 'move' || to === null) return DONE[kind];
  return noteName(path) === noteName(to) ? `Moved from ${path}` : `Renamed from ${noteName(path)}`;
}

const ICONS: Record<NoteChange['kind'], string> = {
  create: 'file-plus',
  write: 'pencil',
  hold: 'pencil',
  delete: 'trash-2',
  move: 'file-symlink',
  folder: 'folder-plus',
};

export function historyIcon({ act, choice, kind }: NoteChange): string {
  if (act === 'undo') return 'undo-2';
  if (act === 'decide') return choice === 'reject' ? 'x' : 'check';
  return act === 'propose' ? 'file-pen-line' : ICONS[kind];
}

/** Why it may not be what it says; '' where all is well. */
export function fateWords({ fate }: NoteChange): string {
  if (fate === 'not-done') return 'It was not done.';
  return fate === 'unknown' ? 'Whether it was done is not known.' : '';
}

/** "14:05" of today, "Mon 14:05" of this week, "3 Mar, 14:05" of other days. */
export function historyTime(time: number, now: number): string {
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  const [then, today] = [new Date(time), new Date(now)];
  if (then.toDateString() === today.toDateString()) return then.toLocaleTimeString([], clock);
  const isWeek = now - time < 6 * 86_400_000;
  const day = isWeek
    ? ({ weekday: 'short' } as const)
    : ({
        day: 'numeric',
        month: 'short',
        ...(then.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' as const }),
      } as const);
  return then.toLocaleString([], { ...day, ...clock });
}
