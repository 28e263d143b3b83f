/** Which settings of the synced file apply on this device, and which wait for its user. */
import { isSettingName, permissionsWith, settingOf, type Settings } from './settings';

type SettingName = keyof Settings;

/** A setting in the file that permits more than is in force here. */
export interface PendingSetting {
  readonly name: SettingName;
  readonly own: unknown;
  readonly saved: unknown;
}

/**
 * The settings of the file. Those that need confirmation keep what was in force as far as the file
 * is looser; stricter values apply at once.
 *
 * @param own what was last in force on this device
 */
export function settingsInForce(own: Settings, saved: Settings): Settings {
  const stricter = mapped(saved, (name) => {
    const { stricter: stricterOf, check } = settingOf(name);
    const value = stricterOf?.(own[name], saved[name]);
    // Both lists together may be too long to be read again, which would drop both.
    return value !== undefined && check(value) !== null ? own[name] : value;
  });
  // A tool was allowed to the command or address that its server had then.
  const { tools, mcpServers } = stricter;
  const held = permissionsWith(mcpServers, { tools, mcpServers: own.mcpServers });
  const still = Object.entries(tools).filter(([key, to]) => to !== 'allow' || key in held);
  const applied = { ...stricter, tools: Object.fromEntries(still) };
  return mapped(applied, (name) => {
    const { follows = '' } = settingOf(name);
    return isSettingName(follows) && !isSame(applied[follows], saved[follows])
      ? own[name]
      : undefined;
  });
}

/** What a device remembers of the settings in force; for the others, its file counts alone. */
export function rememberedSettings(inForce: Settings): Settings {
  return mapped(inForce, (name) => {
    const { stricter, follows, preset } = settingOf(name);
    return stricter || follows ? undefined : preset;
  });
}

/** Saved settings that do not apply until the user of this device allows them. */
export function pendingSettings(inForce: Settings, saved: Settings): readonly PendingSetting[] {
  return (Object.keys(inForce) as SettingName[])
    .filter((name) => !isSame(inForce[name], saved[name]))
    .map((name) => ({ name, own: inForce[name], saved: saved[name] }));
}

/** Of what the user was shown, the values that the file still has. */
export function stillSaved(
  shown: readonly PendingSetting[],
  saved: Settings,
): readonly SettingName[] {
  return shown.filter((each) => isSame(each.saved, saved[each.name])).map(({ name }) => name);
}

export function picked(settings: Settings, names: readonly SettingName[]): Partial<Settings> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function mapped(settings: Settings, value: (name: SettingName) => unknown): Settings {
  const entries = Object.entries(settings).map(([name, now]: [string, unknown]) => [
    name,
    value(name as SettingName) ?? now,
  ]);
  return Object.fromEntries(entries) as Settings;
}

function isSame(some: unknown, other: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}
