/** What the rows of the settings have in common. */
import type { SettingDefinition } from 'obsidian';
import { settingProblem } from '#model/setting-checks';
import type { Settings } from '#model/settings';

export type Name = keyof Settings;
export type Row = SettingDefinition<Name>;

export function numberRow(key: Name, name: string, desc: string, aliases: string[] = []): Row {
  return { name, desc, aliases, control: { type: 'number', key, validate: problemOf(key) } };
}

/** In words for somebody who reads the row's own name above. */
export function problemOf(key: Name): (value: unknown) => string | undefined {
  return (value) => settingProblem(key, value)?.replace(`"${key}" takes`, 'Expected');
}
