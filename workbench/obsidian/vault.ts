import type { DataWriteOptions } from 'obsidian';
import { TFolder, type TAbstractFile, type TFile } from 'obsidian-test-mocks/obsidian';
import { nameOf } from '#workbench/disk/disk';
import type { DiskAdapter } from './adapter';
import { diskPath, indexPath, normalizePath } from './paths';
import { VaultConfig } from './vault-config';
import { IndexedVault } from './vault-index';

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
