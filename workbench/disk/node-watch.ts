import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { isHidden, isPluginData, joinPath, type DiskWatch } from './disk';
import { walkVisible } from './node-walk';

const QUIET_MS = 80;

/**
 * Notices of what changes below a folder, per path: one at once, one when the path has been quiet.
 * Two writes a few milliseconds apart are often told as one, so the last notice is what settles it.
 */
export function watchFolder(base: string, notice: (path: string) => void): DiskWatch {
  const quiet = new Map<string, NodeJS.Timeout>();

  const tell = (changed: string): void => {
    if (isHidden(changed) && !isPluginData(changed)) return;
    const waiting = quiet.get(changed);
    if (waiting) clearTimeout(waiting);
    else notice(changed);
    const timer = setTimeout(() => {
      quiet.delete(changed);
      notice(changed);
    }, QUIET_MS);
    quiet.set(changed, timer.unref());
  };

  const source = process.platform === 'linux' ? watchEachFolder(base, tell) : watchTree(base, tell);
  return {
    close() {
      source.close();
      for (const timer of quiet.values()) clearTimeout(timer);
      quiet.clear();
    },
  };
}

function watchTree(base: string, tell: (path: string) => void): DiskWatch {
  const watcher = watch(base, { recursive: true, persistent: false }, (_event, file) => {
    if (file) tell(file.split(path.sep).join('/'));
  });
  return watcher.on('error', () => watcher.close());
}

/**
 * Linux has no recursive watch of its own; Node's stands in for it with one kernel watch per *file*,
 * which meets the usual limit of 8,192 in a big vault and does not follow links. One watch per folder,
 * as Obsidian does it there, needs 154 for 14,000 notes.
 */
function watchEachFolder(base: string, tell: (path: string) => void): DiskWatch {
  const watchers = new Map<string, FSWatcher>();

  const add = (folder: string): void => {
    if (watchers.has(folder)) return;
    const watcher = watch(path.join(base, folder), { persistent: false }, (event, name) => {
      if (!name || name.startsWith('.')) return;
      const changed = joinPath(folder, name);
      if (event === 'rename' && !isHidden(changed)) follow(changed);
      tell(changed);
    });
    watcher.on('error', () => drop(folder));
    watchers.set(folder, watcher);
  };

  const drop = (folder: string): void => {
    for (const [watched, watcher] of watchers) {
      if (watched !== folder && !watched.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  };

  /** A name came or went. A folder that came may have been filled before its watch began. */
  const follow = (changed: string): void => {
    drop(changed);
    if (!isFolder(path.join(base, changed))) return;
    tell(changed);
    tryAdd(changed);
    for (const entry of walkVisible(base, changed)) {
      if (entry.type === 'folder') tryAdd(entry.path);
      tell(entry.path);
    }
  };

  /** A folder may be gone again before its watch begins; running out of watches must be heard. */
  const tryAdd = (folder: string): void => {
    try {
      add(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };

  add('');
  for (const folder of pluginFolders(base)) tryAdd(folder);
  for (const entry of walkVisible(base)) if (entry.type === 'folder') tryAdd(entry.path);
  return {
    close() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function pluginFolders(base: string): string[] {
  return namesIn(base)
    .filter((name) => name.startsWith('.'))
    .map((name) => `${name}/plugins`)
    .flatMap((plugins) => namesIn(path.join(base, plugins)).map((name) => `${plugins}/${name}`))
    .filter((folder) => isFolder(path.join(base, folder)));
}

/** None of what is no folder, or can't be looked into. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
