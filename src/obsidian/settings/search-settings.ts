/** Settings of web search, reading web pages, and semantic search. */
import * as t from '#messages/settings-messages';
import { type App, SecretComponent, type Setting } from 'obsidian';
import type { SearchProvider } from '#model/setting-choices';
import type { Agent } from '#ports/app/agent';
import { type SettingName, problemOf, type SaveSetting, type SettingRow } from './setting-rows';

const PROVIDERS: Record<SearchProvider, string> = {
  '': t.none,
  anthropic: 'Anthropic',
  brave: 'Brave Search',
  tavily: 'Tavily',
  serper: 'Serper',
};

export function webSettings(
  app: App,
  agent: Pick<Agent, 'settings'>,
  keep: (name: SettingName, value: string) => Promise<void>,
): SettingRow[] {
  const provider: SettingRow = {
    name: t.webSearch,
    desc: t.webSearchDetail,
    aliases: ['internet', 'online', 'Brave', 'Tavily', 'Serper', 'Google', 'browse'],
    control: { type: 'dropdown', key: 'searchProvider', options: PROVIDERS },
  };
  const key: SettingRow = {
    name: t.webSearchKey,
    desc: t.webSearchKeyDetail,
    render: (setting) => {
      new SecretComponent(app, setting.controlEl)
        .setValue(agent.settings.current().searchKeyName)
        .onChange((name) => void keep('searchKeyName', name));
    },
  };
  return ['', 'anthropic'].includes(agent.settings.current().searchProvider)
    ? [provider]
    : [provider, key];
}

export class SemanticSearchSettings {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #save: SaveSetting;
  /** Aborts the running update, which continues while the settings are closed. */
  #running: AbortController | null = null;
  #said = '';
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(app: App, agent: Pick<Agent, 'settings'>, save: SaveSetting) {
    this.#app = app;
    this.#agent = agent;
    this.#save = save;
  }

  rows(): SettingRow[] {
    return [
      {
        name: t.embeddingEndpoint,
        desc: t.embeddingEndpointDetail,
        aliases: ['meaning', 'semantic', 'vector', 'Ollama', 'OpenAI'],
        control: {
          type: 'text',
          key: 'embeddingEndpoint',
          placeholder: 'http://localhost:11434',
          validate: problemOf('embeddingEndpoint'),
        },
      },
      {
        name: t.embeddingModel,
        desc: t.embeddingModelDetail,
        control: {
          type: 'text',
          key: 'embeddingModel',
          placeholder: 'nomic-embed-text',
          validate: problemOf('embeddingModel'),
        },
      },
      {
        name: t.embeddingKey,
        desc: t.embeddingKeyDetail,
        render: (setting) => {
          new SecretComponent(this.#app, setting.controlEl)
            .setValue(this.#agent.settings.current().embeddingKeyName)
            .onChange((name) => void this.#save('embeddingKeyName', name));
        },
      },
      {
        name: t.updateIndex,
        desc: t.updateIndexDetail,
        aliases: ['index', 'update'],
        render: (setting) => this.#renderUpdate(setting),
      },
    ];
  }

  #renderUpdate(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) => {
      this.#show = () => {
        said.setText(this.#said);
        button.setButtonText(this.#running ? t.cancel : t.update);
      };
      button.onClick(() => (this.#running ? this.#running.abort() : void this.#update()));
    });
    this.#show();
  }

  async #update(): Promise<void> {
    this.#running = new AbortController();
    this.#say(t.findingChanges);
    const asked = await this.#agent.settings.embedNotes(
      (done, all) =>
        this.#say(t.indexProgress(done.toLocaleString('en'), all.toLocaleString('en'))),
      this.#running.signal,
    );
    this.#running = null;
    this.#say(asked.ok ? t.indexComplete(asked.notes.toLocaleString('en')) : asked.reason);
  }

  #say(words: string): void {
    this.#said = words;
    this.#show();
  }
}
