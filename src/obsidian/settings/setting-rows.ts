/** Makes the rows of the settings, and converts between saved values and what the rows show. */
import {
  type App,
  SecretComponent,
  type SettingControl,
  type SettingDefinition,
  type SettingDefinitionGroup,
  type SettingGroupItem,
} from 'obsidian';
import type { Price } from '#model/setting-choices';
import { DEFAULT_SETTINGS, routingDescriptionOf, type Settings } from '#model/settings';
import { settingProblem } from '#model/settings-validation';
import type { Agent } from '#ports/app/agent';

export type SettingName = keyof Settings;
export type SettingRow = SettingDefinition<SettingName>;

/** What the rows need from the settings tab. */
export interface SettingRowDeps {
  readonly app: App;
  readonly agent: Agent;
  /** Validates and saves a setting. */
  save(name: SettingName, value: unknown): Promise<void>;
  /** Reads the definitions again and draws them. */
  redraw(): void;
  notice(text: string): void;
}

interface RowForm {
  /** Additional search terms. */
  readonly aliases?: string[];
  /** Names of the values to choose from. */
  readonly options?: Readonly<Record<string, string>>;
  /** Makes it a text area with this many lines. */
  readonly rows?: number;
  /** Only for a text field. */
  readonly placeholder?: string;
  readonly isFolder?: boolean;
}

/** A row whose control follows from its form, or else from the default of the setting. */
export function settingRow(
  key: SettingName,
  name: string,
  desc: string,
  { aliases = [], ...form }: RowForm = {},
): SettingRow {
  return { name, desc, aliases, control: controlOf(key, form) };
}

function controlOf(
  key: SettingName,
  { options, rows, placeholder = '', isFolder = false }: RowForm,
): SettingControl<SettingName> {
  const validate = validatorOf(key);
  if (options) return { type: 'dropdown', key, options };
  if (rows !== undefined) return { type: 'textarea', key, rows, validate };
  if (isFolder) return { type: 'folder', key, validate };
  if (typeof DEFAULT_SETTINGS[key] === 'boolean') return { type: 'toggle', key };
  if (typeof DEFAULT_SETTINGS[key] === 'number') return { type: 'number', key, validate };
  return { type: 'text', key, placeholder, validate };
}

/** A row for the name of a key in Obsidian's secret storage. */
export function secretRow(
  { app, agent, save }: SettingRowDeps,
  key: 'apiKeyName' | 'searchKeyName' | 'embeddingKeyName',
  name: string,
  desc: string,
): Extract<SettingRow, { render: unknown }> {
  return {
    name,
    desc,
    render: (setting) => {
      new SecretComponent(app, setting.controlEl)
        .setValue(agent.settings.current()[key])
        .onChange((secretName) => void save(key, secretName));
    },
  };
}

/** A row with a button. */
export function buttonRow(
  name: string,
  desc: string,
  button: string,
  click: () => unknown,
  aliases: string[] = [],
): SettingRow {
  return {
    name,
    desc,
    aliases,
    render: (setting) => {
      setting.addButton((made) => made.setButtonText(button).onClick(() => void click()));
    },
  };
}

export function group(
  heading: string,
  items: SettingGroupItem<SettingName>[],
): SettingDefinitionGroup<SettingName> {
  return { type: 'group', heading, items };
}

/** A value of the app that rows show. They are drawn with the first value until it is loaded. */
export class LoadedValue<Value> {
  value: Value;
  readonly #load: () => Promise<Value>;
  readonly #changed: () => void;

  constructor(first: Value, load: () => Promise<Value>, changed: () => void) {
    this.value = first;
    this.#load = load;
    this.#changed = changed;
  }

  /**
   * Loads the value and draws the rows again if it changed. Call it when a row is rendered, not
   * when definitions are read: Obsidian reads those at every start to search settings.
   */
  async refresh(): Promise<void> {
    const before = JSON.stringify(this.value);
    await this.load();
    if (JSON.stringify(this.value) !== before) this.#changed();
  }

  /** Loads the value without drawing the rows. */
  async load(): Promise<void> {
    this.value = await this.#load();
  }
}

/** Its error messages do not name the setting, because the row does. */
export function validatorOf(key: SettingName): (typed: unknown) => string | undefined {
  return (typed) =>
    settingProblem(key, parseValue(key, typed))?.replace(`"${key}" takes`, 'Expected');
}

/** The value of a setting as its row shows it. */
export function shownValue(key: SettingName, settings: Settings): unknown {
  if (key === 'commands') return settings.commands.join('\n');
  if (key === 'prices') return Object.entries(settings.prices).map(priceLine).join('\n');
  if (key === 'routingDescription') return routingDescriptionOf(settings);
  return settings[key];
}

/** The value to save for what was typed. It may be invalid: the setting's own check decides. */
export function parseValue(key: SettingName, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed;
  if (key === 'commands') return typedLines(typed);
  return key === 'prices' ? Object.fromEntries(typedLines(typed).map(parsePriceLine)) : typed;
}

function priceLine([model, price]: [string, Price]): string {
  return [model, price.input, price.output, price.cacheRead, price.cacheWrite].join(' ');
}

function parsePriceLine(line: string): [string, Price | null] {
  const [model = '', ...amounts] = line.match(/[^\s,;]+/g) ?? [];
  const [input = NaN, output = NaN, ...rest] = amounts.map((amount) =>
    Number(amount.replace(/^\$/, '') || NaN),
  );
  // Cache prices in the proportions of Claude models, with a cache lifetime of five minutes.
  const [cacheRead = round(input * 0.1), cacheWrite = round(input * 1.25), ...more] = rest;
  return [model, more.length > 0 ? null : { input, output, cacheRead, cacheWrite }];
}

function round(amount: number): number {
  return Number(amount.toFixed(6));
}

export function typedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
