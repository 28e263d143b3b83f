/** What a person lets go of over the panel. */
import type { App, TAbstractFile } from 'obsidian';
import type { Dropped } from '#ports/ui';

/** A part of Obsidian that is not in its published types: what is being dragged inside of it. */
interface DragManager {
  readonly draggable: {
    readonly file?: TAbstractFile | null;
    readonly files?: readonly TAbstractFile[];
  } | null;
}

export function droppedIn(app: App, { dataTransfer }: DragEvent): Dropped {
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
