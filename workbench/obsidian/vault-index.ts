import { TAbstractFile, TFile, TFolder, Vault } from 'obsidian-test-mocks/obsidian';
import { isHidden, nameOf, parentOf, type Disk, type DiskStat } from '#workbench/disk/disk';
import type { AdapterListener, DiskAdapter } from './adapter';
import { reportError } from './events';

/**
 * The vault's index of the disk. Every change goes through it, whoever made it, and only it fires
 * the vault's events.
 */
export class IndexedVault extends Vault implements AdapterListener {
  readonly #adapter: DiskAdapter;
  readonly #versions = new Map<string, string>();

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
