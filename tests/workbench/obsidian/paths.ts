import { composed, isHidden } from '../disk/disk';

/**
 * Same as Obsidian's: unifies slashes and spaces, composes characters, and strips slashes at both
 * ends.
 */
export function normalizePath(path: string): string {
  return composed(withPlainSlashes(path)) || '/';
}

/**
 * Converts a path given to an adapter into a disk path, where the root is ''. Hidden files are not in
 * the index, so their paths are taken as they are.
 */
export function diskPath(path: string): string {
  const plain = withPlainSlashes(path);
  return isHidden(plain) ? plain : composed(plain);
}

function withPlainSlashes(path: string): string {
  return path.replace(/[\\/]+/g, '/').replace(/^\/+|\/+$/g, '');
}

/** Converts a disk path into a path of the index, where the root is `/`. */
export function indexPath(path: string): string {
  return path === '' ? '/' : path;
}

/** The path of `path` relative to `folder`. */
export function relativePath(folder: string, path: string): string {
  const from = folder ? folder.split('/') : [];
  const to = path.split('/');
  while (from.length > 0 && to.length > 1 && from[0] === to[0]) {
    from.shift();
    to.shift();
  }
  return [...from.map(() => '..'), ...to].join('/');
}
