/**
 * Copies files from outside the vault to the user's attachment folder, and reads what was dropped
 * on the chat.
 */
import * as t from '#messages/notice-messages';
import { type App, moment, type TAbstractFile } from 'obsidian';
import type { DroppedItems, ImportedFile } from '#ports/ui';

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

/**
 * Obsidian's drag manager, which is missing from its published types: what is being dragged within
 * the app.
 */
interface DragManager {
  readonly draggable: {
    readonly file?: TAbstractFile | null;
    readonly files?: readonly TAbstractFile[];
  } | null;
}

export function droppedItems(app: App, { dataTransfer }: DragEvent): DroppedItems {
  const { dragManager } = app as unknown as { dragManager?: DragManager };
  const { file, files = [] } = dragManager?.draggable ?? {};
  const dragged = [...(file ? [file] : []), ...files].map(({ path }) => path);
  const paths = dragged.length > 0 ? dragged : linkedPaths(dataTransfer?.getData('text/plain'));
  return { paths: [...new Set(paths)], files: [...(dataTransfer?.files ?? [])] };
}

/**
 * Paths in URLs such as `obsidian://open?vault=Home&file=Lists%2FShopping`, which leave out `.md`.
 */
function linkedPaths(text = ''): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('obsidian://open?')) return [];
    const path = new URL(line.trim()).searchParams.get('file');
    if (path === null) return [];
    return [/\.[^./]+$/.test(path) ? path : `${path}.md`];
  });
}
