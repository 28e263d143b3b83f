/** Parley's settings tab: rows and pages. Defaults and validation are in the model. */
import {
  PluginSettingTab,
  SecretComponent,
  type App,
  type Plugin,
  type Setting,
  type SettingDefinitionItem,
} from 'obsidian';
import { attachmentName } from '#model/attachment';
import { type Mode, ANTHROPIC_ENDPOINT } from '#model/settings';
import type { Agent } from '#ports/app/agent';
import type { ConnectionCheck } from '#ports/app/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import type { Ui } from '#ports/ui';
import { commandGroup, PermissionSettings } from './permission-settings';
import { FolderSettings } from './folder-settings';
import { hostCommands } from '../host-ui';
import { SemanticSearchSettings, settingsForProvider, webSettings } from './search-settings';
import {
  numberRow,
  problemOf,
  type SettingName,
  type SettingRow,
  linesProblem,
  shownValue,
  parseValue,
} from './setting-rows';
import { McpServerList } from './mcp-server-list';
import { McpServerSettings } from './mcp-client-settings';
import { SmartHoleSettings } from './smarthole-settings';

export class ParleySettingsTab extends PluginSettingTab {
  override icon = 'messages-square';
  readonly #agent: Agent;
  readonly #notice: Ui['notice'];
  readonly #changed: () => void;
  readonly #smartHole: SmartHoleSettings;
  readonly #permissions: PermissionSettings;
  readonly #folders: FolderSettings;
  readonly #semanticSearch: SemanticSearchSettings;
  readonly #servers: McpServerList;
  readonly #mcpServer: McpServerSettings;
  #models: readonly ModelInfo[] = [];
  #asked = false;

  /** @param changed called after every saved change */
  constructor(app: App, plugin: Plugin, agent: Agent, ui: Pick<Ui, 'notice'>, changed: () => void) {
    super(app, plugin);
    this.#agent = agent;
    this.#notice = ui.notice;
    this.#changed = changed;
    const keep = (name: SettingName, value: unknown) => this.setControlValue(name, value);
    this.#smartHole = new SmartHoleSettings(agent, keep);
    this.#permissions = new PermissionSettings(agent, keep, () => this.update());
    this.#folders = new FolderSettings(agent, () => this.update());
    this.#semanticSearch = new SemanticSearchSettings(app, agent, keep);
    this.#servers = new McpServerList(app, agent, keep, () => this.update());
    this.#mcpServer = new McpServerSettings(agent.mcpServer, ui.notice);
  }

  /**
   * Shows settings that came from another device, unless that would discard what the user is
   * typing.
   */
  reloaded(): void {
    const typed = activeDocument.querySelector('.modal input:focus, .modal textarea:focus');
    if (!typed) this.update();
  }

