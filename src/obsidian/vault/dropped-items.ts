/** Reads what was dropped on the chat: files, notes of the vault, and links to notes. */
import type { App, TAbstractFile } from 'obsidian';
import type { DroppedItems } from '#ports/ui';

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
  const paths =
    dragged.length > 0 ? dragged : linkedPaths(app, dataTransfer?.getData('text/plain'));
  return { paths: [...new Set(paths)], files: [...(dataTransfer?.files ?? [])] };
}

/** The id of the open vault, which is missing from Obsidian's published types. */
interface WithId extends App {
  readonly appId?: string;
}

/**
 * Paths in URLs such as `obsidian://open?vault=Home&file=Lists%2FShopping`, which leave out `.md`.
 * Those of other vaults are left out; a vault is named by its name or its id.
 */
function linkedPaths({ vault, appId }: WithId, text = ''): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('obsidian://open?')) return [];
    const { searchParams } = new URL(line.trim());
    const path = searchParams.get('file');
    const named = searchParams.get('vault');
    const isHere = named === null || named === vault.getName() || named === appId;
    if (path === null || !isHere) return [];
    return [vault.getAbstractFileByPath(path) ? path : `${path}.md`];
  });
}
