/** Folders as a tree, with the totals of everything below each. */
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

/** One folder; `path` is '' for the root. Its folders and files are in no particular order. */
export interface FolderNode {
  readonly path: string;
  readonly folders: FolderNode[];
  readonly files: NoteEntry[];
  readonly totals: FolderTotals;
}

/** Entries may come in any order; a folder that is not known yet appears with what is in it. */
export class FolderTree {
  readonly #nodes = new Map<string, Node>([['', new Node('')]]);

  at(path: string): FolderNode | undefined {
    return this.#nodes.get(path);
  }

  /** Each entry once. */
  put(entry: NoteEntry): void {
    if (entry.kind === 'folder') {
      this.#folder(entry.path);
      return;
    }
    this.#folder(folderOf(entry.path)).files.push(entry);
    for (const { totals } of this.#above(entry.path)) {
      totals.files += 1;
      totals.notes += isNote(entry.path) ? 1 : 0;
      totals.bytes += entry.size;
      totals.modified = Math.max(totals.modified, entry.modified);
    }
  }

  #folder(path: string): Node {
    const known = this.#nodes.get(path);
    if (known) return known;
    const node = new Node(path);
    this.#nodes.set(path, node);
    this.#folder(folderOf(path)).folders.push(node);
    for (const { totals } of this.#above(path)) totals.folders += 1;
    return node;
  }

  /** The folders that contain this path, from the innermost to the root. */
  *#above(path: string): Generator<Node, void> {
    for (let at = path; at !== '';) {
      at = folderOf(at);
      yield this.#folder(at);
    }
  }
}

class Node {
  readonly folders: Node[] = [];
  readonly files: NoteEntry[] = [];
  readonly totals = { files: 0, folders: 0, notes: 0, bytes: 0, modified: 0 };

  constructor(readonly path: string) {}
}
