import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { joinPath, type DiskEntry } from './disk';
import { describe } from './node-stat';

/**
 * Lists every visible file and folder below `base`, parents before children. Follows links as
 * Obsidian does, except a link to one of its own parent folders, which would never end.
 *
 * Synchronous on purpose: 14,000 notes take 45 ms this way and 195 ms with promises.
 */
export function walkVisible(base: string, start = ''): DiskEntry[] {
  const entries: DiskEntry[] = [];
  const above = new Set<string>([realpathSync(path.join(base, start))]);

  const walk = (folder: string): void => {
    for (const child of childrenOf(base, folder)) {
      const full = path.join(base, child.path);
      const stat = statNow(full);
      if (!stat) continue;
      const entry = { path: child.path, ...describe(stat) };
      if (entry.type === 'file') {
        entries.push(entry);
        continue;
      }
      const real = child.isLink ? realpathSync(full) : full;
      if (above.has(real)) continue;
      entries.push(entry);
      above.add(real);
      walk(child.path);
      above.delete(real);
    }
  };
  walk(start);
  return entries;
}

/** Returns undefined for a dangling, circular or unreadable link. */
function statNow(full: string): Stats | undefined {
  try {
    return statSync(full, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function childrenOf(base: string, folder: string): { path: string; isLink: boolean }[] {
  try {
    return readdirSync(path.join(base, folder), { withFileTypes: true })
      .filter((child) => !child.name.startsWith('.'))
      .map((child) => ({ path: joinPath(folder, child.name), isLink: child.isSymbolicLink() }));
  } catch {
    // A folder that vanished or is unreadable counts as empty.
    return [];
  }
}
