/**
 * The MCP page of the settings: the list of MCP servers with a page for each, and Parley's MCP
 * server, which offers the tools to other programs.
 */
import * as t from '#messages/settings-messages';
import { clipboardUnavailable } from '#messages/shared-messages';
import type { App, SettingDefinitionList, SettingDefinitionPage, Setting } from 'obsidian';
import type { ServerStatus, McpServer } from '#model/mcp-server';
import type { Mode } from '#model/setting-choices';
import type { McpServerPort, McpServerStatus } from '#ports/app/mcp-server-port';
import type { Ui } from '#ports/ui';
import { copyText } from '../host-ui';
import { newServer, McpServerPages, type McpSettingsAgent } from './mcp-server-pages';
import { type SaveSetting, type SettingName, numberRow, type SettingRow } from './setting-rows';

export class McpServerList {
  readonly #app: App;
  readonly #agent: McpSettingsAgent;
  readonly #save: SaveSetting;
  readonly #changed: () => void;
  #pages: McpServerPages | null = null;
  /** The page that is open. Obsidian knows a page by its name, so that stays until it is closed. */
  #open: { readonly id: string; readonly name: string } | null = null;
  #status: ReadonlyMap<string, ServerStatus> = new Map();

  /** @param changed called when the rows have changed */
  constructor(app: App, agent: McpSettingsAgent, save: SaveSetting, changed: () => void) {
    this.#app = app;
    this.#agent = agent;
    this.#save = save;
    this.#changed = changed;
  }

  list(): SettingDefinitionList<SettingName> {
    const servers = this.#agent.settings.current().mcpServers;
    return {
      type: 'list',
      heading: t.mcpServers,
      emptyState: t.noMcpServers,
      items: this.#named(servers).map(({ server, name }) => this.#page(server, name)),
      addItem: { name: t.addMcpServer, action: () => void this.#add() },
      onDelete: (index) => {
        // The current list: it may have changed since it was rendered.
        const now = this.#agent.settings.current().mcpServers;
        void this.#put(now.filter(({ id }) => id !== servers[index]?.id));
      },
    };
  }

  /** Each with a name that no other page has. */
  #named(servers: readonly McpServer[]): { server: McpServer; name: string }[] {
    const open = this.#open;
    const taken = new Set(open ? [open.name] : []);
    return servers.map((server) => {
      if (open?.id === server.id) return { server, name: open.name };
      const plain = server.name.trim() === '' ? t.unnamed : server.name;
      let name = plain;
      for (let count = 2; taken.has(name); count += 1) name = t.numberedName(plain, count);
      taken.add(name);
      return { server, name };
    });
  }

  #page(server: McpServer, name: string): SettingDefinitionPage<SettingName> {
    const { id } = server;
    return {
      type: 'page',
      name,
      desc: server.kind === 'stdio' ? [server.command, ...server.args].join(' ') : server.url,
      displayValue: () => this.#pages?.words(id) ?? '',
      status: () => (this.#status.get(id)?.kind === 'down' ? 'warning' : null),
      items: (this.#pages?.rows(id) ?? []).map((row, at) =>
        at === 0 ? this.#marksOpen(row, { id, name }) : row,
      ),
    };
  }

  /** The page is open while this row is rendered. */
  #marksOpen(row: SettingRow, page: { readonly id: string; readonly name: string }): SettingRow {
    if (!row.render) return row;
    const { render } = row;
    return {
      ...row,
      render: (setting, group) => {
        this.#open = page;
        const clear = render(setting, group);
        return () => {
          clear?.();
          // The row may be rendered again at once, on the same page.
          window.setTimeout(() => {
            if (this.#open !== page) return;
            this.#open = null;
            this.#changed();
          });
        };
      },
    };
  }

  async #add(): Promise<void> {
    const others = this.#agent.settings.current().mcpServers;
    await this.#put([...others, newServer(others)]);
  }

  async #put(servers: readonly McpServer[]): Promise<void> {
    await this.#save('mcpServers', servers);
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
      this.#pages ??= new McpServerPages(this.#app, this.#agent, this.#save, {
        statusOf: (id) => this.#status.get(id),
        read: () => this.#read(),
        renew: () => this.#renew(),
      });
      this.#changed();
    });
  }
}

export class McpServerSettings {
  readonly #mcpServer: McpServerPort;
  readonly #notice: Ui['notice'];
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(mcpServer: McpServerPort, notice: Ui['notice']) {
    this.#mcpServer = mcpServer;
    this.#notice = notice;
    mcpServer.subscribe(() => this.#show());
  }

  rows(modes: Record<Mode, string>): SettingRow[] {
    return [
      {
        name: t.mcpServer,
        desc: t.mcpServerDetail,
        aliases: ['MCP', 'server', 'Model Context Protocol', 'Claude Code', 'external app'],
        control: { type: 'toggle', key: 'mcpServerEnabled' },
      },
      {
        name: t.mcpWrite,
        desc: t.mcpWriteDetail,
        aliases: ['MCP', 'write'],
        control: { type: 'toggle', key: 'mcpServerWrites' },
      },
      {
        name: t.mcpMode,
        desc: t.mcpModeDetail,
        aliases: ['MCP', 'review', 'apply', t.readOnlyLower],
        control: { type: 'dropdown', key: 'mcpServerMode', options: modes },
      },
      numberRow('mcpServerPort', t.mcpPort, t.mcpPortDetail, ['MCP']),
      {
        name: t.connectApp,
        desc: t.connectAppDetail,
        aliases: ['MCP', 'token', 'address', 'secret'],
        render: (setting) => this.#renderAccess(setting),
      },
    ];
  }

  #renderAccess(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    const copy = (what: 'address' | 'token') => async () => {
      const text = (await this.#mcpServer.access())[what];
      const isCopied = await copyText(text).then(
        () => true,
        () => false,
      );
      this.#notice(isCopied ? t.copiedWhat(what) : clipboardUnavailable);
    };
    const add = (text: string, click: () => Promise<void>) =>
      setting.addButton((button) => {
        const run = () => click().catch((error: Error) => this.#notice(error.message));
        button.setButtonText(text).onClick(run);
      });
    add(t.copyAddress, copy('address'));
    add(t.copyToken, copy('token'));
    add(t.newToken, async () => {
      await this.#mcpServer.renewToken();
      this.#notice(t.newTokenCreated);
    });
    this.#show = () => said.setText(serverStatusText(this.#mcpServer.state));
    this.#show();
  }
}

function serverStatusText(state: McpServerStatus): string {
  switch (state.kind) {
    case 'off':
      return t.off;
    case 'elsewhere':
      return t.otherWindowServes;
    case 'starting':
      return t.openingPort;
    case 'running': {
      const { address, clients } = state;
      const who = clients.length === 0 ? t.noApps : t.connectedApps(clients.join(', '));
      return t.runningAt(address, who);
    }
    case 'refused':
      return state.reason;
  }
}