  override getControlValue(key: string): unknown {
    return shownValue(key as SettingName, this.#agent.settings.current());
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const changes: Record<string, unknown> = { [key]: parseValue(key as SettingName, value) };
    if (
      key === 'endpoint' &&
      !isAnthropic(value) &&
      !this.#agent.settings.current().compatibility
    ) {
      changes['compatibility'] = true;
      this.#notice(
        'Compatibility is on now: this endpoint is not Anthropic’s. Requests leave out thinking and cache marks.',
      );
    }
    if (key === 'searchProvider')
      Object.assign(changes, settingsForProvider(value, this.#agent.settings.current()));
    const asked = await this.#agent.settings.set(changes);
    if (!asked.ok) this.#notice(asked.problem);
    this.#changed();
    this.#smartHole.settingsChanged();
    if (REDRAWN.has(key)) this.update();
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const keep = (name: SettingName, value: string) => this.setControlValue(name, value);
    return [
      {
        type: 'group',
        heading: 'Model',
        items: [this.#key(), this.#model(), ...this.#connection()],
      },
      { type: 'group', heading: 'Your notes', items: this.#notes() },
      ...this.#presets(),
      ...this.#folders.groups(),
      { type: 'group', heading: 'Editing', items: this.#editing() },
      {
        type: 'page',
        name: 'Permissions',
        desc: 'What the agent may do by itself, what it asks for, and what it never gets to see.',
        items: [
          ...this.#permissions.groups(),
          commandGroup(this.#agent.settings.current().commands, hostCommands(this.app)),
        ],
      },
      this.#servers.list(),
      { type: 'group', heading: 'SmartHole', items: this.#smartHole.rows() },
      { type: 'group', heading: 'Conversations', items: this.#conversations() },
      { type: 'group', heading: 'Limits', items: this.#limits() },
      { type: 'group', heading: 'Search', items: this.#semanticSearch.rows() },
      { type: 'group', heading: 'Web', items: webSettings(this.app, this.#agent, keep) },
      { type: 'group', heading: 'Other programs', items: this.#mcpServer.rows(MODE_WORDS) },
    ];
  }

  #key(): SettingRow {
    return {
      name: 'API key',
      desc: 'From console.anthropic.com. Kept in the secret storage of this computer and sent to the endpoint only.',
      aliases: ['token', 'secret', 'Claude', 'Anthropic'],
      render: (setting) => this.#renderKey(setting),
    };
  }

  #renderKey(setting: Setting): void {
    this.#look();
    const secret = new SecretComponent(this.app, setting.controlEl);
    secret.setValue(this.#agent.settings.current().apiKeyName).onChange((name) => {
      void this.setControlValue('apiKeyName', name);
    });
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) =>
      button.setButtonText('Check').onClick(async () => {
        button.setDisabled(true);
        said.setText('Checking…');
        try {
          said.setText(verdictWords(await this.#agent.settings.checkConnection()));
        } finally {
          button.setDisabled(false);
        }
        this.#changed();
      }),
    );
  }

  #renderExport(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) =>
      button.setButtonText('Export').onClick(async () => {
        button.setDisabled(true);
        try {
          const asked = await this.#agent.conversations.export('all');
          said.setText(
            asked.ok ? `Written: ${asked.notes} notes, the first ${asked.note}.` : asked.problem,
          );
        } finally {
          button.setDisabled(false);
        }
      }),
    );
  }

  #model(): SettingRow {
    const { model } = this.#agent.settings.current();
    const options: Record<string, string> = Object.fromEntries(
      this.#models.map(({ id, name, deprecated, retires }) => [
        id,
        deprecated ? `${name} (retiring${retires ? ` ${retires}` : ''})` : name,
      ]),
    );
    options[model] ??= model;
    const { compatibility } = this.#agent.settings.current();
    const row = {
      name: 'Model',
      desc: 'Answers in new turns.',
      aliases: ['Haiku', 'Sonnet', 'Opus'],
    };
    // Self-hosted servers rarely list their models, so the user types the name there.
    return compatibility
      ? { ...row, control: { type: 'text', key: 'model', validate: problemOf('model') } }
      : { ...row, control: { type: 'dropdown', key: 'model', options } };
  }

  /**
   * Loads what the rows need from requests or lazy code. Called when a row is rendered, not when
   * definitions are read: Obsidian reads those at every start to search settings.
   */
  #look(): void {
    this.#permissions.look();
    this.#servers.look();
    if (this.#asked) return;
    this.#asked = true;
    void this.#agent.settings.models().then((models) => {
      this.#models = models;
      this.update();
    });
  }

  #connection(): SettingRow[] {
    return [
      {
        name: 'Thinking',
        desc: 'Lets models that can think before they answer. Costs tokens and time, and helps with longer tasks.',
        control: {
          type: 'dropdown',
          key: 'thinking',
          options: { auto: 'As the model permits', off: 'Off' },
        },
      },
      {
        name: 'Endpoint',
        desc: 'Where requests go, without /v1. Another one than Anthropic’s turns compatibility on.',
        aliases: ['URL', 'server', 'Ollama', 'LM Studio', 'LiteLLM', 'proxy'],
        control: {
          type: 'text',
          key: 'endpoint',
          placeholder: ANTHROPIC_ENDPOINT,
          validate: problemOf('endpoint'),
        },
      },
      {
        name: 'Compatibility',
        desc: 'For servers that speak an older form of the API, such as Ollama, LM Studio and LiteLLM: no thinking, no cache marks, no key needed.',
        control: { type: 'toggle', key: 'compatibility' },
      },
    ];
  }

  #notes(): SettingRow[] {
    return [
      {
        name: 'Information architecture',
        desc: 'How this vault is organized, for new conversations: where which notes go.',
        aliases: ['folders', 'structure'],
        control: {
          type: 'textarea',
          key: 'vaultOrganization',
          rows: 10,
          validate: problemOf('vaultOrganization'),
        },
      },
      {
        name: 'Instructions',
        desc: 'What the agent should always keep in mind. A note called AGENTS.md in the vault’s root is read as well.',
        control: {
          type: 'textarea',
          key: 'instructions',
          rows: 6,
          validate: problemOf('instructions'),
        },
      },
    ];
  }

  /** Presets are made in the composer; here the user sees and removes them. */
  #presets(): SettingDefinitionItem[] {
    const { contextPresets } = this.#agent.settings.current();
    if (contextPresets.length === 0) return [];
    const items = contextPresets.map(({ name, attachments }): SettingRow => ({
      name,
      desc: attachments.map(attachmentName).join(', '),
      aliases: ['context', 'attach'],
      render: (setting) => {
        setting.addButton((button) =>
          button.setButtonText('Remove').onClick(async () => {
            const all = this.#agent.settings.current().contextPresets;
            const kept = all.filter((each) => each.name !== name);
            await this.setControlValue('contextPresets', kept);
            this.update();
          }),
        );
      },
    }));
    return [{ type: 'group', heading: 'Context presets', items }];
  }

