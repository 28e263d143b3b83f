/** Files and folders as an immutable tree, with the totals of everything below each folder. */
import type { NoteEntry } from '#ports/vault';
import { foldPath, folderOf, isNote, nameOf } from '#text/paths';

export interface FolderTotals {
  /** At any depth, like all of these. */
  readonly files: number;
  readonly folders: number;
  readonly notes: number;
  readonly bytes: number;
  /** Time of the newest file; 0 if there is none. */
  readonly modified: number;
}

/** One folder; `path` is '' for the root. Its folders and files are in no particular order. */
export interface FolderNode {
  readonly path: string;
  /** By path, like the files. */
  readonly folders: ReadonlyMap<string, FolderNode>;
  readonly files: ReadonlyMap<string, NoteEntry>;
  readonly totals: FolderTotals;
}

type Nodes = ReadonlyMap<string, Node>;

export class FolderTree {
  readonly #nodes: Nodes;

  /** Empty by default. */
  constructor(nodes: Nodes = new Map([['', new Node('')]])) {
    this.#nodes = nodes;
  }

  at(path: string): FolderNode | undefined {
    return this.#nodes.get(path);
  }

  get(path: string): NoteEntry | undefined {
    return this.#nodes.get(folderOf(path))?.files.get(path) ?? this.#nodes.get(path)?.entry;
  }

  folders(): NoteEntry[] {
    return [...this.#nodes.values()].flatMap(({ entry }) => entry ?? []);
  }

  /** Entries whose paths are the same but for case and Unicode form. */
  spelledLike(path: string): readonly NoteEntry[] {
    const parents = path.includes('/') ? this.#foldersLike(folderOf(path)) : [this.#root];
    return parents.flatMap((parent) => parent.named(foldPath(nameOf(path))));
  }

  #foldersLike(path: string): Node[] {
    return this.spelledLike(path).flatMap((entry) => this.#nodes.get(entry.path) ?? []);
  }

  get #root(): Node {
    return this.#nodes.get('')!;
  }

  edit(): FolderTreeEdit {
    return new FolderTreeEdit(this.#nodes);
  }
}

/** Changes of a tree, made together. Only the folders that they are in are copied. */
export class FolderTreeEdit {
  readonly #nodes: Map<string, Node>;
  /** Nodes that the tree does not have. */
  readonly #own = new Set<Node>();

  constructor(nodes: Nodes) {
    this.#nodes = new Map(nodes);
  }

  /** Adds an entry, or replaces the one of its kind. It may come before its folder. */
  put(entry: NoteEntry): void {
    if (entry.kind === 'folder') this.#folder(entry.path).entry = entry;
    else this.#folder(folderOf(entry.path)).files.set(entry.path, entry);
  }

  /**
   * Removes a file or folder; nothing happens if there is none.
   *
   * @returns whether it is gone: a folder with something in it stays
   */
  remove(path: string): boolean {
    if (this.#nodes.get(folderOf(path))?.files.has(path)) {
      this.#folder(folderOf(path)).files.delete(path);
    }
    const node = this.#nodes.get(path);
    if (!node) return true;
    if (node.files.size + node.folders.size > 0) return false;
    this.#nodes.delete(path);
    this.#folder(folderOf(path)).folders.delete(path);
    return true;
  }

  /** Ends the changes. */
  tree(): FolderTree {
    return new FolderTree(this.#nodes);
  }

  #folder(path: string): Node {
    const known = this.#nodes.get(path);
    if (known && this.#own.has(known)) return known;
    const node = new Node(path, known);
    this.#own.add(node);
    this.#nodes.set(path, node);
    if (path !== '') this.#folder(folderOf(path)).folders.set(path, node);
    return node;
  }
}

class Node implements FolderNode {
  readonly path: string;
  readonly folders: Map<string, Node>;
  readonly files: Map<string, NoteEntry>;
  /** None for the root, and for a folder of which only the content is known. */
  entry: NoteEntry | undefined;
  #totals: FolderTotals | null = null;
  #byFoldedName: Map<string, NoteEntry[]> | null = null;

  constructor(path: string, { folders, files, entry }: Partial<Node> = {}) {
    this.path = path;
    this.folders = new Map(folders);
    this.files = new Map(files);
    this.entry = entry;
  }

  get totals(): FolderTotals {
    return (this.#totals ??= this.#sum());
  }

  /** Entries with this name, which is given as `foldPath` returns it. */
  named(folded: string): readonly NoteEntry[] {
    return (this.#byFoldedName ??= this.#folded()).get(folded) ?? [];
  }

  #folded(): Map<string, NoteEntry[]> {
    const byName = new Map<string, NoteEntry[]>();
    for (const entry of this.#entries()) {
      const name = foldPath(nameOf(entry.path));
      const same = byName.get(name);
      if (same) same.push(entry);
      else byName.set(name, [entry]);
    }
    return byName;
  }

  *#entries(): Generator<NoteEntry, void> {
    yield* this.files.values();
    for (const { entry } of this.folders.values()) if (entry) yield entry;
  }

  #sum(): FolderTotals {
    const totals = { files: this.files.size, folders: 0, notes: 0, bytes: 0, modified: 0 };
    for (const { path, size, modified } of this.files.values()) {
      totals.notes += isNote(path) ? 1 : 0;
      totals.bytes += size;
      totals.modified = Math.max(totals.modified, modified);
    }
    for (const { totals: below } of this.folders.values()) {
      totals.files += below.files;
      totals.folders += 1 + below.folders;
      totals.notes += below.notes;
      totals.bytes += below.bytes;
      totals.modified = Math.max(totals.modified, below.modified);
    }
    return totals;
  }
}
