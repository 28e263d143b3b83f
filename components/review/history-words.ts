/** What was done to a note, in words for a person. */
import type { NoteChange } from '#model/pending-edit';
import { MADE_ICONS } from './made-words';
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

const ICONS = { ...MADE_ICONS, write: 'pencil', hold: 'pencil' };

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
