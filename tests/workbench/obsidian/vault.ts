import type { DataWriteOptions } from 'obsidian';
import { TAbstractFile, TFile, TFolder, Vault } from 'obsidian-test-mocks/obsidian';
import { type Disk, type DiskStat, isHidden, nameOf, parentOf } from '../disk/disk';
import type { AdapterListener, DiskAdapter } from './adapter';
import { reportError } from './events';
import { diskPath, indexPath, normalizePath } from './paths';

/**
 * The vault's index of the disk. Every change goes through it, whoever made it, and only it fires
 * the vault's events.
 */
export class IndexedVault extends Vault implements AdapterListener {
  readonly #adapter: DiskAdapter;
  readonly #versions = new Map<string, string>();
  /** The files of the mocks' own table, in which a look-up takes several times as long. */
  readonly #files = new Map<string, TFile>();

  constructor(adapter: DiskAdapter) {
    super(adapter);
    this.#adapter = adapter;
    adapter.listener = this;
    // The mocks give the root a proxy's target as its vault, which bypasses this class.
    this.getRoot().vault = this;
    // Without a prototype: a file may be called `constructor`.
    this.fileMap__ = Object.assign(Object.create(null) as object, this.fileMap__);
  }

  get adapterDisk(): Disk {
    return this.#adapter.disk;
  }

  override getFileByPath(path: string): TFile | null {
    return this.#files.get(path) ?? null;
  }

  override getFiles(): TFile[] {
    return [...this.#files.values()];
  }

  override getMarkdownFiles(): TFile[] {
    return this.getFiles().filter(({ extension }) => extension === 'md');
  }

  override setVaultAbstractFile__(path: string, file: TAbstractFile): void {
    super.setVaultAbstractFile__(path, file);
    if (file instanceof TFile) this.#files.set(path, file);
  }

  override deleteVaultAbstractFile__(path: string): void {
    super.deleteVaultAbstractFile__(path);
    this.#files.delete(path);
  }

  /** Fills the index. As in Obsidian, every existing file fires `create`. */
  async load(): Promise<void> {
    for (const entry of await this.#adapter.disk.tree()) {
      // The watcher is already running and may have found it first.
      if (!this.fileMap__[entry.path]) this.#admit(entry.path, entry);
    }
  }

  settled(path: string, stat: DiskStat | null, own: boolean): void {
    if (path === '' || isHidden(path)) return;
    const known = this.fileMap__[path];
    if (known && (!stat || stat.type !== typeOf(known))) this.#forget(known);
    else if (known instanceof TFile && stat) {
      if (!own && this.#versions.get(path) === stat.version) return;
      this.#refresh(known, stat);
      this.trigger('modify', known);
      return;
    }
    if (stat && !this.fileMap__[path]) this.#admit(path, stat);
  }

  moved(from: string, to: string): void {
    const file = this.fileMap__[from];
    if (file && !isHidden(to)) {
      const below = file instanceof TFolder ? descendants(file) : [];
      const moves = [file, ...below].map((each) => ({ each, old: each.path }));
      for (const { each, old } of moves) this.#relocate(each, to + old.slice(from.length));
      for (const { each, old } of moves) this.trigger('rename', each, old);
      return;
    }
    if (file) this.#forget(file);
    // Moved out of a hidden folder such as the trash, so its contents are new to the index.
    else if (!isHidden(to)) void this.#discover(to).catch(reportError);
  }

  async #discover(path: string): Promise<void> {
    const stat = await this.#adapter.disk.stat(path);
    this.settled(path, stat, false);
    if (stat?.type !== 'folder') return;
    for (const child of await this.#adapter.disk.list(path)) await this.#discover(child.path);
  }

  /** Drops the cached text of a file that may have changed. */
  protected forgetText(_file: TFile): void {}

  #admit(path: string, stat: DiskStat): void {
    const parent = parentOf(path);
    if (parent && !this.fileMap__[parent]) this.#admit(parent, { ...stat, type: 'folder' });
    const file = stat.type === 'folder' ? TFolder.create__(this, path) : TFile.create__(this, path);
    this.#place(file);
    if (file instanceof TFile) this.#refresh(file, stat);
    this.trigger('create', file);
  }

  #forget(file: TAbstractFile): void {
    if (file instanceof TFolder) for (const child of [...file.children]) this.#forget(child);
    this.#versions.delete(file.path);
    this.deleteVaultAbstractFile__(file.path);
    this.trigger('delete', file);
  }

  #relocate(file: TAbstractFile, path: string): void {
    const version = this.#versions.get(file.path);
    this.#versions.delete(file.path);
    this.deleteVaultAbstractFile__(file.path);
    file.path = path;
    file.name = nameOf(path);
    if (version !== undefined) this.#versions.set(path, version);
    if (file instanceof TFile) {
      const dot = file.name.lastIndexOf('.');
      file.extension = dot < 0 ? '' : file.name.slice(dot + 1);
      file.basename = dot < 0 ? file.name : file.name.slice(0, dot);
    }
    this.#place(file);
  }

  #refresh(file: TFile, stat: DiskStat): void {
    // In place, because plugins keep a file's stat object and expect it to stay current.
    Object.assign(file.stat, { ctime: stat.ctime, mtime: stat.mtime, size: stat.size });
    this.#versions.set(file.path, stat.version);
    this.forgetText(file);
  }

  #place(file: TAbstractFile): void {
    this.setVaultAbstractFile__(file.path, file);
  }
}

function typeOf(file: TAbstractFile): DiskStat['type'] {
  return file instanceof TFolder ? 'folder' : 'file';
}

