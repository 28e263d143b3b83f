/** The list of MCP servers, and the page of each: its form, what the form starts, and a test. */
import { startedBy } from '#messages/pending-settings-messages';
import * as settingsText from '#messages/settings-messages';
import {
  SecretComponent,
  type Setting,
  type SettingDefinitionList,
  type SettingDefinitionPage,
  type TextAreaComponent,
  type TextComponent,
} from 'obsidian';
import {
  serverIdentity,
  type HttpServer,
  type McpServer,
  type ServerStatus,
  type StdioServer,
} from '#model/mcp-server';
import { SerialQueue } from '#ports/serial-queue';
import { withInvisibleMarks } from '#text/invisible-characters';
import {
  LoadedValue,
  validatorOf,
  type SettingName,
  type SettingRow,
  type SettingRowDeps,
} from './setting-rows';

type Changes = Partial<Omit<StdioServer, 'kind'>> & Partial<Omit<HttpServer, 'kind'>>;

/** Part of the names of the server's tools. */
const MAX_NAME_CHARS = 60;
/** How many tools a test result names. */
const MAX_TOOL_NAMES = 30;

export class McpServerPages {
  readonly #deps: SettingRowDeps;
  readonly #statuses: LoadedValue<readonly (readonly [id: string, ServerStatus])[]>;
  readonly #changes = new SerialQueue();
  /** Result of the last test, by server id. */
  readonly #said = new Map<string, string>();
  /** The page that is open. Obsidian knows a page by its name, so that stays until it is closed. */
  #open: { readonly id: string; readonly name: string } | null = null;
  /** Renders the switch and what it starts, once their row is rendered. */
  #renderSwitch: () => void = () => undefined;

  constructor(deps: SettingRowDeps) {
    this.#deps = deps;
    const load = async () =>
      this.#servers.length === 0 ? [] : [...(await deps.agent.mcpServers.status())];
    this.#statuses = new LoadedValue([], load, deps.redraw);
  }

  /** Loads the current status of the servers. */
  look(): void {
    void this.#statuses.refresh();
  }

