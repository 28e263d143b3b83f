import type { App, Plugin } from 'obsidian';

/** What lies in the vault's folder, reached past the app. Paths are relative to the folder. */
export interface Folder {
  /** As the operating system names it. */
  readonly base: string;
  /** Null where there is no file. */
  read(path: string): Promise<string | null>;
  /** Somebody else's change, with the folders above it. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** All files outside the configuration folder, also hidden ones, and empty folders with a `/` at the end. */
  list(): Promise<string[]>;
}

export interface Host {
  readonly app: App;
  /** Loaded for this question and unloaded after it. */
  readonly plugin: Plugin;
  /** Empty but for the configuration folder. */
  readonly folder: Folder;
  /** The one that was loaded when the app started. */
  readonly first: Plugin;
}

/** One thing that the plugin relies on, to be asked of any host that gives itself out for Obsidian. */
export interface Question {
  /**
   * What holds, as a sentence. One that ends in `(observed)` is not in the documentation, and somebody saw the app do
   * it.
   */
  readonly name: string;
  /** The members of the published types that the sentence is about, as `ApiUse` names them. */
  readonly about: readonly string[];
  /** Asks for what only a screen can show. */
  readonly onScreen?: true;
  /** Gives plain data. */
  ask(host: Host): Promise<unknown>;
  readonly answer: unknown;
}

/** What went wrong, in a word that hosts agree on: the system's code, or the message. */
export async function refusal(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return 'none';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code ?? (/already exists/i.test(message) ? 'already exists' : message);
  }
}
