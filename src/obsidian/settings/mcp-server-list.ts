/** The list of MCP servers in the settings, with a page for each. */
import * as t from '#model/messages/settings-messages';
import { newServer, McpServerPages } from './mcp-server-pages';
import type { App, SettingDefinitionList, SettingDefinitionPage } from 'obsidian';
import type { ServerStatus, McpServer } from '#model/mcp-server';
import type { McpSettingsAgent } from './mcp-server-pages';
import type { SaveSetting, SettingName } from './setting-rows';

export class McpServerList {
  readonly #app: App;
  readonly #agent: McpSettingsAgent;
  readonly #keep: SaveSetting;
  readonly #changed: () => void;
  #pages: McpServerPages | null = null;
  #status: ReadonlyMap<string, ServerStatus> = new Map();

  /** @param changed called when the rows have changed */
  constructor(app: App, agent: McpSettingsAgent, keep: SaveSetting, changed: () => void) {
    this.#app = app;
    this.#agent = agent;
    this.#keep = keep;
    this.#changed = changed;
  }

  list(): SettingDefinitionList<SettingName> {
    const servers = this.#agent.settings.current().mcpServers;
    return {
      type: 'list',
      heading: t.mcpServers,
      emptyState: t.noMcpServers,
      items: servers.map((server) => this.#page(server)),
      addItem: { name: t.addMcpServer, action: () => void this.#add() },
      onDelete: (index) => {
        // The current list: it may have changed since it was rendered.
        const now = this.#agent.settings.current().mcpServers;
        void this.#put(now.filter(({ id }) => id !== servers[index]?.id));
      },
    };
  }

  #page(server: McpServer): SettingDefinitionPage<SettingName> {
    const { id, name } = server;
    return {
      type: 'page',
      name: name.trim() === '' ? t.unnamed : name,
      desc: server.kind === 'stdio' ? [server.command, ...server.args].join(' ') : server.url,
      displayValue: () => this.#pages?.words(id) ?? '',
      status: () => (/asks|down/.test(this.#status.get(id)?.kind ?? '') ? 'warning' : null),
      items: this.#pages?.rows(id) ?? [],
    };
  }

  async #add(): Promise<void> {
    const others = this.#agent.settings.current().mcpServers;
    await this.#put([...others, newServer(others)]);
  }

  async #put(servers: readonly McpServer[]): Promise<void> {
    await this.#keep('mcpServers', servers);
    await this.#renew();
  }

  async #read(): Promise<void> {
    this.#status = await this.#agent.mcpServers.status();
  }

  async #renew(): Promise<void> {
    await this.#read();
    this.#changed();
  }

  /** Loads the current status of the servers. */
  look(): void {
    if (this.#agent.settings.current().mcpServers.length === 0) return;
    const before = JSON.stringify([...this.#status]);
    void this.#agent.mcpServers.status().then((status) => {
      if (this.#pages && JSON.stringify([...status]) === before) return;
      this.#status = status;
      this.#pages ??= new McpServerPages(this.#app, this.#agent, this.#keep, {
        statusOf: (id) => this.#status.get(id),
        read: () => this.#read(),
        renew: () => this.#renew(),
      });
      this.#changed();
    });
  }
}
