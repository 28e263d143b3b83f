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

/** Obsidian's id of a vault, which names it in a URL in place of its name. */
const VAULT_ID = /^[\da-f]{16}$/;

/**
 * Paths in URLs such as `obsidian://open?vault=Home&file=Lists%2FShopping`, which leave out `.md`.
 * Those of other vaults are left out, unless only an id names them.
 */
function linkedPaths({ vault }: App, text = ''): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('obsidian://open?')) return [];
    const { searchParams } = new URL(line.trim());
    const path = searchParams.get('file');
    const named = searchParams.get('vault');
    const isHere = named === null || named === vault.getName() || VAULT_ID.test(named);
    if (path === null || !isHere) return [];
    return [vault.getAbstractFileByPath(path) ? path : `${path}.md`];
  });
}
