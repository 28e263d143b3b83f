/** The files and folders of a vault as a tree, with totals that are kept until something changes. */
import type { NoteEntry } from '#ports/vault';
import { folderOf, isNote } from '#text/paths';

export interface FolderTotals {
  /** At any depth, like all of these. */
  readonly files: number;
  readonly folders: number;
  readonly notes: number;
  readonly bytes: number;
  /** Time of the newest file; 0 if there is none. */
  readonly modified: number;
}

/** One folder; `path` is '' for the root. */
export class FolderNode {
  readonly path: string;
  readonly #parent: FolderNode | null;
  readonly #folders = new Map<string, FolderNode>();
  readonly #files = new Map<string, NoteEntry>();
  #totals: FolderTotals | null = null;

  constructor(path: string, parent: FolderNode | null) {
    this.path = path;
    this.#parent = parent;
  }

  /** In no particular order, like `files`. */
  folders(): Iterable<FolderNode> {
    return this.#folders.values();
  }

  files(): Iterable<NoteEntry> {
    return this.#files.values();
  }

  get totals(): FolderTotals {
    return (this.#totals ??= this.#sum());
  }

  /** Everything below, at any depth. */
  *paths(): Generator<string, void> {
    yield* this.#files.keys();
    for (const folder of this.#folders.values()) {
      yield folder.path;
      yield* folder.paths();
    }
  }

  putFile(entry: NoteEntry): void {
    this.#files.set(entry.path, entry);
    this.forgetTotals();
  }

  putFolder(path: string): FolderNode {
    const node = new FolderNode(path, this);
    this.#folders.set(path, node);
    this.forgetTotals();
    return node;
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#folders.delete(path);
    this.forgetTotals();
  }

  #sum(): FolderTotals {
    const totals = { files: this.#files.size, folders: 0, notes: 0, bytes: 0, modified: 0 };
    for (const { path, size, modified } of this.#files.values()) {
      totals.bytes += size;
      if (isNote(path)) totals.notes += 1;
      if (modified > totals.modified) totals.modified = modified;
    }
    for (const { totals: inner } of this.#folders.values()) {
      totals.files += inner.files;
      totals.folders += inner.folders + 1;
      totals.notes += inner.notes;
      totals.bytes += inner.bytes;
      if (inner.modified > totals.modified) totals.modified = inner.modified;
    }
    return totals;
  }

  /** A folder without totals has no parent with totals. */
  forgetTotals(): void {
    if (this.#totals === null) return;
    this.#totals = null;
    this.#parent?.forgetTotals();
  }
}

/** Entries may come in any order; a folder that is not known yet appears with what is in it. */
export class FolderTree {
  readonly root = new FolderNode('', null);
  readonly #nodes = new Map<string, FolderNode>([['', this.root]]);

  at(path: string): FolderNode | undefined {
    return this.#nodes.get(path);
  }

  put(entry: NoteEntry): void {
    if (entry.kind === 'file') this.#folder(folderOf(entry.path)).putFile(entry);
    else this.#folder(entry.path);
  }

  remove(path: string): void {
    const node = this.#nodes.get(path);
    for (const each of node?.paths() ?? []) this.#nodes.delete(each);
    this.#nodes.delete(path);
    this.at(folderOf(path))?.remove(path);
  }

  #folder(path: string): FolderNode {
    const known = this.#nodes.get(path);
    if (known) return known;
    const node = this.#folder(folderOf(path)).putFolder(path);
    this.#nodes.set(path, node);
    return node;
  }
}
