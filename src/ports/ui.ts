/** What a panel asks of the program around it. Two implementations: Obsidian's, and one for tests and the gallery. */

import type { Selection } from '#model/attachment';

export interface MenuItem {
  readonly title: string;
  readonly icon?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  run(): void;
}

/** Where a text goes: where the user last wrote, below all of that note, or into a note of its own. */
export type TextGoal = 'cursor' | 'end' | 'new';

/** How well a text fits what was typed; the higher the better. */
export interface Fit {
  readonly score: number;
  /** What of it was typed: from and to, in order. */
  readonly marks: readonly (readonly [number, number])[];
}

/** What the user has before them in the editor, or had before they came to the panel. */
export interface ActiveNote {
  readonly note: string | null;
  readonly selection: Selection | null;
}

/** What was dropped: of the vault by its path, and files from elsewhere. */
export interface DroppedItems {
  readonly paths: readonly string[];
  readonly files: readonly File[];
}

export type ImportedFile =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: string };

/** Where a note is opened: where the user is reading, or beside it. */
export type OpenWhere = 'here' | 'tab';

/** Shows a file of the vault to the user. @param line from 1; null for where they last were */
export type ShowFile = (
  path: string,
  where: { readonly line: number | null; readonly inNewTab: boolean },
) => Promise<void>;

/** A command as the host's palette has it. */
export interface HostCommand {
  readonly id: string;
  readonly name: string;
}

export interface HostCommands {
  /** None where the host does not tell. */
  all(): readonly HostCommand[];
  /** False where it can't be run now, or failed at once. What it does later is not known. */
  run(id: string): boolean;
}

/** A stretch of code, or several of one kind, such as `keyword`. */
export type CodePiece = string | { readonly kinds: string; readonly inside: readonly CodePiece[] };

/** What a note shows where it embeds another file. */
export type EmbeddedContent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'picture'; readonly address: string };

export interface Ui {
  /** Draws the icon of this name (Lucide's names) into `element`. */
  setIcon(element: HTMLElement, name: string): void;
  /** A menu below `anchor`, in the anchor's own window. `null` is a line between groups. */
  menu(anchor: HTMLElement, items: readonly (MenuItem | null)[]): void;
  /** @param link a path or a link name, with `#heading` or without */
  openNote(link: string, where: OpenWhere): void;
  /** Shows the note that a link means, as hovering over a link does. */
  previewNote(event: MouseEvent, link: string, anchor: HTMLElement): void;
  /** Shows the notes that bear it. @param tag with its `#` */
  searchTag(tag: string): void;
  /** What the link means, or the part of it; null where it can't be shown in its place. */
  embedded(link: string): Promise<EmbeddedContent | null>;
  /** A formula as the host draws it, not clean; null where it can't be drawn. @param source TeX */
  formula(source: string, isBlock: boolean): Promise<HTMLElement | null>;
  /** Null where the language is not known. All pieces together are the code. */
  codePieces(code: string, language: string): Promise<readonly CodePiece[] | null>;
  /** A diagram as SVG, not clean; null where it can't be drawn. @param source mermaid's */
  diagram(source: string): Promise<string | null>;
  /**
   * Puts a text into a note and goes there, as if the user had pasted it: one step of the editor's own undo. Gives
   * why it could not, in a sentence for the user; null where it did.
   */
  putText(text: string, goal: TextGoal): Promise<string | null>;
  notice(text: string): void;
  /** How well texts fit what is typed; null for one that does not. */
  fuzzy(typed: string): (text: string) => Fit | null;
  reading(): ActiveNote;
  /** Calls back a moment after `reading()` gives something else. */
  onReading(listener: () => void): () => void;
  dropped(event: DragEvent): DroppedItems;
  /** Puts a copy of a file into the vault, where attachments go. */
  keepInVault(file: File): Promise<ImportedFile>;
  openSettings(): void;
  /** Whether the user was told something of this name on this device, such as what the modes mean. */
  wasNotified(name: string): boolean;
  setNotified(name: string): void;
  /** Rejects where the clipboard is refused. */
  copy(text: string): Promise<void>;
  /** Whether an API key is in the secret storage, under the name that the settings give. */
  hasKey(): boolean;
  /** Puts the key into the secret storage. It goes nowhere else. */
  saveKey(key: string): void;
}
