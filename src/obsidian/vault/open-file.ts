import type { App, OpenViewState } from 'obsidian';

/**
 * Opens a file by its path. `openLinkText` would take a path for a link, in which `#` and `^` begin
 * a part of the note, and would create the note that is left.
 *
 * @returns false if there is no such file
 */
export async function openFile(
  { vault, workspace }: App,
  path: string,
  inNewTab: boolean,
  state: OpenViewState = {},
): Promise<boolean> {
  const file = vault.getFileByPath(path);
  if (!file) return false;
  const leaf = workspace.getLeaf(inNewTab ? 'tab' : false);
  await leaf.openFile(file, state);
  return true;
}
