/**
 * The user interface of the host: icons, menus, links, previews and notices. Implemented for
 * Obsidian, and for tests and the gallery.
 */

import type { Selection } from '#model/attachment';
import type { Settings } from '#model/settings';

export interface MenuItem {
  readonly title: string;
  readonly icon?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  run(): void;
}

/** An item, a heading for the items below it, or `null` for a separator. */
export type MenuEntry = MenuItem | string | null;

/** Where to insert a text: at the cursor, at the end of that note, or in a new note. */
export type TextGoal = 'cursor' | 'end' | 'new';

/** How well a text matches what was typed; higher is better. */
export interface FuzzyMatch {
  readonly score: number;
  /** Matched ranges of the text, in order. */
  readonly marks: readonly (readonly [number, number])[];
}

/**
 * The note and selection in the active editor, or in the last one while the chat view has focus.
 */
export interface ActiveNote {
  readonly note: string | null;
  readonly selection: Selection | null;
}

/** Dropped items: paths of the vault, and files from outside. */
export interface DroppedItems {
  readonly paths: readonly string[];
  readonly files: readonly File[];
}

export type ImportedFile =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

/** Where to open a note: in the active tab or in a new one. */
export type OpenWhere = 'here' | 'tab';

/**
 * Shows a file of the vault to the user.
 *
 * @param line from 1; null to keep the last position
 */
export type ShowFile = (
  path: string,
  where: { readonly line: number | null; readonly inNewTab: boolean },
) => Promise<void>;

/** A command of the host's command palette. */
export interface HostCommand {
  readonly id: string;
  readonly name: string;
}

export interface HostCommands {
  /** Empty if the host does not expose its commands. */
  all(): readonly HostCommand[];
  /** False if the command is not available or failed at once. Later failures are not known. */
  run(id: string): boolean;
}

/** A page of the settings. */
export type SettingsPage =
  'connection' | 'chat' | 'permissions' | 'voice' | 'search' | 'mcp' | 'limits' | 'advanced';

/** A setting by its key, or a whole page. */
export type SettingsTarget = keyof Settings | SettingsPage;

/** A token of highlighted code: plain text, or nested tokens with a class such as `keyword`. */
export type CodeToken = string | { readonly kinds: string; readonly inside: readonly CodeToken[] };

/** Content that a note shows for an embedded file. */
export type EmbeddedContent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'picture'; readonly address: string };

export interface Ui {
  /** Whether shortcuts use the Command key. */
  readonly isMac: boolean;
  /** Draws a Lucide icon into `element`. */
  setIcon(element: HTMLElement, name: string): void;
  /** Opens a menu below `anchor`, in the anchor's own window. */
  menu(anchor: HTMLElement, items: readonly MenuEntry[]): void;
  /**
   * @param link a path or link name, optionally with `#heading`
   * @param line from 1, of a path
   */
  openNote(link: string, where: OpenWhere, line?: number): void;
  /** Shows a preview of the linked note, as when hovering over a link in the host. */
  previewNote(event: MouseEvent, link: string, anchor: HTMLElement): void;
  /**
   * Shows the notes with this tag.
   *
   * @param tag with `#`
   */
  searchTag(tag: string): void;
  /** The content that the link, or its heading, refers to; null if it cannot be embedded. */
  embedded(link: string): Promise<EmbeddedContent | null>;
  /**
   * A formula rendered by the host, not sanitized; null if it cannot be rendered.
   *
   * @param source TeX
   */
  formula(source: string, isBlock: boolean): Promise<HTMLElement | null>;
  /** Highlighted tokens that together are the whole code. Null if the language is unknown. */
  codePieces(code: string, language: string): Promise<readonly CodeToken[] | null>;
  /**
   * A diagram as SVG, not sanitized; null if it cannot be rendered.
   *
   * @param source Mermaid code
   */
  diagram(source: string): Promise<string | null>;
  /**
   * Inserts a text into a note and shows it, as if the user had pasted it: one step of the editor's
   * undo. Returns a sentence for the user on failure, otherwise null.
   */
  putText(text: string, goal: TextGoal): Promise<string | null>;
  notice(text: string): void;
  /**
   * Asks for the folder of an export, which may not exist yet, with the last one first; null if the
   * user leaves.
   */
  chooseExportFolder(): Promise<string | null>;
  /** Calls back when the element has been moved to another window. */
  onWindowChange(element: HTMLElement, listener: () => void): () => void;
  /** Matches texts against what is typed; null for a text that does not match. */
  fuzzy(typed: string): (text: string) => FuzzyMatch | null;
  reading(): ActiveNote;
  /** Calls back shortly after the result of `reading()` has changed. */
  onReading(listener: () => void): () => void;
  dropped(event: DragEvent): DroppedItems;
  /** Copies a file into the vault's attachment folder. */
  keepInVault(file: File): Promise<ImportedFile>;
  /**
   * Deletes a file that `keepInVault` has copied, as the user's setting says, unless a note links to
   * it. Returns a sentence for the user about what happened.
   */
  discardImported(path: string): Promise<string>;
  /** Opens the settings, with `target` on its page, scrolled into view and focused. */
  openSettings(target?: SettingsTarget): void;
  /** Opens the hotkeys of Obsidian at the commands of Parley. */
  openHotkeys(): void;
  /**
   * Whether the user has seen or used something in this vault on this device, such as the
   * explanation of the modes, or SmartHole.
   */
  hasSeen(name: string): boolean;
  setSeen(name: string): void;
  /** Rejects if the clipboard is not available. */
  copy(text: string): Promise<void>;
  /** Whether the secret storage has an API key under the name in the settings. */
  hasKey(): boolean;
  /**
   * Saves the key in the secret storage, and nowhere else. Returns a sentence about the problem; null
   * on success.
   */
  saveKey(key: string): string | null;
}
