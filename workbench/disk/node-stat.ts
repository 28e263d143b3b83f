import type { Stats } from 'node:fs';
import type { DiskStat } from './disk';

/** Converts file system stats to what Obsidian shows. */
export function describe(stat: Stats): DiskStat {
  return {
    type: stat.isDirectory() ? 'folder' : 'file',
    ctime: Math.round(stat.birthtimeMs),
    mtime: Math.round(stat.mtimeMs),
    size: stat.isDirectory() ? 0 : stat.size,
    // Leaves out the inode: a file that was moved away and back, or kept by a rename, has the same
    // text.
    version: `${stat.mtimeMs}:${stat.size}`,
  };
}
