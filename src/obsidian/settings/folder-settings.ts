/**
 * Settings of folders: those for templates, custom tools and prompts, with the status of each
 * custom tool note, and those hidden from the agent, with the picker that adds one.
 */
import * as t from '#messages/settings-messages';
import {
  type SettingDefinitionGroup,
  prepareFuzzySearch,
  renderMatches,
  SuggestModal,
  type App,
  type SearchResult,
} from 'obsidian';
import { noteName } from '#text/paths';
import type { Agent } from '#ports/app/agent';
import type { CustomToolNote } from '#ports/app/settings-port';
import { problemOf, type SettingName, type SettingRow, type SaveSetting } from './setting-rows';

export class FolderSettings {
  readonly #agent: Pick<Agent, 'settings' | 'tools'>;
  readonly #changed: () => void;
  #tools: readonly CustomToolNote[] = [];

  /** @param changed called when the rows have changed */
  constructor(agent: Pick<Agent, 'settings' | 'tools'>, changed: () => void) {
    this.#agent = agent;
    this.#changed = changed;
  }

  groups(): SettingDefinitionGroup<SettingName>[] {
    const groups: SettingDefinitionGroup<SettingName>[] = [
      {
        type: 'group',
        heading: t.folders,
        items: [
          folderRow('templateFolder', t.templates, t.templatesDetail),
          folderRow('customToolFolder', t.customToolFolder, t.customToolsDetail),
          folderRow('promptFolder', t.prompts, t.promptsDetail),
        ],
      },
    ];
    if (this.#agent.settings.current().customToolFolder === '') return groups;
    return [...groups, { type: 'group', heading: t.customTools, items: this.#toolRows() }];
  }

  #toolRows(): SettingRow[] {
    const rows = this.#tools.map(rowOf);
    const last: SettingRow = {
      name: t.customToolHelp,
      desc: t.customToolHelpDetail,
      render: (setting) => {
        this.#look();
        setting.descEl.createEl('pre', { text: t.customToolExample });
      },
    };
    return [...rows, last];
  }

  /**
   * Loads the notes when a row is rendered, not when definitions are read: Obsidian reads those at
   * every start to search settings.
   */
  #look(): void {
    void this.#agent.tools.customTools().then((tools) => {
      if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#changed();
    });
  }
}

function rowOf(note: CustomToolNote): SettingRow {
  return 'tool' in note
    ? { name: note.tool, desc: note.path }
    : { name: t.notATool(noteName(note.path)), desc: `${note.reason} (${note.path})` };
}

function folderRow(key: SettingName, name: string, desc: string): SettingRow {
  return {
    name,
    desc,
    aliases: ['folder'],
    control: { type: 'folder', key, validate: problemOf(key) },
  };
}

interface FolderChoice {
  readonly path: string;
  readonly match: SearchResult | null;
  /** Whether the vault has no such folder yet. */
  readonly isNew: boolean;
}

export class HiddenFolders {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #save: SaveSetting;
  readonly #changed: () => void;

  /** @param changed called when the rows have changed */
  constructor(app: App, agent: Pick<Agent, 'settings'>, save: SaveSetting, changed: () => void) {
    this.#app = app;
    this.#agent = agent;
    this.#save = save;
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
    await this.#save('excludedFolders', folders);
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
