/** Parley's settings tab: reads and saves what its rows show, and follows links to them. */
import * as t from '#messages/settings-messages';
import { PluginSettingTab, type App, type Plugin, type SettingDefinitionItem } from 'obsidian';
import { isAnthropic } from '#model/setting-choices';
import { SMARTHOLE_SEEN } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';
import type { SettingsTarget, Ui } from '#ports/ui';
import { AfterTyping } from './after-typing';
import { highlight, rememberFocus, settingPlace, showPlace } from './setting-link';
import { SettingPages } from './setting-pages';
import { type SettingName, parseValue, shownValue } from './setting-rows';

export class ParleySettingsTab extends PluginSettingTab {
  override icon = 'messages-square';
  readonly #agent: Agent;
  readonly #ui: Pick<Ui, 'notice' | 'setSeen'>;
  readonly #changed: () => void;
  readonly #pages: SettingPages;
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
    plugin: Pick<Plugin, 'manifest'>,
    agent: Agent,
    ui: Pick<Ui, 'notice' | 'setSeen'>,
    changed: () => void,
  ) {
    super(app, plugin as Plugin);
    this.#agent = agent;
    this.#ui = ui;
    this.#changed = changed;
    this.#pages = new SettingPages({
      app,
      agent,
      version: plugin.manifest.version,
      save: (name, value) => this.setControlValue(name, value),
      redraw: () => this.update(),
      notice: ui.notice,
      checked: changed,
    });
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return this.#pages.items();
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
}

/** Settings that affect other rows. */
const REDRAWN: ReadonlySet<string> = new Set([
  'endpoint',
  'compatibility',
  'disabledAgents',
  'customToolFolder',
  'commands',
  'searchProvider',
  'assistantName',
  'wireName',
  'smartHolePort',
]);
