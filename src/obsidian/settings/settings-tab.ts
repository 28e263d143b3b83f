/** Parley's settings tab: the first page and the pages that it links to. */
import * as t from '#messages/settings-messages';
import {
  PluginSettingTab,
  type App,
  type Plugin,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
} from 'obsidian';
import { type Mode, isAnthropic } from '#model/setting-choices';
import { SMARTHOLE_SEEN } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';
import type { SettingsPage, SettingsTarget, Ui } from '#ports/ui';
import { AfterTyping } from './after-typing';
import { AdvancedSettings } from './advanced-settings';
import { ExportDialog } from '../export-dialog';
import { ChatSettings } from './chat-settings';
import { limitGroups } from './limit-settings';
import { McpServerSettings, McpServerList } from './mcp-settings';
import { ModelSettings } from './model-settings';
import { PermissionSettings } from './permission-settings';
import { SemanticSearchSettings, webSettings } from './search-settings';
import { highlight, PAGE_NAMES, rememberFocus, settingPlace, showPlace } from './setting-link';
import { type SettingName, type SettingRow, shownValue, parseValue } from './setting-rows';
import { SmartHoleSettings } from './smarthole-settings';
import { VaultSettings } from './vault-settings';

export class ParleySettingsTab extends PluginSettingTab {
  override icon = 'messages-square';
  readonly #agent: Agent;
  readonly #ui: Pick<Ui, 'notice' | 'setSeen'>;
  readonly #changed: () => void;
  readonly #model: ModelSettings;
  readonly #vault: VaultSettings;
  readonly #chat: ChatSettings;
  readonly #smartHole: SmartHoleSettings;
  readonly #permissions: PermissionSettings;
  readonly #semanticSearch: SemanticSearchSettings;
  readonly #servers: McpServerList;
  readonly #mcpServer: McpServerSettings;
  readonly #advanced: AdvancedSettings;
  readonly #typing = new AfterTyping(this.containerEl);
  /** Counts changes of the endpoint and of compatibility, so that only the last one counts. */
  #endpointChanges = 0;
  /** Aborted when the user acts or leaves. */
  #link: AbortController | null = null;
  /** The row that a link opened, until then: rows that load later draw the page again. */
  #row: string | null = null;

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
    this.#ui = ui;
    this.#changed = changed;
    const keep = (name: SettingName, value: unknown) => this.setControlValue(name, value);
    const update = () => this.update();
    this.#model = new ModelSettings({ app, agent, save: keep, checked: changed, changed: update });
    this.#vault = new VaultSettings(agent, keep, update);
    this.#chat = new ChatSettings(agent, keep, update, () =>
      new ExportDialog(app, agent.conversations).open(),
    );
    this.#smartHole = new SmartHoleSettings(agent, keep, update);
    this.#permissions = new PermissionSettings(app, agent, keep, update);
    this.#semanticSearch = new SemanticSearchSettings(app, agent, keep);
    this.#servers = new McpServerList(app, agent, keep, update);
    this.#mcpServer = new McpServerSettings(agent.mcpServer, ui.notice);
    this.#advanced = new AdvancedSettings(agent, keep, ui.notice, plugin.manifest);
  }

  /** Draws the rows again, once no field is being typed in. */
  override update(): void {
    this.#typing.run('update', () => {
      const focusAgain = rememberFocus(this.containerEl);
      super.update();
      if (this.#row === null) focusAgain();
      else highlight(this.containerEl, this.#row);
    });
  }

  /** Shows a setting or page of the open settings dialog. */
  async reveal(target: SettingsTarget): Promise<void> {
    this.#leave();
    const place = settingPlace(this.settingItems, target);
    if (!place) return;
    const { signal } = (this.#link = new AbortController());
    const options = { signal, capture: true };
    // A window of its own may not have opened yet.
    const dialog = this.containerEl.closest<HTMLElement>('.modal') ?? this.containerEl;
    for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
      dialog.addEventListener(event, () => this.#leave(), options);
    }
    this.#row = place.row;
    await showPlace(this.containerEl, place, signal);
  }

  override hide(): void {
    this.#leave();
    this.#typing.flush();
    super.hide();
  }

  #leave(): void {
    this.#link?.abort();
    this.#row = null;
  }

  override getControlValue(key: string): unknown {
    return shownValue(key as SettingName, this.#agent.settings.current());
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const isOfEndpoint = key === 'endpoint' || key === 'compatibility';
    const change = isOfEndpoint ? (this.#endpointChanges += 1) : 0;
    const changes: Record<string, unknown> = { [key]: parseValue(key as SettingName, value) };
    if (key === 'smartHole' && value === true) this.#ui.setSeen(SMARTHOLE_SEEN);
    const asked = await this.#agent.settings.set(changes);
    if (!asked.ok) this.#ui.notice(asked.reason);
    this.#changed();
    this.#smartHole.settingsChanged();
    if (key === 'endpoint') this.#typing.run(key, () => void this.#endpointChosen(change));
    if (REDRAWN.has(key)) this.update();
  }

  /** Not for each keystroke, because a URL that is half typed is not the user's choice. */
  async #endpointChosen(change: number): Promise<void> {
    if (change !== this.#endpointChanges) return;
    const { endpoint, compatibility } = this.#agent.settings.current();
    if (compatibility || isAnthropic(endpoint)) return;
    this.#ui.notice(t.compatibilityTurnedOn);
    await this.setControlValue('compatibility', true);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const keep = (name: SettingName, value: string) => this.setControlValue(name, value);
    return [
      {
        type: 'group',
        items: [
          this.#looking(this.#model.key()),
          this.#model.model(),
          this.#chatMode(),
          {
            type: 'page',
            name: t.vaultOrganization,
            desc: t.vaultOrganizationDetail,
            items: this.#vault.organization(),
          },
          {
            type: 'page',
            name: t.instructions,
            desc: t.instructionsDetail,
            displayValue: () => t.lineCount(linesIn(this.#agent.settings.current().instructions)),
            items: this.#vault.instructions(),
          },
        ],
      },
      {
        type: 'group',
        items: [
          page('connection', t.connectionPageDetail, this.#model.connection()),
          page('chat', t.chatPageDetail, this.#chat.groups()),
          page('permissions', t.permissionsPageDetail, this.#permissions.groups()),
          page('voice', t.voicePageDetail, this.#smartHole.rows(MODE_WORDS)),
          page('search', t.searchPageDetail, [
            { type: 'group', heading: t.web, items: webSettings(this.app, this.#agent, keep) },
            { type: 'group', heading: t.semanticSearch, items: this.#semanticSearch.rows() },
          ]),
          page('mcp', t.mcpPageDetail, [
            this.#servers.list(),
            { type: 'group', heading: t.mcpClients, items: this.#mcpServer.rows(MODE_WORDS) },
          ]),
          page('limits', t.limitsPageDetail, limitGroups()),
          page('advanced', t.advancedPageDetail, this.#advanced.rows()),
        ],
      },
    ];
  }

  /**
   * Loads what the rows need from requests or lazy code when the row is rendered, not when
   * definitions are read: Obsidian reads those at every start to search settings.
   */
  #looking(row: SettingRow): SettingRow {
    if (!row.render) return row;
    const { render } = row;
    return {
      ...row,
      render: (setting, group) => {
        this.#permissions.look();
        this.#servers.look();
        this.#model.look();
        return render(setting, group);
      },
    };
  }

  #chatMode(): SettingRow {
    return {
      name: t.chatMode,
      desc: t.chatModeDetail,
      aliases: ['review', 'apply', t.readOnlyLower],
      control: { type: 'dropdown', key: 'panelMode', options: MODE_WORDS },
    };
  }
}

function page(
  id: SettingsPage,
  desc: string,
  items: SettingDefinitionItem<SettingName>[],
): SettingDefinitionPage<SettingName> {
  return { type: 'page', name: PAGE_NAMES[id], desc, items };
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Settings that affect other rows. */
const REDRAWN: ReadonlySet<string> = new Set([
  'endpoint',
  'compatibility',
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
