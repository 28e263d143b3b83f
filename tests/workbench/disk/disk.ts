/**
 * File access to a vault. Paths are relative to its root and use `/`; the root itself is ''. Those
 * of visible files are composed, whatever the form of the names on disk.
 *
 * A disk must not be safer than the one under Obsidian: it writes in place, follows symbolic links,
 * and does not stop at the vault's root. A safer fake would prove guarantees that Obsidian does not
 * give.
 */
export interface Disk {
  /** Absolute path of the folder in the operating system's notation. */
  readonly base: string;
  /** Where a file is on this computer, under the name that it has on disk. */
  fullPath(path: string): string;
  /**
   * Everything in the vault's index (no name that starts with a dot), with stats, without contents.
   */
  tree(): Promise<DiskEntry[]>;
  /** The direct children of one folder, including hidden ones. */
  list(path: string): Promise<DiskEntry[]>;
  /** Returns null if nothing exists at that path. */
  stat(path: string): Promise<DiskStat | null>;
  readText(path: string): Promise<string>;
  readBinary(path: string): Promise<ArrayBuffer>;
  /**
   * Reads several files in one call, which speeds up indexing of large vaults. Null for a file that
   * cannot be read.
   */
  readTexts(paths: readonly string[]): Promise<(string | null)[]>;
  /** Like `readTexts`, as bytes. */
  readMany(paths: readonly string[]): Promise<(ArrayBuffer | null)[]>;
  /**
   * Reads synchronously, because `getFileCache` is synchronous. Null if the file cannot be read.
   */
  readTextNow(path: string): string | null;
  /** Writes in place, as Obsidian does: truncate, write, close. The parent folder must exist. */
  write(path: string, data: string | ArrayBuffer, times?: DiskTimes): Promise<void>;
  /** Appends without rewriting existing bytes; creates the file if needed. */
  append(path: string, data: string | ArrayBuffer, times?: DiskTimes): Promise<void>;
  /** Replaces a file atomically. Only for the host's own files, never for notes. */
  replace(path: string, data: string | ArrayBuffer): Promise<void>;
  /** Like `replace`, synchronously, because `saveLocalStorage` is. Creates missing folders. */
  replaceNow(path: string, text: string): void;
  /** Creates a folder and its parents; does nothing if it exists. */
  makeFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Throws for a non-empty folder unless `recursive`. */
  removeFolder(path: string, recursive: boolean): Promise<void>;
  /** Throws if the target exists, unless only the case of the same file's name changes. */
  rename(from: string, to: string): Promise<void>;
  /** Throws if the target exists. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Reports visible paths and plugin data files that may have changed: at once, and again after a
   * quiet period.
   */
  watch(notice: (path: string) => void): DiskWatch;
}

export interface DiskStat {
  type: 'file' | 'folder';
  /** Creation time, like Obsidian's `ctime`, in whole milliseconds. */
  ctime: number;
  mtime: number;
  size: number;
  /** Differs whenever the contents may differ; finer than `mtime`. */
  version: string;
}

export interface DiskEntry extends DiskStat {
  path: string;
}

export interface DiskTimes {
  ctime?: number;
  mtime?: number;
}

export interface DiskWatch {
  close(): void;
}

/**
 * For fault tests: writes notes this many bytes at a time, so that a kill can interrupt a write.
 */
export interface WriteInPieces {
  bytes: number;
  pauseMs: number;
}

/** Whether the path is a plugin's `data.json` in the configuration folder. */
export function isPluginData(path: string): boolean {
  return /^\.[^/]+\/plugins\/[^/]+\/data\.json$/.test(path);
}

/** Obsidian does not index anything below a name that starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/**
 * A path or name as Obsidian has it. macOS and sync tools store names decomposed, and screenshots
 * have no-break spaces in theirs.
 */
export function composed(path: string): string {
  return path.replace(/[\u00A0\u202F]/g, ' ').normalize('NFC');
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name;
}
