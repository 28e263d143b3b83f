/** The tool servers of the settings: a list, and a page for each with what it is, the yes of this device, and a test. */
import {
  SecretComponent,
  type App,
  type Setting,
  type SettingDefinitionList,
  type SettingDefinitionPage,
  type TextAreaComponent,
  type TextComponent,
} from 'obsidian';
import {
  type AddressServer,
  type ProgramServer,
  type ServerStanding,
  type ToolServer,
} from '#model/tool-server';
import type { Agent } from '#ports/agent';
import { problemOf, type Name, type Row } from './setting-rows';

type Keep = (name: Name, value: unknown) => Promise<void>;
type Asked = Pick<Agent, 'settings' | 'toolServers'>;
type Changes = Partial<Omit<ProgramServer, 'kind'>> & Partial<Omit<AddressServer, 'kind'>>;

/** In the names of its tools. */
const LONGEST_NAME = 60;

export class ServerRows {
  readonly #app: App;
  readonly #agent: Asked;
  readonly #keep: Keep;
  readonly #changed: () => void;
  #standing: ReadonlyMap<string, ServerStanding> = new Map();
  /** What a test said last, by server. */
  readonly #said = new Map<string, string>();

  /** @param changed told when there are other rows */
  constructor(app: App, agent: Asked, keep: Keep, changed: () => void) {
    this.#app = app;
    this.#agent = agent;
    this.#keep = keep;
    this.#changed = changed;
  }

