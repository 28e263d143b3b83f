import type { App, Plugin } from 'obsidian';

/** The vault's folder, accessed without the app. Paths are relative to the folder. */
export interface Folder {
  /** Absolute path in the operating system's form. */
  readonly base: string;
  /** Null if there is no file. */
  read(path: string): Promise<string | null>;
  /** Writes as another program would, and creates missing parent folders. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * All files outside the configuration folder, including hidden ones, and empty folders with a
   * trailing `/`.
   */
  list(): Promise<string[]>;
}

export interface Host {
  readonly app: App;
  /** Loaded for this question and unloaded afterwards. */
  readonly plugin: Plugin;
  /** Empty except for the configuration folder. Paths that the app is given lead there, too. */
  readonly folder: Folder;
  /** The plugin that asks. In a vault of its own, it was loaded when the app started. */
  readonly first: Plugin;
}

/** One behavior of Obsidian that the plugin relies on, checked in every host. */
export interface ContractQuestion {
  /**
   * The expected behavior, as a sentence. One that ends in `(observed)` is undocumented and was
   * observed in Obsidian.
   */
  readonly name: string;
  /** The members of the published types that the question covers, named as in `ApiUse`. */
  readonly about: readonly string[];
  /** Set if the question needs a screen. */
  readonly onScreen?: true;
  /** Set if the question needs Node, which a browser page does not have. */
  readonly needsNode?: true;
  /** Why the question is not asked in a vault that has other notes, as a sentence. */
  readonly ownVault?: string;
  /** Returns plain JSON data. */
  ask(host: Host): Promise<unknown>;
  readonly answer: unknown;
}

/**
 * The error of a failed promise in a form common to all hosts: the system's error code, or the
 * message; "none" if it succeeds.
 */
export async function errorOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return 'none';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code ?? (/already exists/i.test(message) ? 'already exists' : message);
  }
}