  list(): SettingDefinitionList<SettingName> {
    const servers = this.#servers;
    return {
      type: 'list',
      heading: settingsText.mcpServers,
      emptyState: settingsText.noMcpServers,
      items: this.#named(servers).map(({ server, name }) => this.#page(server, name)),
      addItem: {
        name: settingsText.addMcpServer,
        action: () => void this.#put([...this.#servers, newServer(this.#servers)], true),
      },
      onDelete: (index) => {
        // The current list: it may have changed since it was rendered.
        void this.#put(
          this.#servers.filter(({ id }) => id !== servers[index]?.id),
          true,
        );
      },
    };
  }

  get #servers(): readonly McpServer[] {
    return this.#deps.agent.settings.current().mcpServers;
  }

  #statusOf(id: string): ServerStatus | undefined {
    return this.#statuses.value.find(([each]) => each === id)?.[1];
  }

  /** Each with a name that no other page has. */
  #named(servers: readonly McpServer[]): { server: McpServer; name: string }[] {
    const open = this.#open;
    const taken = new Set(open ? [open.name] : []);
    return servers.map((server) => {
      if (open?.id === server.id) return { server, name: open.name };
      const plain = server.name.trim() === '' ? settingsText.unnamed : server.name;
      let name = plain;
      for (let count = 2; taken.has(name); count += 1)
        name = settingsText.numberedName(plain, count);
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
      displayValue: () => statusText(this.#statusOf(id)),
      status: () => (this.#statusOf(id)?.kind === 'down' ? 'warning' : null),
      items: this.#rows(id, name),
    };
  }

  /** The page is open while one of its rows is rendered; call the result when the row is removed. */
  #marksOpen(id: string, name: string): () => void {
    const page = { id, name };
    this.#open = page;
    return () => {
      // The row may be rendered again at once, on the same page.
      window.setTimeout(() => {
        if (this.#open !== page) return;
        this.#open = null;
        this.#deps.redraw();
      });
    };
  }

  #rows(id: string, pageName: string): SettingRow[] {
    return [
      {
        name: settingsText.serverName,
        desc: settingsText.serverNameDetail,
        render: (setting) => {
          this.#text(setting, id, 'name', (name) => ({ name: name.slice(0, MAX_NAME_CHARS) }));
          return this.#marksOpen(id, pageName);
        },
      },
      {
        name: settingsText.serverKind,
        desc: settingsText.serverKindDetail,
        aliases: ['stdio', 'HTTP', 'MCP'],
        render: (setting) => this.#kind(setting, id),
      },
      ...(this.#now(id)?.kind === 'http' ? this.#address(id) : this.#programRows(id)),
      {
        name: settingsText.enableServer,
        desc: settingsText.enableServerDetail,
        aliases: ['allow', 'trust', 'permission'],
        render: (setting) => this.#switch(setting, id),
      },
      {
        name: settingsText.test,
        desc: settingsText.testDetail,
        render: (setting) => this.#test(setting, id),
      },
    ];
  }

  #programRows(id: string): SettingRow[] {
    return [
      {
        name: settingsText.command,
        desc: settingsText.commandDetail,
        render: (setting) => this.#text(setting, id, 'command', (command) => ({ command }), 'npx'),
      },
      {
        name: settingsText.arguments_,
        desc: settingsText.argumentsDetail,
        render: (setting) =>
          this.#area(
            setting,
            id,
            (server) => (server.kind === 'stdio' ? server.args : []),
            (lines) => ({
              args: lines,
            }),
          ),
      },
      {
        name: settingsText.environment,
        desc: settingsText.environmentDetail,
        aliases: ['secret', 'token', 'env'],
        render: (setting) =>
          this.#area(
            setting,
            id,
            (server) =>
              server.kind === 'stdio'
                ? Object.entries(server.env).map(([name, value]) => `${name}=${value}`)
                : [],
            (lines) => ({ env: Object.fromEntries(lines.map(variable)) }),
          ),
      },
    ];
  }

  #address(id: string): SettingRow[] {
    return [
      {
        name: settingsText.address,
        desc: settingsText.addressDetail,
        aliases: ['URL'],
        render: (setting) =>
          this.#text(setting, id, 'url', (url) => ({ url: url.trim() }), 'https://example.com/mcp'),
      },
      {
        name: settingsText.serverToken,
        desc: settingsText.serverTokenDetail,
        aliases: ['key', 'secret', 'bearer'],
        render: (setting) => {
          const server = this.#now(id);
          new SecretComponent(this.#deps.app, setting.controlEl)
            .setValue(server?.kind === 'http' ? server.secret : '')
            .onChange((secret) => void this.#change(id, { secret }));
        },
      },
    ];
  }

  #kind(setting: Setting, id: string): void {
    setting.addDropdown((dropdown) => {
      dropdown
        .addOptions({ stdio: settingsText.local, http: settingsText.remote })
        .setValue(this.#now(id)?.kind ?? 'stdio')
        .onChange((kind) => {
          const others = this.#servers.map((each): McpServer => {
            if (each.id !== id) return each;
            const { name } = each;
            return kind === 'http'
              ? { id, name, enabled: false, kind: 'http', url: '', secret: '' }
              : { id, name, enabled: false, kind: 'stdio', command: '', args: [], env: {} };
          });
          void this.#put(others, true);
        });
    });
  }

  #text(
    setting: Setting,
    id: string,
    field: 'name' | 'command' | 'url',
    taken: (text: string) => Changes,
    placeholder = '',
  ): void {
    const server = this.#now(id);
    const shown = server && field in server ? (server[field as keyof McpServer] as string) : '';
    setting.addText((text) => {
      text.setPlaceholder(placeholder).setValue(shown);
      this.#onceTyped(text, setting, id, taken);
    });
  }

  #area(
    setting: Setting,
    id: string,
    shown: (server: McpServer) => readonly string[],
    taken: (lines: readonly string[]) => Changes,
  ): void {
    const server = this.#now(id);
    setting.settingEl.addClass('mod-textarea');
    setting.addTextArea((area) => {
      area.inputEl.rows = 3;
      area.setValue(server ? shown(server).join('\n') : '');
      this.#onceTyped(area, setting, id, (text) =>
        taken(text.split('\n').filter((line) => line.trim() !== '')),
      );
    });
  }

  /**
   * Saves when the field is left, not at each keystroke, because a changed command or address
   * switches the server off.
   */
  #onceTyped(
    field: TextComponent | TextAreaComponent,
    setting: Setting,
    id: string,
    taken: (text: string) => Changes,
  ): void {
    field.inputEl.addEventListener('change', () => {
      const next = this.#changedBy(id, taken(field.getValue()));
      const problem = validatorOf('mcpServers')(next) ?? null;
      setting.setErrorMessage(problem === null ? null : settingsText.invalidValue);
      if (problem === null) void this.#change(id, taken(field.getValue()), false);
    });
  }

  #switch(setting: Setting, id: string): void {
    const what = setting.descEl.createDiv({ cls: 'parley-server-what' });
    this.#renderSwitch = () => {
      what.empty();
      setting.controlEl.empty();
      const server = this.#now(id);
      const status = this.#statusOf(id);
      if (!server || !status) return;
      if (status.kind === 'incomplete') what.setText(status.reason);
      else what.createEl('code', { text: withInvisibleMarks(startedBy(server).join('\n')) });
      setting.addToggle((toggle) =>
        toggle.setValue(server.enabled).onChange((enabled) => void this.#change(id, { enabled })),
      );
    };
    this.#renderSwitch();
  }

  #test(setting: Setting, id: string): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    said.setText(this.#said.get(id) ?? '');
    setting.addButton((button) =>
      button.setButtonText(settingsText.test).onClick(async () => {
        button.setDisabled(true);
        said.setText(settingsText.starting);
        this.#said.set(id, testResultText(await this.#deps.agent.mcpServers.test(id)));
        await this.#statuses.load();
        this.#deps.redraw();
      }),
    );
  }

  /** Another command or address is used only after the user has switched it on. */
  #changedBy(id: string, changes: Changes): McpServer[] {
    return this.#servers.map((each) => {
      if (each.id !== id) return each;
      const next = { ...each, ...changes };
      return serverIdentity(next) === serverIdentity(each) ? next : { ...next, enabled: false };
    });
  }

  /** One change after the other: each is made to what the one before has saved. */
  #change(id: string, changes: Changes, redraws = true): Promise<void> {
    return this.#changes.run(() => this.#put(this.#changedBy(id, changes), redraws));
  }

  async #put(servers: readonly McpServer[], redraws: boolean): Promise<void> {
    this.#said.clear();
    await this.#deps.save('mcpServers', servers);
    await this.#statuses.load();
    // The next field may have the focus, so only render what depends on the change.
    if (redraws) this.#deps.redraw();
    else this.#renderSwitch();
  }

  #now(id: string): McpServer | undefined {
    return this.#servers.find((each) => each.id === id);
  }
}