  list(): SettingDefinitionList<Name> {
    const servers = this.#agent.settings().toolServers;
    return {
      type: 'list',
      heading: 'Tool servers',
      emptyState:
        'None. Servers of the Model Context Protocol give the agent more tools: programs on this computer, or services at an address. What they do happens outside of Parley, so their tools ask until you allow them.',
      items: servers.map((server) => this.#page(server)),
      addItem: { name: 'Add tool server', action: () => void this.#add() },
      onDelete: (index) =>
        void this.#put(
          servers.filter((_, at) => at !== index),
          true,
        ),
    };
  }

  #page(server: ToolServer): SettingDefinitionPage<Name> {
    const { id, name } = server;
    const kind = () => this.#now(id)?.kind;
    const programs = this.#program(id).map((row) => ({
      ...row,
      visible: () => kind() === 'stdio',
    }));
    const addresses = this.#address(id).map((row) => ({
      ...row,
      visible: () => kind() === 'http',
    }));
    return {
      type: 'page',
      name: name.trim() === '' ? 'Without a name' : name,
      desc: server.kind === 'stdio' ? commandLine(server) : server.url,
      displayValue: () => {
        this.#look();
        return standingWords(this.#standingOf(id));
      },
      status: () =>
        ['asks', 'down'].includes(this.#standingOf(id)?.kind ?? '') ? 'warning' : null,
      items: [
        {
          name: 'Use this server',
          desc: 'When off it is not started, and its tools are not there.',
          render: (setting) => this.#toggle(setting, id),
        },
        {
          name: 'Name',
          desc: 'What the names of its tools begin with.',
          render: (setting) =>
            this.#text(setting, id, 'name', (name) => ({ name: name.slice(0, LONGEST_NAME) })),
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
      ],
    };
  }

  #program(id: string): Row[] {
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

  #address(id: string): Row[] {
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
    this.#look();
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
          const others = this.#agent.settings().toolServers.map((each): ToolServer => {
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
    const shown = server && field in server ? (server[field as keyof ToolServer] as string) : '';
    setting.addText((text) => {
      text.setPlaceholder(placeholder).setValue(shown);
      this.#onceTyped(text, setting, id, taken);
    });
  }

  #area(
    setting: Setting,
    id: string,
    shown: (server: ToolServer) => readonly string[],
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

  /** Not at each letter: a server that is another by each is another to be asked for. */
  #onceTyped(
    field: TextComponent | TextAreaComponent,
    setting: Setting,
    id: string,
    taken: (text: string) => Changes,
  ): void {
    field.inputEl.addEventListener('change', () => {
      const next = this.#changedBy(id, taken(field.getValue()));
      const problem = problemOf('toolServers')(next) ?? null;
      setting.setErrorMessage(problem === null ? null : 'This can’t be taken as it is written.');
      if (problem === null) void this.#put(next, false);
    });
  }

  #allow(setting: Setting, id: string): void {
    const server = this.#now(id);
    const standing = this.#standingOf(id);
    if (!server || !standing) return;
    const what = setting.descEl.createDiv({ cls: 'parley-server-what' });
    if (standing.kind === 'incomplete') return what.setText(standing.fault);
    what.createEl('code', { text: server.kind === 'stdio' ? wholeCommand(server) : server.url });
    if (standing.kind !== 'asks') {
      const words = server.enabled ? 'You have said yes to this here.' : '';
      setting.descEl.createDiv({ text: words });
      return;
    }
    setting.addButton((button) =>
      button
        .setButtonText(server.kind === 'stdio' ? 'Allow it to run here' : 'Allow it here')
        .setCta()
        .onClick(async () => {
          await this.#agent.toolServers.allow(id);
          await this.#read();
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
        this.#said.set(id, verdictWords(await this.#agent.toolServers.test(id)));
        await this.#read();
      }),
    );
  }

  async #add(): Promise<void> {
    const others = this.#agent.settings().toolServers;
    const names = others.map(({ name }) => name);
    let name = 'New server';
    for (let count = 2; names.includes(name); count += 1) name = `New server ${count}`;
    const id = `server-${crypto.randomUUID()}`;
    const fresh: ToolServer = {
      ...{ id, name, enabled: true },
      ...{ kind: 'stdio', command: '', args: [], env: {} },
    };
    await this.#put([...others, fresh], true);
  }

  #changedBy(id: string, changes: Changes): ToolServer[] {
    return this.#agent
      .settings()
      .toolServers.map((each) => (each.id === id ? { ...each, ...changes } : each));
  }

  #change(id: string, changes: Changes): Promise<void> {
    return this.#put(this.#changedBy(id, changes), true);
  }

  async #put(servers: readonly ToolServer[], redraws: boolean): Promise<void> {
    this.#said.clear();
    await this.#keep('toolServers', servers);
    await this.#read(redraws);
  }

  #now(id: string): ToolServer | undefined {
    return this.#agent.settings().toolServers.find((each) => each.id === id);
  }

  #standingOf(id: string): ServerStanding | undefined {
    return this.#standing.get(id);
  }

  /** Not before the rows are drawn: the definitions alone are asked for at every start, for the search. */
  #look(): void {
    const before = JSON.stringify([...this.#standing]);
    void this.#agent.toolServers.standing().then((standing) => {
      if (JSON.stringify([...standing]) === before) return;
      this.#standing = standing;
      this.#changed();
    });
  }

  async #read(redraws = true): Promise<void> {
    this.#standing = await this.#agent.toolServers.standing();
    if (redraws) this.#changed();
  }
}

function variable(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
}

function commandLine({ command, args }: ProgramServer): string {
  return [command, ...args]
    .map((part) => (/[\s"']/.test(part) ? JSON.stringify(part) : part))
    .join(' ');
}

/** All that is said yes to. */
function wholeCommand(server: ProgramServer): string {
  const variables = Object.entries(server.env).map(([name, value]) => `${name}=${value}`);
  return [...variables, commandLine(server)].join(' ');
}

function standingWords(standing: ServerStanding | undefined): string {
  switch (standing?.kind) {
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
      return standing.tools.length === 1 ? '1 tool' : `${standing.tools.length} tools`;
    case 'down':
      return 'Down';
  }
}

function verdictWords(standing: ServerStanding): string {
  switch (standing.kind) {
    case 'up': {
      const { tools } = standing;
      if (tools.length === 0) return 'It works, and offers no tools.';
      return `It works and offers ${tools.length === 1 ? 'one tool' : `${tools.length} tools`}: ${tools.join(', ')}. New chats have them; they ask until you allow them under Permissions.`;
    }
    case 'down':
      return standing.why;
    case 'incomplete':
      return standing.fault;
    case 'asks':
      return 'It was not started: say yes to it first.';
    case 'off':
      return 'It was not started: it is off.';
    default:
      return 'It is still starting.';
  }
}