  #editing(): SettingRow[] {
    return [
      {
        name: 'Mode for typed requests',
        desc: 'While you have not set another in a chat. Review proposes changes in the notes, Apply makes them at once, undoable.',
        aliases: ['review', 'apply', 'read only'],
        control: { type: 'dropdown', key: 'panelMode', options: MODE_WORDS },
      },
      {
        name: 'Mode for spoken requests',
        desc: 'The same for what SmartHole delivers.',
        aliases: ['review', 'apply', 'read only', 'voice'],
        control: { type: 'dropdown', key: 'smartHoleMode', options: MODE_WORDS },
      },
      {
        name: 'Tag of proposed edits',
        desc: 'Stands below each edit that waits in a note, so that you can search for it. Edits with another tag are found all the same.',
        aliases: ['review', 'ai_edit'],
        control: {
          type: 'text',
          key: 'proposalTag',
          placeholder: 'ai_edit',
          validate: problemOf('proposalTag'),
        },
      },
      numberRow(
        'changeLogMegabytes',
        'Size of the change ledger',
        'Megabytes of texts and deleted files that are kept so that changes can be undone. Beyond that the oldest go; what waits for you stays.',
        ['undo', 'history', 'storage'],
      ),
    ];
  }

  #conversations(): SettingRow[] {
    return [
      numberRow(
        'idleMinutes',
        'Idle minutes',
        'After so long a silence a conversation ends, and the next request begins a new one.',
      ),
      numberRow(
        'conversationsKept',
        'Conversations kept',
        'How many ended conversations are kept. Beyond that the oldest go; pinned ones stay. Those of programs’ calls are counted apart, up to 200.',
      ),
      numberRow(
        'questionTimeoutMinutes',
        'Question timeout',
        'Minutes that a question or a decision waits for you before its turn ends.',
      ),
      {
        name: 'Notifications',
        desc: 'The system tells you when a request you typed has ended or asks you something, while another program is in front.',
        aliases: ['notify', 'desktop', 'background'],
        control: { type: 'toggle', key: 'notifications' },
      },
      {
        name: 'Export all conversations',
        desc: 'They lie in the plugin’s own folder, and removing Parley removes it. This writes each of them into a note, in a new folder.',
        aliases: ['backup', 'uninstall', 'remove', 'history'],
        render: (setting) => this.#renderExport(setting),
      },
    ];
  }

  #limits(): SettingRow[] {
    return [
      numberRow('stepsPerTurn', 'Steps per turn', 'Model calls for one request, from 5 to 50.'),
      numberRow(
        'tokensPerTurn',
        'Tokens per turn',
        'Input that was not read from a cache, plus output. A turn that reaches it says so and can be continued.',
      ),
      numberRow(
        'moneyPerTurn',
        'Money per turn',
        'US dollars that one request may cost; 0 for no limit. Does not apply where the price of the model is not known.',
        ['cost', 'budget', 'price'],
      ),
      numberRow(
        'moneyPerDay',
        'Money per day',
        'US dollars that all requests of a day may cost; 0 for no limit. Does not apply where the price of the model is not known.',
        ['cost', 'budget', 'price'],
      ),
      {
        name: 'Prices',
        desc: 'Of models whose price is not known, or is another for you: one a line, as the model’s id, then US dollars for a million tokens of input, of output, and if you like of reading from and writing to the cache. For example: my-model 3 15 0.3 3.75',
        aliases: ['cost', 'money', 'usage', 'tokens'],
        control: { type: 'textarea', key: 'prices', rows: 3, validate: linesProblem('prices') },
      },
      numberRow(
        'tokenWarning',
        'Question before long messages',
        'A message that would send more tokens than this, with all that is attached, asks first. The count is an estimate.',
        ['context', 'attach', 'warning'],
      ),
      numberRow(
        'stallSeconds',
        'Stalled stream',
        'Seconds without a byte after which an answer counts as broken off.',
      ),
    ];
  }
}

/** Settings that affect other rows. */
const REDRAWN: ReadonlySet<string> = new Set([
  'endpoint',
  'disabledAgents',
  'customToolFolder',
  'commands',
  'searchProvider',
]);

const MODE_WORDS: Record<Mode, string> = {
  'read-only': 'Read only',
  review: 'Review',
  apply: 'Apply',
};

function verdictWords(verdict: ConnectionCheck): string {
  const way =
    verdict.transport === 'node' ? 'directly' : 'through the window, with the system’s proxy';
  if (!verdict.ok) return `${verdict.failure.sentence} ${verdict.failure.next}`;
  return verdict.models === 0
    ? `It works, connected ${way}. The server lists no models.`
    : `It works, connected ${way}. ${verdict.models} models can be used.`;
}

function isAnthropic(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    new URL(value).origin === new URL(ANTHROPIC_ENDPOINT).origin
  );
}
