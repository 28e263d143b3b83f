/** Lets the user choose a folder of the vault by typing a part of its path. */
import * as t from '#messages/export-messages';
import {
  prepareFuzzySearch,
  renderMatches,
  SuggestModal,
  TFolder,
  type App,
  type SearchResult,
} from 'obsidian';
import { illegalNameReason } from '#text/paths';

interface FolderChoice {
  readonly path: string;
  readonly match: SearchResult | null;
  /** Whether the vault has no such folder yet. */
  readonly isNew: boolean;
}

export interface FolderPickerOptions {
  readonly placeholder: string;
  /** Paths to choose from, the likeliest first; '' is the root of the vault. */
  readonly folders: readonly string[];
  isNewAllowed(path: string): boolean;
  /** What is said about a folder that does not exist yet. */
  newFolderText(path: string): string;
}

export class FolderPicker extends SuggestModal<FolderChoice> {
  readonly #options: FolderPickerOptions;
  #resolve: (path: string | null) => void = () => undefined;

  constructor(app: App, options: FolderPickerOptions) {
    super(app);
    this.#options = options;
    this.setPlaceholder(options.placeholder);
  }

  /** Resolves with the path, or with null if the user leaves. */
  choose(): Promise<string | null> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.open();
    });
  }

  override getSuggestions(query: string): FolderChoice[] {
    const { folders, isNewAllowed } = this.#options;
    const typed = query.trim().replace(/^\/+|\/+$/g, '');
    const find = prepareFuzzySearch(typed);
    const found = folders
      .flatMap((path): FolderChoice[] => {
        const match = typed === '' ? null : find(labelOf(path));
        return typed === '' || match ? [{ path, match, isNew: false }] : [];
      })
      .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0));
    const isNew = typed !== '' && this.app.vault.getAbstractFileByPath(typed) === null;
    return isNew && isNewAllowed(typed) ? [...found, { path: typed, match: null, isNew }] : found;
  }

  override renderSuggestion({ path, match, isNew }: FolderChoice, element: HTMLElement): void {
    if (isNew) element.setText(this.#options.newFolderText(path));
    else if (match) renderMatches(element, labelOf(path), match.matches);
    else element.setText(labelOf(path));
  }

  override onChooseSuggestion({ path }: FolderChoice): void {
    this.#resolve(path);
  }

  override onClose(): void {
    super.onClose();
    // A choice closes it first.
    void Promise.resolve().then(() => this.#resolve(null));
  }
}

/** The vault's folders in Obsidian's order, without the root. */
export function vaultFolders({ vault }: App): string[] {
  return vault.getAllFolders(false).map(({ path }) => path);
}

/**
 * Asks where to export a chat: the last folder first, then the one for new notes. The choice is
 * remembered on this device.
 */
export async function chooseExportFolder(app: App, storageKey: string): Promise<string | null> {
  const last: unknown = app.loadLocalStorage(storageKey);
  const { path } = app.fileManager.getNewFileParent('');
  const all = new Set([
    ...(typeof last === 'string' ? [last] : []),
    ...(path === '/' ? [] : [path]),
    '',
    ...vaultFolders(app),
  ]);
  const picker = new FolderPicker(app, {
    placeholder: t.chooseExportFolder,
    folders: [...all].filter(
      (each) => each === '' || app.vault.getAbstractFileByPath(each) instanceof TFolder,
    ),
    isNewAllowed: isLegalFolder,
    newFolderText: t.newExportFolder,
  });
  const chosen = await picker.choose();
  if (chosen !== null) app.saveLocalStorage(storageKey, chosen);
  return chosen;
}

/** Obsidian does not list folders that begin with a dot. */
function isLegalFolder(path: string): boolean {
  return illegalNameReason(path) === null && !/(?:^|\/)\./.test(path);
}

function labelOf(path: string): string {
  return path === '' ? t.vaultRoot : path;
}
