import type { IndexedPath, PathIndex } from '#policy/look-up';
import { foldPath } from '#text/paths';

/** An index of these files (`Folder/` for an empty folder), with their parent folders. */
export function pathIndex(
  paths: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): PathIndex {
  const entries = new Map<string, IndexedPath>();
  const names = new Map<string, string[]>();
  const addName = (name: string, path: string): void => {
    const key = name.toLowerCase();
    names.set(key, [...new Set([...(names.get(key) ?? []), path])]);
  };
  for (const written of paths) {
    const path = written.replace(/\/$/, '');
    const kind = written.endsWith('/') ? 'folder' : 'file';
    entries.set(path, { path, kind });
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      entries.set(folder, { path: folder, kind: 'folder' });
    }
    if (kind === 'folder') continue;
    addName(parts.at(-1)!, path);
    addName(parts.at(-1)!.replace(/\.[^.]+$/, ''), path);
  }
  for (const [alias, path] of Object.entries(aliases)) addName(alias, path);
  return {
    get: (path) => entries.get(path),
    entries: [...entries.values()],
    folders: [...entries.values()].filter(({ kind }) => kind === 'folder'),
    spelledLike: (path) =>
      [...entries.values()].filter((entry) => foldPath(entry.path) === foldPath(path)),
    byLinkName: (name) => names.get(name) ?? [],
  };
}
