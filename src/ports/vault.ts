/**
 * The vault's files and folders as the host knows them. Two implementations: Obsidian's (`obsidian/notes`) and one in
 * memory for tests. Paths are vault-relative with `/`, '' is the root, and nothing here checks whether the agent may:
 * that is `policy`, through which every tool goes.
 */
import type { DeletedFile } from '#model/change';
import type { Conflict } from '#model/diff/three-way-merge';

export interface NoteEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970; 0 where the host does not know. */
  readonly created: number;
  readonly modified: number;
}

export interface NoteText {
  readonly text: string;
  /** The text is an open editor's and not yet in the file. */
  readonly unsaved: boolean;
}

/** Why a change did not happen; nothing was touched unless `partly` says otherwise. */
export type NoteProblem =
  /** It is not there (any more). */
  | { readonly kind: 'missing' }
  /** Something is there already. */
  | { readonly kind: 'exists' }
  /** Its text is not what it was taken to be; `now` is what it is. */
  | { readonly kind: 'changed'; readonly now: string }
  /** It was changed in the very lines that were to be changed. */
  | { readonly kind: 'clash'; readonly now: string; readonly conflicts: readonly Conflict[] }
  /** It is no text. */
  | { readonly kind: 'not-text' }
  /** The file system refused in the middle of a write, and again when the old text was to be put back. */
  | { readonly kind: 'cut' }
  /** The file system refused: locked, vanished, full, not permitted. */
  | { readonly kind: 'disk'; readonly detail: string; readonly full: boolean };

export type NoteResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: NoteProblem };

export type NoteEvent =
  | { readonly kind: 'created' | 'changed' | 'removed'; readonly path: string }
  | { readonly kind: 'renamed'; readonly path: string; readonly from: string };

/** Failures of the world come as results; nothing here throws for them. */
export interface NoteVault {
  /** Everything the host has indexed, in no particular order; folders too, the root not. Cheap. */
  list(): readonly NoteEntry[];
  /** Exactly this path, or undefined. */
  get(path: string): NoteEntry | undefined;
  /** The text as the user sees it: an open editor's unsaved text counts. */
  read(path: string): Promise<NoteResult<NoteText>>;
  /** Notes that read otherwise than their file: an editor holds text that is not in it yet. */
  unsaved(): readonly string[];
  readBinary(path: string): Promise<NoteResult<ArrayBuffer>>;
  /** Makes the file and the folders above it; never overwrites. */
  create(path: string, text: string): Promise<NoteResult>;
  /**
   * Puts `after` in place of `before`, only if the note still reads `before`: compared and written as one act against
   * everything else in this process, through any open editor of the note, where it becomes one undoable step.
   */
  change(path: string, before: string, after: string): Promise<NoteResult>;
  createFolder(path: string): Promise<NoteResult>;
  /** Renames or moves, with the links that point there. Never overwrites. */
  move(path: string, to: string): Promise<NoteResult>;
  /** Where the user's setting sends what is deleted; `vault`: the folder `.trash` in it. */
  trashGoes(): 'system' | 'vault' | 'nowhere';
  /** To the trash that the user chose. Gives the place in the vault's own trash, null where it did not go there. */
  trash(path: string): Promise<NoteResult<string | null>>;
  /**
   * Brings what lies at a place in the vault's own trash back to `to`, with all it holds, as `putBack` does it file by
   * file; then it is gone from the trash. One that broke off can be repeated. Touches nothing where a file is in the way.
   * Since the trash was emptied another may have taken that place: `missing` where what lies there is not what `went`.
   *
   * @param went with the paths to which they come back
   */
  restore(place: string, to: string, went: readonly DeletedFile[]): Promise<NoteResult>;
  /**
   * Makes a file with these bytes, and the folders above it; one that is whole already is left alone, and one that was
   * cut, as a write that broke off leaves it, is written whole. Never overwrites anything else.
   */
  putBack(path: string, bytes: ArrayBuffer): Promise<NoteResult>;
  /**
   * Paths (files or folders) that lead out of the vault, or into a protected place, by a link of the file system; null
   * for a path that does not. Resolved afresh where `fresh`, otherwise as last known.
   */
  escapes(path: string, fresh: boolean): Promise<string | null>;
  /** All of those among the indexed ones, for listings; may be cached until the vault changes. */
  escaping(): Promise<ReadonlySet<string>>;
  /**
   * Something in this folder, at any depth, that begins with a dot: not indexed, and yet it would go where the folder
   * goes. Null if there is nothing but the litter that systems leave in folders by themselves.
   */
  holdsHidden(folder: string): Promise<string | null>;
  onChange(listener: (event: NoteEvent) => void): () => void;
}