function variable(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
}

export function testResultText(status: ServerStatus): string {
  switch (status.kind) {
    case 'up': {
      const { tools, left, omitted } = status;
      return settingsText.serverWorks(tools.slice(0, MAX_TOOL_NAMES), tools.length, left, omitted);
    }
    case 'down':
      return `${status.reason} ${status.words}`.trim();
    case 'incomplete':
      return status.reason;
    case 'off':
      return settingsText.serverIsOff;
    default:
      return settingsText.stillStarting;
  }
}

function statusText(status: ServerStatus | undefined): string {
  switch (status?.kind) {
    case undefined:
      return '';
    case 'off':
      return settingsText.statusOff;
    case 'incomplete':
      return settingsText.statusIncomplete;
    case 'idle':
      return settingsText.statusIdle;
    case 'starting':
      return settingsText.starting;
    case 'up':
      return status.tools.length === 1
        ? settingsText.oneTool
        : settingsText.toolCount(status.tools.length);
    case 'down':
      return settingsText.statusDown;
  }
}

/** A new server with a unique name, for the user to fill in. */
function newServer(others: readonly McpServer[]): McpServer {
  const names = others.map(({ name }) => name);
  let name = settingsText.newServer;
  for (let count = 2; names.includes(name); count += 1) name = settingsText.newServerNumber(count);
  return {
    ...{ id: `server-${crypto.randomUUID()}`, name, enabled: false },
    ...{ kind: 'stdio', command: '', args: [], env: {} },
  };
}
