/** Describes a change that was made without review. */
import * as t from '#messages/edit-messages';
import type { NoteChange } from '#model/pending-edit';
import { folderOf, noteName, withoutNoteExtension } from '#text/paths';
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

/** Whether it is about properties, whose values say more than its kind. */
export function changesProperties(made: DirectChange): boolean {
  return ['properties', 'tags'].includes(kindOf(made));
}

/** Details beyond the note's name and the line counts; '' if there are none. */
export function changeDetail(made: DirectChange): string {
  switch (kindOf(made)) {
    case 'create':
      return t.newNote;
    case 'delete':
      return t.deleted;
    case 'folder':
      return t.newFolder;
    case 'properties':
      return t.propertiesChanged;
    case 'tags':
      return t.tagsAdded;
    case 'move':
      return moveWords(made);
    default:
      return '';
  }
}

/** For example "Renamed from Boat, 3 links updated". */
function moveWords({ path, to = path, links = 0 }: DirectChange): string {
  const [from, into] = [folderOf(path), folderOf(to)];
  const old = from === into ? noteName(path) : withoutNoteExtension(path);
  if (noteName(path) !== noteName(to)) return t.renamedFromName(old, links);
  return t.movedFromFolder(from || null, links);
}

const DONE: Record<NoteChange['kind'], string> = {
  create: t.created,
  write: t.changed,
  hold: t.changed,
  delete: t.deleted,
  move: t.moved,
  folder: t.folderCreated,
};

const DECIDED: Record<NonNullable<NoteChange['choice']>, string> = {
  accept: t.youAccepted,
  reject: t.youRejected,
  amend: t.youEdited,
};

export function historyText(change: NoteChange): string {
  const { act, choice, kind, path, to, tool } = change;
  if (act === 'undo') return t.youUndid;
  if (act === 'choose') return t.youChoseVersion;
  if (act === 'decide') return choice === null ? t.youDecided : DECIDED[choice];
  if (act === 'propose') return kind === 'create' ? t.proposedNote : t.proposedEdit;
  if (tool === 'update_properties') return t.changedProperties;
  if (tool === 'add_tags') return t.addedTags;
  if (kind !== 'move' || to === null) return DONE[kind];
  return noteName(path) === noteName(to) ? t.movedFrom(path) : t.renamedFrom(noteName(path));
}

const ICONS = { ...CHANGE_ICONS, write: 'pencil', hold: 'pencil' };

export function historyIcon({ act, choice, kind }: NoteChange): string {
  if (act === 'undo') return 'undo-2';
  if (act === 'choose') return 'history';
  if (act === 'decide') return choice === 'reject' ? 'x' : 'check';
  return act === 'propose' ? 'file-pen-line' : ICONS[kind];
}

/** Why it may not be complete; '' if all is well. */
export function outcomeText({ fate }: NoteChange): string {
  if (fate === 'not-done') return t.notDone;
  return fate === 'unknown' ? t.unknownOutcome : '';
}
