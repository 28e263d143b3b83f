import type { CachedMetadata, Reference } from 'obsidian';
import {
  Events,
  MetadataCache,
  TFile,
  getLinkpath,
  type App,
  type Vault,
} from 'obsidian-test-mocks/obsidian';
import { nameOf, parentOf } from '#workbench/disk/disk';
import { reportError } from '../events';
import { relativePath } from '../paths';
import type { FolderVault } from '../vault';
import { Backlinks, keysOf, LinkGraph, LinkIndex, referencesOf } from './link-graph';
import { getAllTags } from './front-matter';
import { parseNote } from './note-parser';

/** Notes read in one go, so that indexing a large vault does not block other work. */
const NOTES_PER_BATCH = 128;

/**
 * Metadata of all notes that were read so far; null for the others. After a change, the old metadata
 * stays until the note is read again and `changed` fires, as in Obsidian.
 */
export class FolderMetadataCache extends MetadataCache {
  readonly #vault: FolderVault;
  readonly #parsed = new Map<string, CachedMetadata>();
  readonly #unread = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #links = new LinkIndex();
  readonly #graph = new LinkGraph(this.#links);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #started = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(app: App, vault: FolderVault) {
    // The mocks would parse at every event of a real vault, so give them an empty one.
    super(app, Events.create__() as unknown as Vault);
    this.#vault = vault;
    const links = { enumerable: true, configurable: true };
    Object.defineProperty(this, 'resolvedLinks', { ...links, get: () => this.#graph.resolved });
    Object.defineProperty(this, 'unresolvedLinks', { ...links, get: () => this.#graph.unresolved });
    const on = (name: string, handle: (file: TFile, old: string) => void) =>
      vault.on(name, (...[file, old]) => {
        if (file instanceof TFile) handle(file, old as string);
      });
    on('create', (file) => this.#added(file));
    on('modify', (file) => this.#due(file));
    on('delete', (file) => this.#removed(file));
    on('rename', (file, old) => this.#renamed(file, old));
  }

  /** Reads the vault in the background and fires `resolved` at the end. */
  start(): void {
    this.#started = true;
    this.#schedule();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#started = false;
  }

  override getFileCache(file: TFile): CachedMetadata | null {
    return this.getCache(file.path);
  }

  override getCache(path: string): CachedMetadata | null {
    return this.#parsed.get(path) ?? null;
  }

  override getFirstLinkpathDest(linkpath: string, sourcePath: string): TFile | null {
    if (linkpath === '') return this.#vault.getFileByPath(sourcePath);
    return this.#links.find(linkpath, sourcePath);
  }

  /**
   * As the vault's settings require: the shortest unambiguous path, the full path, or a relative
   * one.
   */
  override fileToLinktext(file: TFile, sourcePath: string, omitMdExtension = true): string {
    const short = (path: string) =>
      omitMdExtension && file.extension === 'md' ? path.replace(/\.md$/, '') : path;
    const format = this.#vault.getConfig('newLinkFormat');
    if (format === 'relative') return short(relativePath(parentOf(sourcePath), file.path));
    if (format === 'absolute' || this.#links.count(file.name) > 1) return short(file.path);
    return short(file.name);
  }

  /** Undocumented, like `getTags`, but used by plugins. */
  getBacklinksForFile(file: TFile): Backlinks {
    const data = new Map<string, Reference[]>();
    for (const [source, targets] of Object.entries(this.#graph.resolved)) {
      if (!targets[file.path]) continue;
      const references = referencesOf(this.#parsed.get(source) ?? {});
      const here = references.filter(
        ({ link }) => this.getFirstLinkpathDest(getLinkpath(link), source) === file,
      );
      data.set(source, here);
    }
    return new Backlinks(data);
  }

  /** All tags with the number of their uses. */
  getTags(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const metadata of this.#parsed.values()) {
      for (const tag of getAllTags(metadata) ?? []) counts[tag] = (counts[tag] ?? 0) + 1;
    }
    return counts;
  }

  #added(file: TFile): void {
    this.#links.add(file);
    this.#graph.touch(keysOf(file.name));
    if (file.extension !== 'md') return this.#schedule();
    if (this.#started) this.#due(file);
    else this.#unread.add(file.path);
  }

  #due(file: TFile): void {
    if (file.extension !== 'md') return;
    this.#unread.delete(file.path);
    this.#changed.add(file.path);
    this.#schedule();
  }

  #removed(file: TFile): void {
    const known = this.#parsed.get(file.path) ?? null;
    this.#links.remove(file);
    this.#forget(file.path);
    this.#graph.touch(keysOf(file.name));
    if (file.extension === 'md') this.trigger('deleted', file, known);
    this.#schedule();
  }

  #renamed(file: TFile, old: string): void {
    const known = this.#parsed.get(old);
    const changed = this.#changed.has(old);
    this.#links.remove(file, nameOf(old));
    this.#links.add(file);
    this.#graph.rename(old, file.path);
    this.#forget(old);
    this.#graph.touch([...keysOf(nameOf(old)), ...keysOf(file.name)]);
    if (file.extension !== 'md') return this.#schedule();
    if (known) this.#keep(file.path, known);
    if (changed) this.#changed.add(file.path);
    else if (!known) this.#unread.add(file.path);
    this.#schedule();
  }

  #forget(path: string): void {
    this.#parsed.delete(path);
    this.#unread.delete(path);
    this.#changed.delete(path);
    this.#graph.remove(path);
  }

  #keep(path: string, metadata: CachedMetadata): void {
    this.#parsed.set(path, metadata);
    this.#graph.set(path, metadata);
  }

  #read(file: TFile, text: string | null): void {
    this.#unread.delete(file.path);
    if (text === null) return;
    const metadata = parseNote(text);
    this.#keep(file.path, metadata);
    this.trigger('changed', file, text, metadata);
  }

  /** Resolves the links of the notes that were read so far. */
  #settle(): void {
    for (const path of this.#graph.settle())
      this.trigger('resolve', this.#vault.getFileByPath(path));
  }

  #schedule(): void {
    if (!this.#started || this.#timer) return;
    this.#timer = setTimeout(() => {
      void this.#work()
        .catch(reportError)
        .finally(() => {
          this.#timer = null;
          if (this.#changed.size + this.#unread.size > 0 || this.#graph.isDue) this.#schedule();
        });
    });
  }

  async #work(): Promise<void> {
    await this.#readChanged();
    const paths: string[] = [];
    for (const path of this.#unread) if (paths.push(path) === NOTES_PER_BATCH) break;
    const texts = await this.#vault.adapterDisk.readTexts(paths);
    for (const [index, path] of paths.entries()) {
      const file = this.#vault.getFileByPath(path);
      if (file && this.#unread.has(path)) this.#read(file, texts[index] ?? null);
    }
    if (!this.#started || this.#unread.size > 0 || this.#changed.size > 0) return;
    this.#settle();
    this.trigger('resolved');
  }

  /** Resolves when all changes of notes so far are known. */
  async clean(): Promise<void> {
    await this.#readChanged();
    this.#settle();
  }

  #readChanged(): Promise<void> {
    const read = this.#reading.then(() => this.#readNow());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #readNow(): Promise<void> {
    for (const path of [...this.#changed]) {
      const file = this.#vault.getFileByPath(path);
      this.#changed.delete(path);
      if (!file) continue;
      const text = await this.#vault.cachedRead(file).catch(() => null);
      if (text === null || !this.#started || file.deleted__) continue;
      this.#read(file, text);
    }
  }
}
