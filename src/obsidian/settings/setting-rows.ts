/** What the rows of the settings have in common. */
import type { SettingDefinition } from 'obsidian';
import type { Price, Settings } from '#model/settings';
import { settingProblem } from '#model/settings-validation';

export type Name = keyof Settings;
export type Row = SettingDefinition<Name>;

export function numberRow(key: Name, name: string, desc: string, aliases: string[] = []): Row {
  return { name, desc, aliases, control: { type: 'number', key, validate: problemOf(key) } };
}

/** In words for somebody who reads the row's own name above. */
export function problemOf(key: Name): (value: unknown) => string | undefined {
  return (value) => settingProblem(key, value)?.replace(`"${key}" takes`, 'Expected');
}

interface Form {
  shown(settings: Settings): readonly string[];
  /** Whatever was typed; the setting's own check says whether it may be. */
  taken(lines: readonly string[]): unknown;
}

const FORMS: { readonly [Key in Name]?: Form } = {
  excludedFolders: { shown: ({ excludedFolders }) => excludedFolders, taken: (lines) => lines },
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
  // What Claude's models cost in proportion; an entry lives five minutes.
  const [cacheRead = round(input * 0.1), cacheWrite = round(input * 1.25), ...more] = rest;
  return [model, more.length > 0 ? null : { input, output, cacheRead, cacheWrite }];
}

function round(amount: number): number {
  return Number(amount.toFixed(6));
}

/** As it is shown in its row. */
export function shownValue(key: Name, settings: Settings): unknown {
  return FORMS[key]?.shown(settings).join('\n') ?? settings[key];
}

/** As it is kept. */
export function takenValue(key: Name, typed: unknown): unknown {
  return FORMS[key]?.taken(linesOf(typed)) ?? typed;
}

/** For a row of lines. */
export function linesProblem(key: Name): (typed: unknown) => string | undefined {
  return (typed) => problemOf(key)(takenValue(key, typed));
}

function linesOf(typed: unknown): string[] {
  return String(typed)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
