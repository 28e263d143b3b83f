/** What a panel asks of the program around it. Two implementations: Obsidian's, and one for tests and the gallery. */

export interface MenuItem {
  readonly title: string;
  readonly icon?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  run(): void;
}

/** Where a note is opened: where the person is reading, or beside it. */
export type OpenWhere = 'here' | 'tab';

export interface Ui {
  /** Draws the icon of this name (Lucide's names) into `element`. */
  setIcon(element: HTMLElement, name: string): void;
  /** A menu below `anchor`, in the anchor's own window. `null` is a line between groups. */
  menu(anchor: HTMLElement, items: readonly (MenuItem | null)[]): void;
  /** @param link a path or a link name, with `#heading` or without */
  openNote(link: string, where: OpenWhere): void;
  /** Shows the note that a link means, as hovering over a link does. */
  previewNote(event: MouseEvent, link: string, anchor: HTMLElement): void;
  notice(text: string): void;
  openSettings(): void;
  /** Whether the person was told something of this name on this device, such as what the modes mean. */
  wasTold(name: string): boolean;
  setTold(name: string): void;
  /** Rejects where the clipboard is refused. */
  copy(text: string): Promise<void>;
  /** Whether an API key is in the secret storage, under the name that the settings give. */
  hasKey(): boolean;
  /** Puts the key into the secret storage. It goes nowhere else. */
  saveKey(key: string): void;
}
