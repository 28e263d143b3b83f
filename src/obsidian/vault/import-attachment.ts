/** Copies files from outside the vault to the user's attachment folder. */
import * as t from '#messages/notice-messages';
import { type App, moment } from 'obsidian';
import type { ImportedFile } from '#ports/ui';

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

/** Moves an imported file to the trash, unless a note links to it by now. */
export async function discardImported(app: App, path: string): Promise<string> {
  const { fileManager, metadataCache, vault } = app;
  const file = vault.getFileByPath(path);
  if (!file) return t.importGone(path);
  const isLinked = Object.values(metadataCache.resolvedLinks).some((links) => path in links);
  if (isLinked) return t.importKept(path);
  try {
    await fileManager.trashFile(file);
    return t.importDiscarded(path);
  } catch (error) {
    return t.importNotDiscarded(path, String(error));
  }
}
