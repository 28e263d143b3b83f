/** Texts of the panel's that the person puts into notes: through the editor, so that its own undo takes them back. */
import type { App } from 'obsidian';
import { appended, nameForText } from '#model/put-text';
import type { TextGoal } from '#ports/ui';
import { noteView } from './note-views';

/** Why it could not, in a sentence; null where it did. */
export async function putText(app: App, text: string, goal: TextGoal): Promise<string | null> {
  return goal === 'new' ? newNote(app, text) : intoNote(app, text, goal);
}

function intoNote(app: App, text: string, goal: 'cursor' | 'end'): string | null {
  const view = noteView(app);
  if (!view?.file) return 'Open the note first that this is to go into.';
  const { basename } = view.file;
  if (view.getMode() === 'preview') {
    return `“${basename}” is in reading view. Switch it to editing first.`;
  }
  const { editor } = view;
  const before = editor.getValue();
  const from = goal === 'cursor' ? editor.getCursor('to') : editor.offsetToPos(before.length);
  const added = goal === 'cursor' ? text : appended(before, text);
  const at = editor.posToOffset(from);
  editor.transaction({ changes: [{ from, text: added }] });
  const grown = editor.getValue().length - before.length;
  if (grown === 0) return `There is an edit at the cursor in “${basename}” that this would break.`;
  app.workspace.setActiveLeaf(view.leaf, { focus: true });
  const end = editor.offsetToPos(at + grown);
  editor.setCursor(end);
  editor.scrollIntoView({ from: end, to: end }, true);
  return null;
}

/** Where the person's new notes go; beside what they have open. */
async function newNote(app: App, text: string): Promise<string | null> {
  const { fileManager, vault, workspace } = app;
  const { path: folder } = fileManager.getNewFileParent(workspace.getActiveFile()?.path ?? '');
  const base = `${folder === '/' ? '' : `${folder}/`}${nameForText(text)}`;
  let path = `${base}.md`;
  // Also what differs in the case of its letters only, where the file system does not tell them apart.
  for (let count = 1; await vault.adapter.exists(path); count += 1) path = `${base} ${count}.md`;
  try {
    await vault.create(path, text);
  } catch (error) {
    return `The note could not be made. (${error instanceof Error ? error.message : String(error)})`;
  }
  await workspace.openLinkText(path, '', true);
  return null;
}
