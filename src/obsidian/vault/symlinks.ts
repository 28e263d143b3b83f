/**
 * What only the disk knows of the vault: links of the file system that lead out of it, or into a protected place of it
 * (Obsidian follows links, so what it lists may lie anywhere), and what hides in folders.
 */
import type { NodeModules } from '../platform/platform';

export interface Symlinks {
  /** Where `path` really is, or would be if it were created, if that is out of bounds; otherwise null. */
  escapes(path: string): Promise<string | null>;
  /** Those of `folders` and of the files directly in them that are links out of bounds. */
  among(folders: readonly string[]): Promise<Set<string>>;
  /** The first path in `folder`, at any depth, whose name begins with a dot and that people would miss. */
  hiddenIn(folder: string): Promise<string | null>;
}

/** As many links as Linux follows before it takes them for a circle. */
const MAX_LINKS = 40;

/** Systems leave these in folders by themselves; nobody misses them. */
const LITTER = /^\.(?:DS_Store|localized|directory|_.*)$/;

/**
 * @param base the vault's folder on disk
 * @param isProtected whether a vault path lies in a protected place
 */
export function findSymlinks(
  { fs, path }: NodeModules,
  base: string,
  isProtected: (path: string) => boolean,
): Symlinks {
  const files = fs.promises;
  // A backslash is a letter like any other where it parts no names.
  const separator = path.sep === '/' ? '/' : /[\\/]/;
  let realBase: Promise<string> | null = null;

  /** Null where links lead in a circle. */
  async function real(place: string): Promise<string | null> {
    try {
      return await files.realpath(place);
    } catch {
      // Not there, or not to be reached: where it would come to be is found by hand.
      return walk(place);
    }
  }

  /**
   * Goes down name by name as the system would when it creates the file: a link to nowhere, also the last of a chain,
   * creates what it points to, and `..` means the folder above the place that a link has led to.
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

  async function escapes(vaultPath: string): Promise<string | null> {
    realBase ??= files.realpath(base);
    const place = await real(path.join(base, vaultPath));
    if (place === null) return vaultPath;
    const within = path.relative(await realBase, place);
    if (within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within))
      return place;
    const inVault = within.split(path.sep).join('/');
    return isProtected(inVault) ? inVault : null;
  }

  async function hiddenIn(folder: string): Promise<string | null> {
    const entries = await files.readdir(path.join(base, folder), { withFileTypes: true });
    const hidden = entries.find(({ name }) => name.startsWith('.') && !LITTER.test(name));
    if (hidden) return `${folder}/${hidden.name}`;
    for (const entry of entries) {
      // A link goes alone; what it leads to stays where it is.
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const below = await hiddenIn(`${folder}/${entry.name}`);
      if (below !== null) return below;
    }
    return null;
  }

  return {
    escapes,
    hiddenIn,
    async among(folders) {
      const found = new Set<string>();
      for (const folder of folders) {
        const entries = await files
          .readdir(path.join(base, folder), { withFileTypes: true })
          .catch(() => []);
        for (const entry of entries) {
          if (!entry.isSymbolicLink()) continue;
          const at = folder === '' ? entry.name : `${folder}/${entry.name}`;
          // Where it can't be found out, it is out of bounds.
          if ((await escapes(at).catch(() => at)) === null) continue;
          // As it is spelled on the disk, and as most hosts spell it.
          found.add(at).add(at.normalize('NFC'));
        }
      }
      return found;
    },
  };
}
