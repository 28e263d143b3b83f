/**
 * The vault's files and folders. Implemented by Obsidian (`obsidian/vault`) and in memory for
 * tests. Paths are vault-relative with `/`; '' is the root. Nothing here checks what the agent may
 * touch: that is the job of `policy`, through which every tool goes.
 */
import type { AgentChange, DeletedFile, Effect } from '#model/change';
import type { Conflict } from '#text/three-way-merge';

export interface NoteEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970; 0 for a folder, or if the host does not know. */
  readonly created: number;
  readonly modified: number;
}

export interface NoteText {
  readonly text: string;
  /** The text comes from an open editor and is not in the file yet. */
  readonly unsaved: boolean;
  /** The text without the edits that wait for the user, if it differs. */
  readonly accepted?: string;
  /** Edits that wait in the note, but are no part of the text. */
  readonly waiting?: WaitingEdits;
}

/** Numbers of edits that change nothing in the text as tools read it. */
export interface WaitingEdits {
  readonly foreign: number;
  readonly stale: number;
  readonly damaged: number;
}

/** Why a change did not happen. The note is unchanged, except after `cut`. */
export type NoteProblem =
  /** The file does not exist, or no longer does. */
  | { readonly kind: 'missing' }
  /** The path is already in use. */
  | { readonly kind: 'exists' }
  /** The note does not have the expected text; `now` is the current one. */
  | { readonly kind: 'changed'; readonly now: string }
  /** The same lines have been changed in the meantime. */
  | { readonly kind: 'clash'; readonly now: string; readonly conflicts: readonly Conflict[] }
  /** The file is not text. */
  | { readonly kind: 'not-text' }
  /** A write failed halfway, and restoring the old text failed too. */
  | { readonly kind: 'cut' }
  /** The file system refused: locked, vanished, full or not permitted. */
  | { readonly kind: 'disk'; readonly detail: string; readonly full: boolean };

export type NoteResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: NoteProblem };

/** Makes the changes of one tool call. */
export interface ChangeApplier {
  /**
   * Makes a change that was allowed, through the change log.
   *
   * @param mustWait whether the change waits in the note for the user, whatever the mode
   */
  apply(effect: Effect, mustWait: boolean): Promise<ApplyResult>;
  /**
   * Runs the task while no other change of the agent, decision or undo is planned or made in these
   * files. Must not be called within such a task.
   */
  alone<Value>(files: TouchedFiles, task: () => Promise<Value>): Promise<Value>;
}

/** Paths, or a move, which also touches the notes with links to what moves. */
export type TouchedFiles = readonly string[] | Extract<Effect, { kind: 'move' }>;

export type ApplyResult =
  ({ readonly ok: true } & AgentChange) | { readonly ok: false; readonly reason: NoteProblem };

/** The bytes of several files in one buffer. The arrays are in the order of the files. */
export interface FileBatch {
  readonly bytes: ArrayBuffer;
  readonly starts: Uint32Array;
  /** -1 for a file that could not be read. */
  readonly lengths: Int32Array;
}

export type NoteEvent =
  | { readonly kind: 'created' | 'changed' | 'removed'; readonly path: string }
  | { readonly kind: 'renamed'; readonly path: string; readonly from: string };

/** No method throws for failures of the outside world; they are results. */
export interface NoteVault {
  /** All indexed files and folders except the root, in no particular order. Cheap. */
  list(): readonly NoteEntry[];
  /** Matches the path exactly; undefined if there is none. */
  get(path: string): NoteEntry | undefined;
  /** The text as the user sees it, including unsaved text of an open editor. */
  read(path: string): Promise<NoteResult<NoteText>>;
  /** Notes whose open editor has text that is not in the file yet. */
  unsaved(): readonly string[];
  readBinary(path: string): Promise<NoteResult<ArrayBuffer>>;
  /** Reads many files as saved, without unsaved text of editors. A null counts as unreadable. */
  readMany(paths: readonly (string | null)[]): Promise<FileBatch>;
  /** Creates the file and its parent folders; never overwrites. */
  create(path: string, text: string): Promise<NoteResult>;
  /**
   * Replaces `before` with `after`, but only if the note still has the text `before`. Comparing and
   * writing is atomic within this process. If the note is open, the change goes through its editor
   * as a single undo step.
   */
  change(path: string, before: string, after: string): Promise<NoteResult>;
  createFolder(path: string): Promise<NoteResult>;
  /** Renames or moves, and updates the links that point there. Never overwrites. */
  move(path: string, to: string): Promise<NoteResult>;
  /**
   * Where deleted files go according to the user's setting; `vault` is the folder `.trash` of the
   * vault.
   */
  trashGoes(): 'system' | 'vault' | 'nowhere';
  /**
   * Moves a file or folder to the user's trash. Returns its path in the vault's own trash, or null
   * if it went elsewhere.
   */
  trash(path: string): Promise<NoteResult<string | null>>;
  /**
   * Restores a file or folder from the vault's own trash to `to`, file by file like `putBack`, and
   * then removes it from the trash. Can be repeated after an interruption. Changes nothing if a
   * file is in the way. Returns `missing` if the trash contains something else than `went` there,
   * because it was emptied in between.
   *
   * @param went the deleted files with the paths to which they return
   */
  restore(place: string, to: string, went: readonly DeletedFile[]): Promise<NoteResult>;
  /**
   * Creates a file with these bytes, and its parent folders. A file that is already complete is
   * left alone, and one left incomplete by an interrupted write is completed. Never overwrites
   * anything else.
   */
  putBack(path: string, bytes: ArrayBuffer): Promise<NoteResult>;
  /**
   * Where a path leads if a symbolic link takes it out of the vault or into a protected place; null
   * if it does not. Uses cached results unless `fresh`.
   */
  escapes(path: string, fresh: boolean): Promise<string | null>;
  /** All indexed paths for which `escapes` is not null, for listings; may be cached until the vault changes. */
  escaping(): Promise<ReadonlySet<string>>;
  /**
   * A dot file anywhere below this folder, which is not indexed but would move with the folder.
   * Ignores files that operating systems create by themselves. Null if there is none.
   */
  holdsHidden(folder: string): Promise<string | null>;
  /** When a folder was created, which is not in its entry; 0 if the host does not know. */
  folderCreated(folder: string): Promise<number>;
  onChange(listener: (event: NoteEvent) => void): () => void;
}
