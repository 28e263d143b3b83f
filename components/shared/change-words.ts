/** Describes a change that was made without review. */
import type { NoteChange } from '#model/pending-edit';
import type { DirectChange } from '../edits/turn-changes';

type Kind = DirectChange['kind'] | 'properties' | 'tags';

function kindOf({ kind, tool }: DirectChange): Kind {
  if (kind === 'write' && tool === 'update_properties') return 'properties';
  return kind === 'write' && tool === 'add_tags' ? 'tags' : kind;
}

export const CHANGE_ICONS: Record<Kind, string> = {
  create: 'file-plus',
  write: 'file-text',
  hold: 'file-pen-line',
  delete: 'trash-2',
  move: 'file-symlink',
  folder: 'folder-plus',
  properties: 'list',
  tags: 'tags',
};

export function changeIcon(made: DirectChange): string {
  return CHANGE_ICONS[kindOf(made)];
}

/** Made at once in every mode; in Review, "Keep" and "Undo" are offered. */
export function asksToKeep(made: DirectChange): boolean {
  return ['move', 'folder', 'properties', 'tags'].includes(kindOf(made));
}

/** Details beyond the note's name and the line counts; '' if there are none. */
export function changeText(made: DirectChange): string {
  switch (kindOf(made)) {
    case 'create':
      return 'New note';
    case 'delete':
      return 'Deleted';
    case 'folder':
      return 'New folder';
    case 'properties':
      return 'Properties changed';
    case 'tags':
      return 'Tags added';
    case 'move':
      return moveWords(made);
    default:
      return '';
  }
}

/** For example "Renamed from Boat, 3 links rewritten". */
function moveWords({ path, to = path, links = 0 }: DirectChange): string {
  const [from, into] = [folderOf(path), folderOf(to)];
  const old = from === into ? noteName(path) : path.replace(/\.md$/, '');
  const verb = noteName(path) === noteName(to) ? 'Moved' : 'Renamed';
  const place = verb === 'Moved' ? (from === '' ? 'the top' : from.slice(0, -1)) : old;
  const rewritten = links > 0 ? `, ${countOf(links, 'link')} rewritten` : '';
  return `${verb} from ${place}${rewritten}`;
}

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

export function historyText(change: NoteChange): string {
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

const ICONS = { ...CHANGE_ICONS, write: 'pencil', hold: 'pencil' };

export function historyIcon({ act, choice, kind }: NoteChange): string {
  if (act === 'undo') return 'undo-2';
  if (act === 'decide') return choice === 'reject' ? 'x' : 'check';
  return act === 'propose' ? 'file-pen-line' : ICONS[kind];
}

/** Why it may not be complete; '' if all is well. */
export function outcomeText({ fate }: NoteChange): string {
  if (fate === 'not-done') return 'It was not done.';
  return fate === 'unknown' ? 'Whether it was done is not known.' : '';
}

/** For example "1 note" or "3 notes". */
export function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** "Lisbon trip" for "Projects/Lisbon trip.md". */
export function noteName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/, '');
}

/** "Projects/" for "Projects/Lisbon trip.md"; '' in the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