function descendants(folder: TFolder): TAbstractFile[] {
  return folder.children.flatMap((child) =>
    child instanceof TFolder ? [child, ...descendants(child)] : [child],
  );
}

/** Obsidian's defaults for settings that are missing from `app.json`. */
const DEFAULTS: Record<string, unknown> = {
  trashOption: 'system',
  newLinkFormat: 'shortest',
  useMarkdownLinks: false,
  newFileLocation: 'root',
  newFileFolderPath: '/',
  attachmentFolderPath: '/',
  userIgnoreFilters: null,
  vimMode: false,
};

/** The vault's settings, in `app.json` of its configuration folder. */
export class VaultConfig {
  #values: Record<string, unknown> | null = null;
  #writing: Promise<void> = Promise.resolve();
  readonly #disk: Disk;
  readonly #folder: () => string;

  constructor(disk: Disk, folder: () => string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  get(key: string): unknown {
    return this.#load()[key] ?? DEFAULTS[key];
  }

  set(key: string, value: unknown): void {
    const values = this.#load();
    values[key] = value;
    const text = JSON.stringify(values, null, 2);
    this.#writing = this.#writing
      .then(() => this.#disk.makeFolder(this.#folder()))
      .then(() => this.#disk.write(this.#file, text))
      .catch(console.error);
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  /** Read on first use, because the name of the folder is only known once the app is complete. */
  #load(): Record<string, unknown> {
    this.#values ??= parseObject(this.#disk.readTextNow(this.#file));
    return this.#values;
  }

  get #file(): string {
    return `${this.#folder()}/app.json`;
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** `cachedRead` keeps the text of files below this size in bytes, as Obsidian does. */
const CACHE_LIMIT_BYTES = 65_536;

/** The app's vault, with which plugins read and change notes. */
export class FolderVault extends IndexedVault {
  readonly settings: VaultConfig;
  readonly #adapter: DiskAdapter;
  readonly #texts = new WeakMap<TFile, string>();

  constructor(adapter: DiskAdapter) {
    super(adapter);
    this.#adapter = adapter;
    this.settings = new VaultConfig(adapter.disk, () => this.configDir);
  }

  protected override forgetText(file: TFile): void {
    this.#texts.delete(file);
  }

  override getName(): string {
    return this.#adapter.getName();
  }

  override getResourcePath(file: TFile): string {
    return `${this.#adapter.getResourcePath(file.path)}?${file.stat.mtime}`;
  }

  override async read(file: TFile): Promise<string> {
    const { mtime, size } = file.stat;
    const text = await this.#adapter.read(file.path);
    // If the file changed during the read, the text may be the old one.
    const isCurrent = file.stat.mtime === mtime && file.stat.size === size;
    if (isCurrent && size < CACHE_LIMIT_BYTES) this.#texts.set(file, text);
    return text;
  }

  /** May be out of date after a change outside of the app, until the host notices it. */
  override async cachedRead(file: TFile): Promise<string> {
    return this.#texts.get(file) ?? this.read(file);
  }

  override getAllFolders(includeRoot = false): TFolder[] {
    return super.getAllFolders().filter((folder) => includeRoot || !folder.isRoot());
  }

  getConfig(key: string): unknown {
    return this.settings.get(key);
  }

  setConfig(key: string, value: unknown): void {
    this.settings.set(key, value);
  }

  override async create(path: string, data: string, options?: DataWriteOptions): Promise<TFile> {
    const file = await this.#free(path, 'File already exists.');
    await this.#adapter.write(file, data, options);
    return this.#made(file);
  }

  override async createBinary(
    path: string,
    data: ArrayBuffer,
    options?: DataWriteOptions,
  ): Promise<TFile> {
    const file = await this.#free(path, 'File already exists.');
    await this.#adapter.writeBinary(file, data, options);
    return this.#made(file);
  }

  override async createFolder(path: string): Promise<TFolder> {
    const folder = await this.#free(path, 'Folder already exists.');
    await this.#adapter.mkdir(folder);
    return this.getFolderByPath(folder) as TFolder;
  }

  override modify(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#adapter.write(file.path, data, options);
  }

  override modifyBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.#adapter.writeBinary(file.path, data, options);
  }

  override append(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#adapter.append(file.path, data, options);
  }

  override appendBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.#adapter.appendBinary(file.path, data, options);
  }

  override process(
    file: TFile,
    change: (data: string) => string,
    options?: DataWriteOptions,
  ): Promise<string> {
    return this.#adapter.process(file.path, change, options);
  }

  override async copy(file: TFile, newPath: string): Promise<TFile> {
    const path = normalizePath(newPath);
    await this.#adapter.copy(file.path, path);
    return this.#made(path);
  }

  override async rename(file: TAbstractFile, newPath: string): Promise<void> {
    await this.#adapter.rename(file.path, normalizePath(newPath));
  }

  override async delete(file: TAbstractFile, force = false): Promise<void> {
    if (file instanceof TFolder) await this.#adapter.rmdir(file.path, force);
    else await this.#adapter.remove(file.path);
  }

  override async trash(file: TAbstractFile, system: boolean): Promise<void> {
    if (system && (await this.#adapter.trashSystem())) return;
    await this.#adapter.trashLocal(file.path);
  }

  async #free(path: string, refusal: string): Promise<string> {
    const normalized = diskPath(path);
    if (/[\\:]/.test(nameOf(normalized))) {
      throw new Error('File name cannot contain any of the following characters: \\ / :');
    }
    if (await this.#adapter.exists(normalized)) throw new Error(refusal);
    return indexPath(normalized);
  }

  /** Null for hidden paths, as in Obsidian, despite the type. */
  #made(path: string): TFile {
    return this.getFileByPath(path) as TFile;
  }
}
