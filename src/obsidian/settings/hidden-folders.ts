/** Settings rows of the folders that are hidden from the agent, and the picker that adds one. */
import * as t from '#model/messages/settings-messages';
import { prepareFuzzySearch, renderMatches, SuggestModal, type App } from 'obsidian';
import type { SearchResult } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { problemOf, type SaveSetting, type SettingRow } from './setting-rows';

interface FolderChoice {
  readonly path: string;
  readonly match: SearchResult | null;
  /** Whether the vault has no such folder yet. */
  readonly isNew: boolean;
}

export class HiddenFolders {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #keep: SaveSetting;
  readonly #changed: () => void;

  /** @param changed called when the rows have changed */
  constructor(app: App, agent: Pick<Agent, 'settings'>, keep: SaveSetting, changed: () => void) {
    this.#app = app;
    this.#agent = agent;
    this.#keep = keep;
    this.#changed = changed;
  }

  rows(): SettingRow[] {
    const aliases = ['private', 'hide', 'ignore', 'secret', 'exclude', 'block'];
    const rows = this.#hidden.map((path): SettingRow => ({
      name: path,
      desc: t.hiddenFolder,
      aliases,
      render: (setting) => {
        setting.addButton((button) =>
          button
            .setButtonText(t.remove)
            .onClick(() => void this.#put(this.#hidden.filter((each) => each !== path))),
        );
      },
    }));
    const first: SettingRow = {
      name: t.excludedFolders,
      desc: t.excludedFoldersDetail,
      aliases,
      render: (setting) => {
        setting.addButton((button) =>
          button.setButtonText(t.addFolder).onClick(() => {
            new FolderPicker(this.#app, this.#hidden, (path) => void this.add(path)).open();
          }),
        );
      },
    };
    return [first, ...rows];
  }

  async add(path: string): Promise<void> {
    await this.#put([...this.#hidden.filter((each) => each !== path), path]);
  }

  get #hidden(): readonly string[] {
    return this.#agent.settings.current().excludedFolders;
  }

  async #put(folders: readonly string[]): Promise<void> {
    await this.#keep('excludedFolders', folders);
    this.#changed();
  }
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
    return isNew && problemOf('excludedFolders')([typed]) === undefined
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
