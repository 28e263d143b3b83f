/**
 * Links of the file system that lead out of the vault, or into a protected place of it. Obsidian follows links, so what
 * it lists may lie anywhere.
 */
import type { NodeModules } from './node';

export interface LinksOnDisk {
  /** Where `path` (or the nearest folder above it that exists) really is, if that is out of bounds; otherwise null. */
  escapes(path: string): Promise<string | null>;
  /** Those of `folders` and of the files directly in them that are links out of bounds. */
  among(folders: readonly string[]): Promise<Set<string>>;
}

/**
 * @param base the vault's folder on disk
 * @param isProtected whether a vault path lies in a protected place
 */
export function linksOnDisk(
  { fs, path }: NodeModules,
  base: string,
  isProtected: (path: string) => boolean,
): LinksOnDisk {
  const files = fs.promises;
  let realBase: Promise<string> | null = null;

  async function real(vaultPath: string): Promise<string> {
    for (let at = vaultPath; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      try {
        return await files.realpath(path.join(base, at));
      } catch (error) {
        // A link to nowhere is judged by where it points.
        const target = await files.readlink(path.join(base, at)).catch(() => null);
        if (target !== null) return path.resolve(path.dirname(path.join(base, at)), target);
        if (at === '') throw error;
      }
    }
  }

  async function escapes(vaultPath: string): Promise<string | null> {
    realBase ??= files.realpath(base);
    const place = await real(vaultPath);
    const within = path.relative(await realBase, place);
    if (within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within))
      return place;
    const inVault = within.split(path.sep).join('/');
    return isProtected(inVault) ? inVault : null;
  }

  return {
    escapes,
    async among(folders) {
      const found = new Set<string>();
      for (const folder of folders) {
        const entries = await files
          .readdir(path.join(base, folder), { withFileTypes: true })
          .catch(() => []);
        for (const entry of entries) {
          if (!entry.isSymbolicLink()) continue;
          const at = folder === '' ? entry.name : `${folder}/${entry.name}`;
          if ((await escapes(at)) !== null) found.add(at.normalize('NFC'));
        }
      }
      return found;
    },
  };
}
