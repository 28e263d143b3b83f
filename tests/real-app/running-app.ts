/** What the app specs need from an app: Obsidian itself, or the workbench in its place. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A visible element: the first that matches the selector and contains the text. */
export interface Part {
  readonly css: string;
  readonly text?: string;
}

export interface AppWindow {
  /** Waits until the part is visible. */
  see(part: Part): Promise<void>;
  /** Waits until the part is visible, and clicks it. */
  click(part: Part): Promise<void>;
  /** Clicks the field and types as a user would. `Enter` sends. */
  send(field: Part, text: string): Promise<void>;
}

export interface RunningApp extends AppWindow {
  /** Absolute path of the vault's folder. */
  readonly vault: string;
  /**
   * Runs a function in the main window and resolves with what it returns or resolves with. It is
   * sent as source text, so it can use only its argument.
   */
  evaluate<Value, Argument = null>(
    act: (argument: Argument) => Value,
    argument: Argument,
  ): Promise<Awaited<Value>>;
  press(key: 'Escape'): Promise<void>;
  /** Reloads the window and waits until the plugin is loaded. */
  reload(): Promise<void>;
  /** Acts in the window that `open` opens, and closes it. */
  inNewWindow(
    open: () => Promise<unknown>,
    act: (window: AppWindow) => Promise<void>,
  ): Promise<void>;
}

/** The text of a file of the vault, past the app; null if there is none. */
export function readVaultFile({ vault }: RunningApp, file: string): Promise<string | null> {
  return readFile(path.join(vault, file), 'utf8').catch(() => null);
}

/** The members of the app that specs use in the page. */
export interface InPage {
  readonly app: {
    readonly commands: { executeCommandById(id: string): boolean };
    readonly plugins: { readonly plugins: Readonly<Record<string, unknown>> };
    readonly setting: { open(): void; openTabById(id: string): unknown };
    readonly secretStorage: { setSecret(name: string, value: string): void };
    readonly vault: { readonly adapter: { getBasePath(): string } };
    readonly workspace: {
      readonly layoutReady: boolean;
      openLinkText(link: string, source: string): Promise<void>;
    };
  };
}
