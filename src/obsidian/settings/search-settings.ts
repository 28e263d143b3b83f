/** Settings of web search, reading web pages, and semantic search. */
import { type App, SecretComponent, type Setting } from 'obsidian';
import type { Permission, SearchProvider, Settings } from '#model/settings';
import type { Agent } from '#ports/app/agent';
import { type SettingName, problemOf, type SettingRow } from './setting-rows';

const PROVIDERS: Record<SearchProvider, string> = {
  '': 'None',
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
    name: 'Web search',
    desc: 'Who searches the web for the agent, and is sent what it searches for. Choosing one allows both web tools, which you can set one by one under Permissions. Anthropic’s search works with Anthropic’s endpoint only and costs extra for each search.',
    aliases: ['internet', 'online', 'Brave', 'Tavily', 'Serper', 'Google', 'browse'],
    control: { type: 'dropdown', key: 'searchProvider', options: PROVIDERS },
  };
  const key: SettingRow = {
    name: 'Web search key',
    desc: 'From Brave, Tavily or Serper. Kept in the secret storage of this computer and sent to that provider only.',
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

/** Settings that change together with the search provider. */
export function settingsForProvider(provider: unknown, now: Settings): Partial<Settings> {
  const { web_search: _search, read_webpage: page, ...others } = now.tools;
  const allow: Permission = 'allow';
  // Keep the user's own permission for reading web pages.
  const without = page && page !== allow ? { ...others, read_webpage: page } : others;
  const both = { ...others, web_search: allow, read_webpage: allow };
  const tools = provider === '' ? without : now.searchProvider === '' ? both : now.tools;
  // Each provider has its own key, so that none receives the key of another.
  return { tools, searchKeyName: `parley-${String(provider) || 'search'}-key` };
}

type Keep = (name: SettingName, value: string) => Promise<void>;

export class SemanticSearchSettings {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #keep: Keep;
  /** Aborts the running update, which continues while the settings are closed. */
  #running: AbortController | null = null;
  #said = '';
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(app: App, agent: Pick<Agent, 'settings'>, keep: Keep) {
    this.#app = app;
    this.#agent = agent;
    this.#keep = keep;
  }

  rows(): SettingRow[] {
    return [
      {
        name: 'Embedding endpoint',
        desc: 'A server that turns text into vectors, such as Ollama on this computer. With it the agent can search notes by what they mean. It is sent the text of all notes but those you excluded. Empty: nothing is sent.',
        aliases: ['meaning', 'semantic', 'vector', 'Ollama', 'OpenAI'],
        control: {
          type: 'text',
          key: 'embeddingEndpoint',
          placeholder: 'http://localhost:11434',
          validate: problemOf('embeddingEndpoint'),
        },
      },
      {
        name: 'Embedding model',
        desc: 'As the endpoint calls it. With another one all notes are embedded anew.',
        control: {
          type: 'text',
          key: 'embeddingModel',
          placeholder: 'nomic-embed-text',
          validate: problemOf('embeddingModel'),
        },
      },
      {
        name: 'Embedding key',
        desc: 'If the endpoint wants one. Kept in the secret storage of this computer and sent to this endpoint only.',
        render: (setting) => {
          new SecretComponent(this.#app, setting.controlEl)
            .setValue(this.#agent.settings.current().embeddingKeyName)
            .onChange((name) => void this.#keep('embeddingKeyName', name));
        },
      },
      {
        name: 'Embed notes',
        desc: 'Embeds what is missing or has changed. A few changed notes are embedded by the search itself.',
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
        button.setButtonText(this.#running ? 'Cancel' : 'Update');
      };
      button.onClick(() => (this.#running ? this.#running.abort() : void this.#update()));
    });
    this.#show();
  }

  async #update(): Promise<void> {
    this.#running = new AbortController();
    this.#say('Looking for what is missing…');
    const asked = await this.#agent.settings.embedNotes(
      (done, all) =>
        this.#say(`${done.toLocaleString('en')} of ${all.toLocaleString('en')} passages…`),
      this.#running.signal,
    );
    this.#running = null;
    this.#say(
      asked.ok
        ? `All ${asked.notes.toLocaleString('en')} notes can be searched by what they mean.`
        : asked.problem,
    );
  }

  #say(words: string): void {
    this.#said = words;
    this.#show();
  }
}
