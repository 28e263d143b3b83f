/** Shared parts of the rows in the settings. */
import type { SettingDefinition } from 'obsidian';
import type { Price } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import { settingProblem } from '#model/settings-validation';

export type SettingName = keyof Settings;
export type SettingRow = SettingDefinition<SettingName>;

/** Validates and saves a setting. */
export type SaveSetting = (name: SettingName, value: unknown) => Promise<void>;

export function numberRow(
  key: SettingName,
  name: string,
  desc: string,
  aliases: string[] = [],
): SettingRow {
  return { name, desc, aliases, control: { type: 'number', key, validate: problemOf(key) } };
}

/** Error message for a value, without the name of the setting, which the row shows. */
export function problemOf(key: SettingName): (value: unknown) => string | undefined {
  return (value) => settingProblem(key, value)?.replace(`"${key}" takes`, 'Expected');
}

interface Form {
  shown(settings: Settings): readonly string[];
  /** Parses the lines leniently; the setting's own check decides whether the result is valid. */
  taken(lines: readonly string[]): unknown;
}

const FORMS: { readonly [Key in SettingName]?: Form } = {
  commands: { shown: ({ commands }) => commands, taken: (lines) => lines },
  prices: {
    shown: ({ prices }) =>
      Object.entries(prices).map(([model, { input, output, cacheRead, cacheWrite }]) =>
        [model, input, output, cacheRead, cacheWrite].join(' '),
      ),
    taken: (lines) => Object.fromEntries(lines.map(priced)),
  },
};

function priced(line: string): [string, Price | null] {
  const [model = '', ...amounts] = line.split(/[\s,;]+/);
  const [input = NaN, output = NaN, ...rest] = amounts.map((amount) =>
    Number(amount.replace(/^\$/, '')),
  );
  // Cache prices in the proportions of Claude models, with a cache lifetime of five minutes.
  const [cacheRead = round(input * 0.1), cacheWrite = round(input * 1.25), ...more] = rest;
  return [model, more.length > 0 ? null : { input, output, cacheRead, cacheWrite }];
}

function round(amount: number): number {
  return Number(amount.toFixed(6));
}

/** The value of a setting as its row shows it. */
export function shownValue(key: SettingName, settings: Settings): unknown {
  return FORMS[key]?.shown(settings).join('\n') ?? settings[key];
}

/** The value of a setting as it is saved. */
export function parseValue(key: SettingName, typed: unknown): unknown {
  return FORMS[key]?.taken(linesOf(typed)) ?? typed;
}

/** `problemOf` for a setting with one value per line. */
export function linesProblem(key: SettingName): (typed: unknown) => string | undefined {
  return (typed) => problemOf(key)(parseValue(key, typed));
}

function linesOf(typed: unknown): string[] {
  return String(typed)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
