/** The settings as the plugin's data file holds them. A damaged value never stops the plugin. */
import { isRecord } from './is-record';
import { settingProblem } from './setting-checks';
import { DEFAULT_SETTINGS, type Settings } from './settings';

export const SETTINGS_VERSION = 1;

export interface SavedSettings {
  readonly version: typeof SETTINGS_VERSION;
  /** Only what differs from the defaults, so that better defaults reach people who never chose. */
  readonly settings: Partial<Settings>;
}

export function saveForm(settings: Settings): SavedSettings {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
  );
  return { version: SETTINGS_VERSION, settings: Object.fromEntries(changed) };
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** What could not be taken, in sentences; those settings have their defaults. */
  readonly problems: readonly string[];
}

/** Settings from whatever the data file holds, each checked by itself. */
export function loadSettings(saved: unknown): LoadedSettings {
  if (saved === null || saved === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(saved) || !isRecord(saved['settings'])) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: ['The settings file has an unknown form; the defaults are in force.'],
    };
  }
  if (saved['version'] !== SETTINGS_VERSION) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: [
        `The settings file has version ${JSON.stringify(saved['version'])}; this version of Parley reads ${SETTINGS_VERSION}. The defaults are in force.`,
      ],
    };
  }
  return applySettings(DEFAULT_SETTINGS, saved['settings']);
}

/** `settings` with the valid ones of `changes` in force. */
export function applySettings(
  settings: Settings,
  changes: Record<string, unknown>,
): LoadedSettings {
  const problems: string[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    const problem = settingProblem(name, value);
    if (problem === null) accepted[name] = value;
    else problems.push(problem);
  }
  return { settings: { ...settings, ...accepted }, problems };
}
