/** Files from outside the vault that the agent is to see: they have to lie in it, and do so where attachments go. */
import { type App, moment, type TAbstractFile } from 'obsidian';
import type { DroppedItems, ImportedFile } from '#ports/ui';

export async function importAttachment(
  { fileManager, vault }: App,
  file: File,
): Promise<ImportedFile> {
  // What a browser calls every picture that is pasted.
  const name = file.name.replace(
    /^image(?=\.\w+$)/,
    `Pasted image ${moment.unix(file.lastModified / 1_000).format('YYYYMMDDHHmmss')}`,
  );
  try {
    const path = await fileManager.getAvailablePathForAttachment(name);
    await vault.createBinary(path, await file.arrayBuffer());
    return { ok: true, path };
  } catch (error) {
    return { ok: false, problem: `${name} could not be put into the vault. (${String(error)})` };
  }
}

/** A part of Obsidian that is not in its published types: what is being dragged inside of it. */
interface DragManager {
  readonly draggable: {
    readonly file?: TAbstractFile | null;
    readonly files?: readonly TAbstractFile[];
  } | null;
}

export function droppedIn(app: App, { dataTransfer }: DragEvent): DroppedItems {
  const { dragManager } = app as unknown as { dragManager?: DragManager };
  const { file, files = [] } = dragManager?.draggable ?? {};
  const dragged = [...(file ? [file] : []), ...files].map(({ path }) => path);
  const paths = dragged.length > 0 ? dragged : linkedPaths(dataTransfer?.getData('text/plain'));
  return { paths: [...new Set(paths)], files: [...(dataTransfer?.files ?? [])] };
}

/** Of addresses such as `obsidian://open?vault=Home&file=Lists%2FShopping`, which leave out `.md`. */
function linkedPaths(text = ''): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('obsidian://open?')) return [];
    const path = new URL(line.trim()).searchParams.get('file');
    if (path === null) return [];
    return [/\.[^./]+$/.test(path) ? path : `${path}.md`];
  });
}
