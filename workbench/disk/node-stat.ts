import type { Stats } from 'node:fs';
import type { DiskStat } from './disk';

/** What the file system says of a file, as the app understands it. */
export function describe(stat: Stats): DiskStat {
  return {
    type: stat.isDirectory() ? 'folder' : 'file',
    ctime: Math.round(stat.birthtimeMs),
    mtime: Math.round(stat.mtimeMs),
    size: stat.isDirectory() ? 0 : stat.size,
    // Not the inode: a file that was moved away and back, or kept by a rename, is the same text.
    version: `${stat.mtimeMs}:${stat.size}`,
  };
}
