import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { isHidden, isPluginData, joinPath, type DiskWatch } from './disk';
import { walkVisible } from './node-walk';

const QUIET_MS = 80;

/**
 * Watches a folder and reports each changed path twice: at once, and after it has been quiet. The
 * system often reports two writes a few milliseconds apart as one, so the last report decides.
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
 * Watches every folder separately, because Linux has no recursive watch. Node emulates one with a
 * kernel watch per *file*, which exceeds the usual limit of 8,192 in a large vault and ignores
 * links. A watch per folder, as in Obsidian, needs 154 for 14,000 notes.
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

  /**
   * Handles an added or removed name. A new folder may have been filled before its watch began, so
   * its contents are reported too.
   */
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

  /** Ignores a folder that is already gone, but throws when the system runs out of watches. */
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

/** Returns no names for a missing, unreadable or non-folder path. */
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
