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

/** Files that operating systems create in folders, which users do not miss. */
const SYSTEM_FILES = /^\.(?:DS_Store|localized|directory|_.*)$/;

/** Folders read at a time, so that the disk stays busy. */
const MAX_OPEN_FOLDERS = 32;

/** @param adapter knows by which name a file is stored, which may be decomposed */
export function findSymlinks(
  { fs, path }: NodeModules,
  adapter: Pick<FileSystemAdapter, 'getBasePath' | 'getFullPath'>,
  places: ProtectedPlaces,
): Symlinks {
  const files = fs.promises;
  const base = adapter.getBasePath();
  const full = (vaultPath: string) => (vaultPath === '' ? base : adapter.getFullPath(vaultPath));
  let realBase: Promise<string> | null = null;

  /** Null if a link on the way cannot be followed, such as one to a file that does not exist yet. */
  async function real(place: string): Promise<string | null> {
    try {
      return await files.realpath(place);
    } catch {
      const isMissing = await files.lstat(place).then(
        () => false,
        ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
      );
      const parent = path.dirname(place);
      if (!isMissing || parent === place) return null;
      const above = await real(parent);
      return above === null ? null : path.join(above, path.basename(place));
    }
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
      const look = async (folder: string) => {
        const entries = await files.readdir(full(folder), { withFileTypes: true }).catch(() => []);
        for (const entry of entries) {
          if (!entry.isSymbolicLink()) continue;
          const at = composedPath(joinPath(folder, entry.name));
          // If the location can't be determined, assume that it is outside.
          const place = path.join(full(folder), entry.name);
          if ((await escapesAt(place, at).catch(() => at)) !== null) found.add(at);
        }
      };
      for (let from = 0; from < folders.length; from += MAX_OPEN_FOLDERS) {
        await Promise.all(folders.slice(from, from + MAX_OPEN_FOLDERS).map(look));
      }
      return found;
    },
  };
}
