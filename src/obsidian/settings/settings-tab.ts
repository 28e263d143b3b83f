/** Parley's settings tab: rows and pages. Defaults and validation are in the model. */
import * as t from '#model/messages/settings-messages';
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
import { SMARTHOLE_SEEN } from '#model/smarthole-status';
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
  readonly #voiceTurnedOn: () => void;
  #models: readonly ModelInfo[] = [];
  #asked = false;

  /** @param changed called after every saved change */
  constructor(
    app: App,
    plugin: Plugin,
    agent: Agent,
    ui: Pick<Ui, 'notice' | 'setSeen'>,
    changed: () => void,
  ) {
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
    this.#voiceTurnedOn = () => ui.setSeen(SMARTHOLE_SEEN);
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
      this.#notice(t.compatibilityTurnedOn);
    }
    if (key === 'searchProvider')
      Object.assign(changes, settingsForProvider(value, this.#agent.settings.current()));
    if (key === 'smartHole' && value === true) this.#voiceTurnedOn();
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
        heading: t.model,
        items: [this.#key(), this.#model(), ...this.#connection()],
      },
      { type: 'group', heading: t.yourNotes, items: this.#notes() },
      ...this.#presets(),
      ...this.#folders.groups(),
      { type: 'group', heading: t.editing, items: this.#editing() },
      {
        type: 'page',
        name: t.permissions,
        desc: t.permissionsDetail,
        items: [
          ...this.#permissions.groups(),
          commandGroup(this.#agent.settings.current().commands, hostCommands(this.app)),
        ],
      },
      this.#servers.list(),
      { type: 'group', heading: 'SmartHole', items: this.#smartHole.rows() },
      { type: 'group', heading: t.conversations, items: this.#conversations() },
      { type: 'group', heading: t.limits, items: this.#limits() },
      { type: 'group', heading: t.search, items: this.#semanticSearch.rows() },
      { type: 'group', heading: t.web, items: webSettings(this.app, this.#agent, keep) },
      { type: 'group', heading: t.externalApps, items: this.#mcpServer.rows(MODE_WORDS) },
    ];
  }

  #key(): SettingRow {
    return {
      name: t.apiKey,
      desc: t.apiKeyDetail,
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
      button.setButtonText(t.check).onClick(async () => {
        button.setDisabled(true);
        said.setText(t.checking);
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
      button.setButtonText(t.export_).onClick(async () => {
        button.setDisabled(true);
        try {
          const asked = await this.#agent.conversations.export('all');
          said.setText(asked.ok ? t.exported(asked.notes, asked.note) : asked.problem);
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
      name: t.model,
      desc: t.modelDetail,
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
        name: t.thinking,
        desc: t.thinkingDetail,
        control: {
          type: 'dropdown',
          key: 'thinking',
          options: { auto: t.thinkingAuto, off: t.thinkingOff },
        },
      },
      {
        name: t.endpoint,
        desc: t.endpointDetail,
        aliases: ['URL', 'server', 'Ollama', 'LM Studio', 'LiteLLM', 'proxy'],
        control: {
          type: 'text',
          key: 'endpoint',
          placeholder: ANTHROPIC_ENDPOINT,
          validate: problemOf('endpoint'),
        },
      },
      {
        name: t.compatibility,
        desc: t.compatibilityDetail,
        control: { type: 'toggle', key: 'compatibility' },
      },
    ];
  }

  #notes(): SettingRow[] {
    return [
      {
        name: t.vaultOrganization,
        desc: t.vaultOrganizationDetail,
        aliases: ['folders', 'structure'],
        control: {
          type: 'textarea',
          key: 'vaultOrganization',
          rows: 10,
          validate: problemOf('vaultOrganization'),
        },
      },
      {
        name: t.instructions,
        desc: t.instructionsDetail,
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
          button.setButtonText(t.remove).onClick(async () => {
            const all = this.#agent.settings.current().contextPresets;
            const kept = all.filter((each) => each.name !== name);
            await this.setControlValue('contextPresets', kept);
            this.update();
          }),
        );
      },
    }));
    return [{ type: 'group', heading: t.contextPresets, items }];
  }

  #editing(): SettingRow[] {
    return [
      {
        name: t.chatMode,
        desc: t.chatModeDetail,
        aliases: ['review', 'apply', t.readOnlyLower],
        control: { type: 'dropdown', key: 'panelMode', options: MODE_WORDS },
      },
      {
        name: t.voiceMode,
        desc: t.voiceModeDetail,
        aliases: ['review', 'apply', t.readOnlyLower, 'voice'],
        control: { type: 'dropdown', key: 'smartHoleMode', options: MODE_WORDS },
      },
      {
        name: t.editTag,
        desc: t.editTagDetail,
        aliases: ['review', 'ai_edit'],
        control: {
          type: 'text',
          key: 'proposalTag',
          placeholder: 'ai_edit',
          validate: problemOf('proposalTag'),
        },
      },
      numberRow('changeLogMegabytes', t.undoSize, t.undoSizeDetail, ['undo', 'history', 'storage']),
    ];
  }

  #conversations(): SettingRow[] {
    return [
      numberRow('idleMinutes', t.idleMinutes, t.idleMinutesDetail),
      numberRow('conversationsKept', t.keptChats, t.keptChatsDetail),
      numberRow('questionTimeoutMinutes', t.questionTimeout, t.questionTimeoutDetail),
      {
        name: t.notifications,
        desc: t.notificationsDetail,
        aliases: ['notify', 'desktop', 'background'],
        control: { type: 'toggle', key: 'notifications' },
      },
      {
        name: t.exportChats,
        desc: t.exportChatsDetail,
        aliases: ['backup', 'uninstall', 'remove', 'history'],
        render: (setting) => this.#renderExport(setting),
      },
    ];
  }

  #limits(): SettingRow[] {
    return [
      numberRow('stepsPerTurn', t.stepsPerTurn, t.stepsPerTurnDetail),
      numberRow('tokensPerTurn', t.tokensPerTurn, t.tokensPerTurnDetail),
      numberRow('moneyPerTurn', t.costPerTurn, t.costPerTurnDetail, ['cost', 'budget', 'price']),
      numberRow('moneyPerDay', t.costPerDay, t.costPerDayDetail, ['cost', 'budget', 'price']),
      {
        name: t.showCost,
        desc: t.showCostDetail,
        aliases: ['tokens', 'price', 'money'],
        control: { type: 'toggle', key: 'showCost' },
      },
      {
        name: t.prices,
        desc: t.pricesDetail,
        aliases: ['cost', 'money', 'usage', 'tokens'],
        control: { type: 'textarea', key: 'prices', rows: 3, validate: linesProblem('prices') },
      },
      numberRow('tokenWarning', t.largeMessages, t.largeMessagesDetail, [
        'context',
        'attach',
        'warning',
      ]),
      numberRow('stallSeconds', t.stall, t.stallDetail),
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
  'read-only': t.readOnly,
  review: t.review,
  apply: t.apply,
};

function verdictWords(verdict: ConnectionCheck): string {
  const way = verdict.transport === 'node' ? 'directly' : t.throughWindow;
  if (!verdict.ok) return `${verdict.failure.sentence} ${verdict.failure.next}`;
  return verdict.models === 0 ? t.worksWithoutModels(way) : t.worksWithModels(way, verdict.models);
}

function isAnthropic(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    new URL(value).origin === new URL(ANTHROPIC_ENDPOINT).origin
  );
}
