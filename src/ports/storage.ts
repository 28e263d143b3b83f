/**
 * Files of our own, beside the notes: inbox, conversations, ledger. Unlike notes they survive a power cut: a write is
 * all or nothing. Paths are vault-relative. Two implementations: Node's or Obsidian's adapter, and one in memory.
 *
 * Everything here rejects when the file system does; a caller turns that into a failure the user can read.
 */
export interface Storage {
  /** Null if there is no such file. */
  read(path: string): Promise<string | null>;
  /** The old text or the new one, never less; on disk when it resolves. */
  write(path: string, text: string): Promise<void>;
  /** The same with bytes, for what is no text. */
  readBytes(path: string): Promise<ArrayBuffer | null>;
  writeBytes(path: string, bytes: ArrayBuffer): Promise<void>;
  /** A new file; false if it is there already, for whoever else may have made it in the same moment. */
  create(path: string, text: string): Promise<boolean>;
  /**
   * At the end of the file, in the order of the calls; makes it if it is missing. With `flush` it is on disk when it
   * resolves, otherwise only out of this process's hands.
   */
  append(path: string, text: string, options: { flush: boolean }): Promise<void>;
  /** Names of the files directly in a folder, sorted; none if it is missing. */
  list(folder: string): Promise<string[]>;
  /** The same names, each with how many bytes the file has. */
  sizes(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Does nothing if it is missing. */
  remove(path: string): Promise<void>;
}
