/** The rows of hidden folders, with the picker that adds one, and of the notes of custom tools. */
import * as t from '#messages/settings-messages';
import {
  prepareFuzzySearch,
  renderMatches,
  SuggestModal,
  type App,
  type SearchResult,
} from 'obsidian';
import { noteName } from '#text/paths';
import type { CustomToolNote } from '#ports/app/settings-port';
import {
  buttonRow,
  type LoadedValue,
  validatorOf,
  type SettingRow,
  type SettingRowDeps,
} from './setting-rows';

export function customToolRows(tools: LoadedValue<readonly CustomToolNote[]>): SettingRow[] {
  const rows = tools.value.map((note) =>
    'tool' in note
      ? { name: note.tool, desc: note.path }
      : { name: t.notATool(noteName(note.path)), desc: `${note.reason} (${note.path})` },
  );
  const help: SettingRow = {
    name: t.customToolHelp,
    desc: t.customToolHelpDetail,
    render: (setting) => {
      void tools.refresh();
      setting.descEl.createEl('pre', { text: t.customToolExample });
    },
  };
  return [...rows, help];
}

export function hiddenFolderRows({ app, agent, save, redraw }: SettingRowDeps): SettingRow[] {
  const aliases = ['private', 'hide', 'ignore', 'secret', 'exclude', 'block'];
  const hidden = () => agent.settings.current().excludedFolders;
  const others = (path: string) => hidden().filter((each) => each !== path);
  const put = (folders: readonly string[]) => save('excludedFolders', folders).then(redraw);
  const pick = () =>
    new FolderPicker(app, hidden(), (path) => void put([...others(path), path])).open();
  return [
    buttonRow(t.excludedFolders, t.excludedFoldersDetail, t.addFolder, pick, aliases),
    ...hidden().map((path) =>
      buttonRow(path, t.hiddenFolder, t.remove, () => put(others(path)), aliases),
    ),
  ];
}

interface FolderChoice {
  readonly path: string;
  readonly match: SearchResult | null;
  /** Whether the vault has no such folder yet. */
  readonly isNew: boolean;
}

class FolderPicker extends SuggestModal<FolderChoice> {
  readonly #hidden: readonly string[];
  readonly #choose: (path: string) => void;

  constructor(app: App, hidden: readonly string[], choose: (path: string) => void) {
    super(app);
    this.#hidden = hidden;
    this.#choose = choose;
    this.setPlaceholder(t.chooseFolder);
  }

  override getSuggestions(query: string): FolderChoice[] {
    const typed = query.trim().replace(/^\/+|\/+$/g, '');
    const find = prepareFuzzySearch(typed);
    const folders = this.app.vault.getAllFolders(false).map(({ path }) => path);
    const found = folders
      .filter((path) => !this.#hidden.includes(path))
      .flatMap((path): FolderChoice[] => {
        const match = typed === '' ? null : find(path);
        return typed === '' || match ? [{ path, match, isNew: false }] : [];
      })
      .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0));
    // A folder can be hidden before it exists.
    const isNew = typed !== '' && !folders.includes(typed) && !this.#hidden.includes(typed);
    return isNew && validatorOf('excludedFolders')([typed]) === undefined
      ? [...found, { path: typed, match: null, isNew }]
      : found;
  }

  override renderSuggestion({ path, match, isNew }: FolderChoice, element: HTMLElement): void {
    if (isNew) element.setText(t.hideMissingFolder(path));
    else if (match) renderMatches(element, path, match.matches);
    else element.setText(path);
  }

  override onChooseSuggestion({ path }: FolderChoice): void {
    this.#choose(path);
  }
}
