/** Obsidian's own: one kind of slash and of space, composed letters, no slash at either end. */
export function normalizePath(path: string): string {
  const cleaned = path
    .replace(/[\\/]+/g, '/')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\u00A0|\u202F/g, ' ')
    .normalize('NFC');
  return cleaned || '/';
}

/** What an adapter is given, as a path on the disk, where the root is ''. */
export function diskPath(path: string): string {
  const normalized = normalizePath(path);
  return normalized === '/' ? '' : normalized;
}

/** The folder that the index calls `/` and the disk ''. */
export function indexPath(path: string): string {
  return path === '' ? '/' : path;
}

/** How a note in `folder` names `path` relative to itself. */
export function relativePath(folder: string, path: string): string {
  const from = folder ? folder.split('/') : [];
  const to = path.split('/');
  while (from.length > 0 && to.length > 1 && from[0] === to[0]) {
    from.shift();
    to.shift();
  }
  return [...from.map(() => '..'), ...to].join('/');
}
