/** Reads and writes the settings file, and checks values. */
import { DEFAULT_SETTINGS, isSettingName, settingOf, type Settings } from './settings';
import { isRecord } from '#text/untrusted-text';

/** Null if `value` is valid for `name`, else a sentence that says what was expected. */
export function settingProblem(name: string, value: unknown): string | null {
  if (!isSettingName(name)) return `There is no setting called "${name}".`;
  const expected = settingOf(name).check(value);
  return expected === null ? null : `"${name}" takes ${expected}.`;
}

export const SETTINGS_VERSION = 1;

export interface SavedSettings {
  readonly version: typeof SETTINGS_VERSION;
  /**
   * Only values that differ from the defaults, so that improved defaults reach users who never
   * changed them.
   */
  readonly settings: Partial<Settings>;
}

/** @param isModelChosen whether to save the model even if it equals the default */
export function toSavedSettings(settings: Settings, isModelChosen = false): SavedSettings {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      (name === 'model' && isModelChosen) ||
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
  );
  return { version: SETTINGS_VERSION, settings: Object.fromEntries(changed) };
}

export interface LoadedSettings {
  readonly settings: Settings;
  /**
   * Rejected values, in sentences. Those settings keep their previous value, or their default when
   * loading.
   */
  readonly problems: readonly string[];
}

/**
 * Loads settings from the content of the data file, each validated on its own, also from a file of
 * another version.
 *
 * @param fallback has the values to use instead of invalid ones
 */
export function loadSettings(saved: unknown, fallback = DEFAULT_SETTINGS): LoadedSettings {
  if (saved === null || saved === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(saved) || !isRecord(saved['settings'])) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: ['The settings file has an unknown form; the defaults are in force.'],
    };
  }
  const values = saved['settings'];
  const isInvalid = ([name]: [string, unknown]) =>
    name in values && settingProblem(name, values[name]) !== null;
  const instead = Object.fromEntries(Object.entries(fallback).filter(isInvalid));
  const { settings, problems } = applySettings({ ...DEFAULT_SETTINGS, ...instead }, values);
  // What is the same in another version must not be loosened to the defaults, such as exclusions.
  const other = saved['version'] === SETTINGS_VERSION ? [] : [otherVersion(saved['version'])];
  return { settings, problems: [...other, ...problems] };
}

function otherVersion(version: unknown): string {
  const name = version === undefined ? 'no version' : `version ${JSON.stringify(version)}`;
  return `The settings file has ${name}; this version of Parley reads version ${SETTINGS_VERSION}. The settings that it knows are in force, and the defaults for the others.`;
}

/** Whether the content of the data file names a model, so that the default does not apply. */
export function hasSavedModel(saved: unknown): boolean {
  return isRecord(saved) && isRecord(saved['settings']) && 'model' in saved['settings'];
}

/** Applies the valid `changes` to `settings`. */
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
