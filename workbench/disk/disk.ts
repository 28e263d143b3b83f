/**
 * Where a vault lies. Paths are relative to its root and written with `/`; the root itself is ''.
 *
 * A disk is never safer than the one under Obsidian: it writes in place, follows links, and does not
 * stop at the vault's edge. A stand-in that did better would prove things the app does not keep.
 */
export interface Disk {
  /** The folder as the operating system names it. */
  readonly base: string;
  /** Everything the vault's index shows (no name that begins with a dot), with stats, without contents. */
  tree(): Promise<DiskEntry[]>;
  /** The direct children of one folder, hidden ones too. */
  list(path: string): Promise<DiskEntry[]>;
  /** Null when there is nothing at that path. */
  stat(path: string): Promise<DiskStat | null>;
  readText(path: string): Promise<string>;
  readBinary(path: string): Promise<ArrayBuffer>;
  /** Texts of several files at once, null for one that cannot be read; for the metadata of big vaults. */
  readTexts(paths: string[]): Promise<(string | null)[]>;
  /** Without waiting, because `getFileCache` answers at once; null when it cannot be read. */
  readTextNow(path: string): string | null;
  /** In place, as the app does: cut to nothing, write, close. The folder must exist. */
  write(path: string, data: string | ArrayBuffer, times?: DiskTimes): Promise<void>;
  /** Adds at the end without rewriting what is there; creates the file. */
  append(path: string, data: string | ArrayBuffer, times?: DiskTimes): Promise<void>;
  /** Whole or not at all; for files of the host itself, never for notes. */
  replace(path: string, data: string): Promise<void>;
  /** With the folders above it; what exists is left alone. */
  makeFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Refuses a folder with contents unless `recursive`. */
  removeFolder(path: string, recursive: boolean): Promise<void>;
  /** Refuses a taken name, except for a change of case of the same file. */
  rename(from: string, to: string): Promise<void>;
  /** Refuses a taken name. */
  copy(from: string, to: string): Promise<void>;
  /** Tells which visible path, or data file of a plugin, may have changed, at once and again when it has been quiet. */
  watch(notice: (path: string) => void): DiskWatch;
}

export interface DiskStat {
  type: 'file' | 'folder';
  /** When it was created, as Obsidian means `ctime`; whole milliseconds. */
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

/** For fault tests: notes are written so many bytes at a time, so that a kill lands in the middle. */
export interface WriteInPieces {
  bytes: number;
  pauseMs: number;
}

/** What a plugin keeps its settings in, in the configuration folder. */
export function isPluginData(path: string): boolean {
  return /^\.[^/]+\/plugins\/[^/]+\/data\.json$/.test(path);
}

/** Obsidian leaves out of its index whatever lies under a name that begins with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
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
