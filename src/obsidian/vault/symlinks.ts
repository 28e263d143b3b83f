/**
 * What only the file system knows about the vault: symbolic links that lead out of it or into a
 * protected folder (Obsidian follows links, so a listed file may be anywhere), and hidden files in
 * folders.
 */
import type { FileSystemAdapter } from 'obsidian';
import { composedPath, joinPath } from '#text/paths';
import type { NodeModules } from '../platform/node-modules';

/** Where links must not lead. */
export interface ProtectedPlaces {
  has(path: string): boolean;
  /** Another value after the answers of `has` have changed. */
  rules(): unknown;
}

export interface Symlinks {
  /** Another value after other places have become protected. */
  rules(): unknown;
  /**
   * The real location of `path`, existing or not, if it is outside of the vault or protected;
   * otherwise null.
   */
  escapes(path: string): Promise<string | null>;
  /** Which of `folders` and the files directly in them are links to such locations. */
  escapingLinks(folders: readonly string[]): Promise<Set<string>>;
  /**
   * The first hidden file or folder in `folder`, at any depth, that the user would miss; null for
   * none.
   */
  hiddenIn(folder: string): Promise<string | null>;
}

/** The limit of Linux, after which it reports a loop. */
const MAX_LINKS = 40;

/** Files that operating systems create in folders, which users do not miss. */
const SYSTEM_FILES = /^\.(?:DS_Store|localized|directory|_.*)$/;

/** @param adapter knows by which name a file is stored, which may be decomposed */
export function findSymlinks(
  { fs, path }: NodeModules,
  adapter: Pick<FileSystemAdapter, 'getBasePath' | 'getFullPath'>,
  places: ProtectedPlaces,
): Symlinks {
  const files = fs.promises;
  const base = adapter.getBasePath();
  const full = (vaultPath: string) => (vaultPath === '' ? base : adapter.getFullPath(vaultPath));
  // On POSIX, a backslash may be part of a name.
  const separator = path.sep === '/' ? '/' : /[\\/]/;
  let realBase: Promise<string> | null = null;

  /** Null if links form a loop. */
  async function real(place: string): Promise<string | null> {
    try {
      return await files.realpath(place);
    } catch {
      // It does not exist or can't be reached, so follow the links by hand.
      return walk(place);
    }
  }

  /**
   * Resolves a path segment by segment, as the system would when it creates the file: a dangling
   * link, even at the end of a chain, creates its target, and `..` is the parent of where a link
   * has led to.
   */
  async function walk(place: string): Promise<string | null> {
    let links = 0;
    const { root } = path.parse(place);
    let at = root;
    const names = place.slice(root.length).split(path.sep);
    while (names.length > 0) {
      const name = names.shift() ?? '';
      if (name === '' || name === '.') continue;
      if (name === '..') {
        at = path.dirname(at);
        continue;
      }
      const next = path.join(at, name);
      const target = await files.readlink(next).catch(() => null);
      if (target === null) {
        at = next;
        continue;
      }
      if ((links += 1) > MAX_LINKS) return null;
      const absolute = path.isAbsolute(target) ? path.parse(target).root : '';
      if (absolute !== '') at = absolute;
      names.unshift(...target.slice(absolute.length).split(separator));
    }
    return at;
  }

  const escapes = (vaultPath: string) => escapesAt(full(vaultPath), vaultPath);

  async function escapesAt(file: string, vaultPath: string): Promise<string | null> {
    realBase ??= files.realpath(base);
    const place = await real(file);
    if (place === null) return vaultPath;
    const within = path.relative(await realBase, place);
    if (within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within))
      return place;
    const inVault = within.split(path.sep).join('/');
    return places.has(inVault) ? inVault : null;
  }

  async function hiddenAt(place: string, folder: string): Promise<string | null> {
    const entries = await files.readdir(place, { withFileTypes: true });
    const hidden = entries.find(({ name }) => name.startsWith('.') && !SYSTEM_FILES.test(name));
    if (hidden) return `${folder}/${hidden.name}`;
    for (const entry of entries) {
      // Do not follow links: deleting one leaves its target in place.
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const below = await hiddenAt(path.join(place, entry.name), `${folder}/${entry.name}`);
      if (below !== null) return below;
    }
    return null;
  }

  return {
    escapes,
    hiddenIn: (folder) => hiddenAt(full(folder), folder),
    rules: () => places.rules(),
    async escapingLinks(folders) {
      const found = new Set<string>();
      for (const folder of folders) {
        const entries = await files.readdir(full(folder), { withFileTypes: true }).catch(() => []);
        for (const entry of entries) {
          if (!entry.isSymbolicLink()) continue;
          const at = composedPath(joinPath(folder, entry.name));
          // If the location can't be determined, assume that it is outside.
          const place = path.join(full(folder), entry.name);
          if ((await escapesAt(place, at).catch(() => at)) !== null) found.add(at);
        }
      }
      return found;
    },
  };
}
