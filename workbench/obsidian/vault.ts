import type { DataAdapter, DataWriteOptions } from 'obsidian';
import { TAbstractFile, TFile, TFolder, Vault } from 'obsidian-test-mocks/obsidian';
import {
  isHidden,
  nameOf,
  parentOf,
  type Disk,
  type DiskEntry,
  type DiskStat,
} from '#workbench/disk/disk';
import type { AdapterListener, DiskAdapter } from './adapter.ts';
import { diskPath, indexPath, normalizePath } from './paths.ts';
import { VaultConfig } from './vault-config.ts';

/** Obsidian keeps the text of files up to this size for `cachedRead`. */
const CACHE_LIMIT = 65_536;

/** The vault of the app: an index of what the disk shows, and the events about it. */
export class FolderVault extends Vault implements AdapterListener {
  readonly settings: VaultConfig;
  readonly #adapter: DiskAdapter;
  readonly #versions = new Map<string, string>();
  readonly #texts = new WeakMap<TFile, string>();

  constructor(adapter: DiskAdapter) {
    super(adapter as unknown as DataAdapter);
    this.#adapter = adapter;
    this.settings = new VaultConfig(adapter.disk, () => this.configDir);
    adapter.listener = this;
    // The mocks give the root the bare object behind this one, which knows nothing of the disk.
    this.getRoot().vault = this;
  }

  get adapterDisk(): Disk {
    return this.#adapter.disk;
  }

  /** Fills the index. As in the app, every file that is there is told as created. */
  async load(): Promise<void> {
    for (const entry of await this.#adapter.disk.tree()) {
      // The watch is running already and may have been first.
      if (!this.fileMap__[entry.path]) this.#admit(entry.path, entry);
    }
  }

  // --- the index, and the only place that tells of changes

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
    // Out of a hidden folder, for example back from the trash: new to the index, with all it holds.
    else if (!isHidden(to)) void this.#discover(to);
  }

  async #discover(path: string): Promise<void> {
    const stat = await this.#adapter.disk.stat(path);
    this.settled(path, stat, false);
    if (stat?.type !== 'folder') return;
    for (const child of await this.#adapter.disk.list(path)) await this.#discover(child.path);
  }

  #admit(path: string, stat: DiskStat | DiskEntry): void {
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
    // In place: plugins keep the stat object of a file and expect it to stay current.
    Object.assign(file.stat, { ctime: stat.ctime, mtime: stat.mtime, size: stat.size });
    this.#versions.set(file.path, stat.version);
    this.#texts.delete(file);
  }

  #place(file: TAbstractFile): void {
    this.setVaultAbstractFile__(file.path, file);
  }

  // --- reading

  override getName(): string {
    return this.#adapter.getName();
  }

  override getResourcePath(file: TFile): string {
    return `${this.#adapter.getResourcePath(file.path)}?${file.stat.mtime}`;
  }

  override async read(file: TFile): Promise<string> {
    const text = await this.#adapter.read(file.path);
    if (file.stat.size < CACHE_LIMIT) this.#texts.set(file, text);
    return text;
  }

  /** May lag behind a change from outside, until the host has noticed it. */
  override async cachedRead(file: TFile): Promise<string> {
    return this.#texts.get(file) ?? this.read(file);
  }

  getConfig(key: string): unknown {
    return this.settings.get(key);
  }

  setConfig(key: string, value: unknown): void {
    this.settings.set(key, value);
  }

  // --- changing

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

  /** Null for a hidden path, as in the app, whatever its signature says. */
  #made(path: string): TFile {
    return this.getFileByPath(path) as TFile;
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
