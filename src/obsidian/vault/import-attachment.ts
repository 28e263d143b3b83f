/** Copies files from outside the vault to the user's attachment folder. */
import * as t from '#messages/notice-messages';
import { type App, moment } from 'obsidian';
import type { ImportedFile } from '#ports/ui';
import { trash, trashLocation } from './trash';

export async function importAttachment(
  { fileManager, vault }: App,
  file: File,
): Promise<ImportedFile> {
  // Browsers name every pasted picture `image`.
  const name = file.name.replace(
    /^image(?=\.\w+$)/,
    `Pasted image ${moment.unix(file.lastModified / 1_000).format('YYYYMMDDHHmmss')}`,
  );
  try {
    const path = await fileManager.getAvailablePathForAttachment(name);
    await vault.createBinary(path, await file.arrayBuffer());
    return { ok: true, path };
  } catch (error) {
    return { ok: false, reason: t.importFailed(name, String(error)) };
  }
}

/** Deletes an imported file as the user's setting says, unless a note links to it by now. */
export async function discardImported(app: App, path: string): Promise<string> {
  const { metadataCache, vault } = app;
  const file = vault.getFileByPath(path);
  if (!file) return t.importGone(path);
  const isLinked = Object.values(metadataCache.resolvedLinks).some((links) => path in links);
  if (isLinked) return t.importKept(path);
  try {
    const inTrash = (await trash(app, file)) !== null;
    return t.IMPORT_DISCARDED[inTrash ? 'vault' : trashLocation(app)](path);
  } catch (error) {
    return t.importNotDiscarded(path, String(error));
  }
}
