/**
 * The settings page of an MCP server: its form, the approval on this device, and a test. Loaded
 * when the first page is shown.
 */
import {
  SecretComponent,
  type App,
  type Setting,
  type TextAreaComponent,
  type TextComponent,
} from 'obsidian';
import type { HttpServer, StdioServer, ServerStatus, McpServer } from '#model/mcp-server';
import type { Agent } from '#ports/app/agent';
import { problemOf, type SettingName, type SettingRow } from './setting-rows';

/** Validates and saves a setting. */
export type SaveServerSetting = (name: SettingName, value: unknown) => Promise<void>;
export type McpSettingsAgent = Pick<Agent, 'settings' | 'mcpServers'>;
type Changes = Partial<Omit<StdioServer, 'kind'>> & Partial<Omit<HttpServer, 'kind'>>;

/** Part of the names of the server's tools. */
const MAX_NAME_CHARS = 60;
/** How many tools a test result names. */
const MAX_TOOL_NAMES = 30;

/** What the pages need from the list of servers. */
export interface ServerListView {
  statusOf(id: string): ServerStatus | undefined;
  /** Loads the current status of the servers. */
  read(): Promise<void>;
  /** Like `read`, and also renders the list and pages again. */
  renew(): Promise<void>;
}

export class McpServerPages {
  readonly #app: App;
  readonly #agent: McpSettingsAgent;
  readonly #keep: SaveServerSetting;
  readonly #shown: ServerListView;
  /** Result of the last test, by server id. */
  readonly #said = new Map<string, string>();
  /** Renders what the user is asked to allow, once its row is rendered. */
  #renderApproval: () => void = () => undefined;

  constructor(app: App, agent: McpSettingsAgent, keep: SaveServerSetting, shown: ServerListView) {
    this.#app = app;
    this.#agent = agent;
    this.#keep = keep;
    this.#shown = shown;
  }

  /** Short status of a server. */
  words(id: string): string {
    return statusText(this.#shown.statusOf(id));
  }

  rows(id: string): SettingRow[] {
    const kind = () => this.#now(id)?.kind;
    const programs = this.#programRows(id).map((row) => ({
      ...row,
      visible: () => kind() === 'stdio',
    }));
    const addresses = this.#address(id).map((row) => ({
      ...row,
      visible: () => kind() === 'http',
    }));
    return [
      {
        name: 'Use this server',
        desc: 'When off it is not started, and its tools are not there.',
        render: (setting) => this.#toggle(setting, id),
      },
      {
        name: 'Name',
        desc: 'What the names of its tools begin with.',
        render: (setting) =>
          this.#text(setting, id, 'name', (name) => ({ name: name.slice(0, MAX_NAME_CHARS) })),
      },
      {
        name: 'Kind',
        desc: 'A program is started by Parley with your rights on this computer. An address is spoken to over the network.',
        aliases: ['stdio', 'HTTP', 'MCP'],
        render: (setting) => this.#kind(setting, id),
      },
      ...programs,
      ...addresses,
      {
        name: 'Your yes on this device',
        desc: 'Settings may come here from other devices. A server is used only after you have said yes to it here, and anew when its command, variables or address are others.',
        aliases: ['allow', 'trust', 'permission'],
        render: (setting) => this.#allow(setting, id),
      },
      {
        name: 'Test',
        desc: 'Starts it anew and asks what it offers.',
        render: (setting) => this.#test(setting, id),
      },
    ];
  }

  #programRows(id: string): SettingRow[] {
    return [
      {
        name: 'Command',
        desc: 'The program, such as npx, or the whole path to it.',
        render: (setting) => this.#text(setting, id, 'command', (command) => ({ command }), 'npx'),
      },
      {
        name: 'Arguments',
        desc: 'One a line, without quotes.',
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
        name: 'Environment variables',
        desc: 'One a line, as NAME=value. For a secret write NAME={{name-of-the-secret}}: it is taken from the secret storage of this computer and is not among the settings.',
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
        name: 'Address',
        desc: 'Of its streamable HTTP endpoint.',
        aliases: ['URL'],
        render: (setting) =>
          this.#text(setting, id, 'url', (url) => ({ url: url.trim() }), 'https://example.com/mcp'),
      },
      {
        name: 'Token',
        desc: 'If the server wants one. Kept in the secret storage of this computer and sent to this address only.',
        aliases: ['key', 'secret', 'bearer'],
        render: (setting) => {
          const server = this.#now(id);
          new SecretComponent(this.#app, setting.controlEl)
            .setValue(server?.kind === 'http' ? server.secret : '')
            .onChange((secret) => void this.#change(id, { secret }));
        },
      },
    ];
  }

  #toggle(setting: Setting, id: string): void {
    setting.addToggle((toggle) => {
      toggle
        .setValue(this.#now(id)?.enabled ?? false)
        .onChange((enabled) => void this.#change(id, { enabled }));
    });
  }

  #kind(setting: Setting, id: string): void {
    setting.addDropdown((dropdown) => {
      dropdown
        .addOptions({ stdio: 'Program', http: 'Address' })
        .setValue(this.#now(id)?.kind ?? 'stdio')
        .onChange((kind) => {
          const others = this.#agent.settings.current().mcpServers.map((each): McpServer => {
            if (each.id !== id) return each;
            const { name, enabled } = each;
            return kind === 'http'
              ? { id, name, enabled, kind: 'http', url: '', secret: '' }
              : { id, name, enabled, kind: 'stdio', command: '', args: [], env: {} };
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
   * Saves when the field is left, not at each keystroke, because every change of a server needs a
   * new approval.
   */
  #onceTyped(
    field: TextComponent | TextAreaComponent,
    setting: Setting,
    id: string,
    taken: (text: string) => Changes,
  ): void {
    field.inputEl.addEventListener('change', () => {
      const next = this.#changedBy(id, taken(field.getValue()));
      const problem = problemOf('mcpServers')(next) ?? null;
      setting.setErrorMessage(problem === null ? null : 'This can’t be taken as it is written.');
      if (problem === null) void this.#put(next, false);
    });
  }

  #allow(setting: Setting, id: string): void {
    const what = setting.descEl.createDiv({ cls: 'parley-server-what' });
    this.#renderApproval = () => {
      what.empty();
      setting.controlEl.empty();
      const server = this.#now(id);
      const status = this.#shown.statusOf(id);
      if (!server || !status) return;
      if (status.kind === 'incomplete') return what.setText(status.fault);
      what.createEl('code', { text: allowedOf(server) });
      if (status.kind === 'asks') this.#askApproval(setting, server);
      else if (server.enabled) what.createDiv({ text: 'You have said yes to this here.' });
    };
    this.#renderApproval();
  }

  #askApproval(setting: Setting, server: McpServer): void {
    setting.addButton((button) =>
      button
        .setButtonText(server.kind === 'stdio' ? 'Allow it to run here' : 'Allow it here')
        .setCta()
        .onClick(async () => {
          await this.#agent.mcpServers.allow(server);
          await this.#shown.renew();
        }),
    );
  }

  #test(setting: Setting, id: string): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    said.setText(this.#said.get(id) ?? '');
    setting.addButton((button) =>
      button.setButtonText('Test').onClick(async () => {
        button.setDisabled(true);
        said.setText('Starting it…');
        this.#said.set(id, testResultText(await this.#agent.mcpServers.test(id)));
        await this.#shown.renew();
      }),
    );
  }

  #changedBy(id: string, changes: Changes): McpServer[] {
    return this.#agent.settings
      .current()
      .mcpServers.map((each) => (each.id === id ? { ...each, ...changes } : each));
  }

  #change(id: string, changes: Changes): Promise<void> {
    return this.#put(this.#changedBy(id, changes), true);
  }

  async #put(servers: readonly McpServer[], redraws: boolean): Promise<void> {
    this.#said.clear();
    await this.#keep('mcpServers', servers);
    if (redraws) return this.#shown.renew();
    // The next field may have the focus, so only render what depends on the change.
    await this.#shown.read();
    this.#renderApproval();
  }

  #now(id: string): McpServer | undefined {
    return this.#agent.settings.current().mcpServers.find((each) => each.id === id);
  }
}

