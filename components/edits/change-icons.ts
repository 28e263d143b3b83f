/** The icon of a change, by what it did. */
import type { ChangeNote } from '#model/message';
import type { NoteChange } from '#model/pending-edit';

const ICONS: Record<ChangeNote['kind'], string> = {
  create: 'file-plus',
  write: 'pencil',
  hold: 'file-pen-line',
  delete: 'trash-2',
  move: 'file-symlink',
  folder: 'folder-plus',
};

export function changeIcon(change: Pick<NoteChange, 'kind' | 'tool'>): string {
  if (!changesProperties(change)) return ICONS[change.kind];
  return change.tool === 'update_properties' ? 'list' : 'tags';
}

/** Whether it is about properties, whose values say more than its kind. */
export function changesProperties({ kind, tool }: Pick<NoteChange, 'kind' | 'tool'>): boolean {
  return kind === 'write' && ['update_properties', 'add_tags', 'rename_tag'].includes(tool);
}

export function historyIcon(change: NoteChange): string {
  const { act, choice } = change;
  if (act === 'undo') return 'undo-2';
  if (act === 'choose') return 'history';
  if (act === 'decide') return choice === 'reject' ? 'x' : 'check';
  return act === 'propose' ? 'file-pen-line' : changeIcon(change);
}
