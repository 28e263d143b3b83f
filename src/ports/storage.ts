/**
 * Parley's own files beside the notes: inbox, conversations, change log. Unlike notes they survive
 * a power failure: a write is all or nothing. Paths are vault-relative. Implemented with Node, with
 * Obsidian's adapter, and in memory for tests.
 *
 * Every method rejects if the file system does; the caller turns that into a failure for the user.
 */
export interface Storage {
  /** Null if the file does not exist. */
  read(path: string): Promise<string | null>;
  /** Atomic: the file has the old text or the new one. The new one is on disk when it resolves. */
  write(path: string, text: string): Promise<void>;
  /** Like `read`, for binary files. */
  readBytes(path: string): Promise<ArrayBuffer | null>;
  writeBytes(path: string, bytes: ArrayBuffer): Promise<void>;
  /**
   * Creates a file exclusively. False if it exists, even if another process created it at the same
   * moment.
   */
  create(path: string, text: string): Promise<boolean>;
  /**
   * Appends in the order of the calls, and creates the file if necessary. With `flush`, the text is
   * on disk when it resolves; otherwise it has only been handed to the operating system.
   */
  append(path: string, text: string, options: { flush: boolean }): Promise<void>;
  /** Sorted names of the files directly in a folder; empty if the folder does not exist. */
  list(folder: string): Promise<string[]>;
  /** The same names with the sizes of the files in bytes. */
  sizes(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
}