function variable(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
}

export function commandLine({ command, args }: StdioServer): string {
  return [command, ...args]
    .map((part) => (/[\s"']/.test(part) ? JSON.stringify(part) : part))
    .join(' ');
}

/**
 * Everything that the approval covers: a command with its arguments and variables, or a URL with
 * its token.
 */
function allowedOf(server: McpServer): string {
  if (server.kind === 'http') {
    const { url, secret } = server;
    return secret === '' ? plain(url) : `${plain(url)}\nAuthorization: Bearer {{${plain(secret)}}}`;
  }
  const variables = Object.entries(server.env).map(([name, value]) => `${name}=${plain(value)}`);
  // One line each, so that no value can pose as another.
  return [...variables, plain(server.command), ...server.args.map(plain)].join('\n');
}

/** Escapes invisible characters and those that change the text direction. */
function plain(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

export function testResultText(status: ServerStatus): string {
  switch (status.kind) {
    case 'up': {
      const { tools, left, omitted } = status;
      const lacking =
        left === 0
          ? ''
          : ` It has at least ${left} more, which can’t be used: too many, too large, or without a name of 1 to 128 characters.`;
      if (tools.length === 0) return `It works, and offers no tools.${lacking}`;
      const more =
        tools.length > MAX_TOOL_NAMES ? ` and ${tools.length - MAX_TOOL_NAMES} more` : '';
      const much =
        omitted === undefined
          ? ''
          : ` It says more of them than a chat can bear: models are told ${omitted}.`;
      return `It works and offers ${tools.length === 1 ? 'one tool' : `${tools.length} tools`}: ${tools.slice(0, MAX_TOOL_NAMES).join(', ')}${more}.${lacking}${much} New chats have them; they ask until you allow them under Permissions.`;
    }
    case 'down':
      return `${status.why} ${status.words}`.trim();
    case 'incomplete':
      return status.fault;
    case 'asks':
      return 'It was not started: say yes to it first.';
    case 'off':
      return 'It was not started: it is off.';
    default:
      return 'It is still starting.';
  }
}

function statusText(status: ServerStatus | undefined): string {
  switch (status?.kind) {
    case undefined:
      return '';
    case 'off':
      return 'Off';
    case 'incomplete':
      return 'Incomplete';
    case 'asks':
      return 'Waits for your yes';
    case 'idle':
      return 'Starts when needed';
    case 'starting':
      return 'Starting…';
    case 'up':
      return status.tools.length === 1 ? '1 tool' : `${status.tools.length} tools`;
    case 'down':
      return 'Down';
  }
}

/** A new server with a unique name, for the user to fill in. */
export function newServer(others: readonly McpServer[]): McpServer {
  const names = others.map(({ name }) => name);
  let name = 'New server';
  for (let count = 2; names.includes(name); count += 1) name = `New server ${count}`;
  return {
    ...{ id: `server-${crypto.randomUUID()}`, name, enabled: true },
    ...{ kind: 'stdio', command: '', args: [], env: {} },
  };
}
