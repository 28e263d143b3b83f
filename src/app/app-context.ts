/** Shared dependencies: the platform, the vault, this device and the settings. */
import * as t from '#messages/start-messages';
import type { App as ObsidianApp } from 'obsidian';
import { idMinter, type DeviceId, type MintId } from '#model/ids';
import type { Settings } from '#model/settings';
import { createPlatform, type Platform } from '#obsidian/platform/platform';
import type { PluginHost } from '#obsidian/lifetime';
import { readSecret } from '#obsidian/platform/secrets';
import { obsidianMetadata } from '#obsidian/vault/obsidian-metadata';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import type { SettingsFile } from '#obsidian/settings/settings-file';
import { excludedFolders, excludedReason } from '#policy/hidden-notes';
import { protectedReason } from '#policy/protected-paths';
import { DeviceKey, type Signer } from '#ports/device-key';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';

/** Name of the key in Obsidian's secret storage. */
const DEVICE_KEY_NAME = 'parley-device-key';

export interface AppContext {
  readonly plugin: PluginHost;
  readonly machine: Platform;
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  /** The plugin's own folder, vault-relative. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly signer: Signer;
  readonly mint: MintId;
  settings(): Settings;
  /** Applies one change after the other. Rejects if the settings file cannot be written. */
  changeSettings(change: (now: Settings) => Settings): Promise<void>;
  /** Reports a problem to the user. */
  report(problem: string): void;
  /** Reads a value from Obsidian's secret storage; null if there is none. */
  secret(name: string): string | null;
}

export function createAppContext(
  plugin: PluginHost,
  settingsFile: SettingsFile,
  report: (problem: string) => void,
): AppContext {
  const { app, manifest } = plugin;
  const { configDir } = app.vault;
  const settings = () => settingsFile.current();
  // A symbolic link must not lead to what is protected or excluded.
  const machine = createPlatform(app, {
    has(path) {
      const folders = excludedFolders(settings().excludedFolders);
      return protectedReason(path, configDir) !== null || excludedReason(path, folders) !== null;
    },
    rules: () => settings().excludedFolders,
  });
  const { clock, links, readFiles } = machine;
  const mint = idMinter(() => clock.now(), randomLetters);
  const notes = obsidianVault(app, links, readFiles);
  const metadata = obsidianMetadata(app, clock);
  const reported = new Set<string>();
  const reportOnce = (problem: string) => {
    if (!reported.has(problem)) report(problem);
    reported.add(problem);
  };
  plugin.register(() => notes.close());
  plugin.register(() => metadata.close());
  return {
    plugin,
    machine,
    notes,
    metadata,
    mint,
    settings,
    report,
    folder: manifest.dir ?? `${configDir}/plugins/${manifest.id}`,
    device: deviceOf(app, mint),
    signer: new DeviceKey({
      get: () => app.secretStorage.getSecret(DEVICE_KEY_NAME),
      set: (key) => app.secretStorage.setSecret(DEVICE_KEY_NAME, key),
      unavailable: () => reportOnce(t.noDeviceKey),
    }),
    changeSettings: (change) => settingsFile.change(change),
    secret: (name) => readSecret(app, name, reportOnce),
  };
}

export function randomLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}

/**
 * The id of this device. It stays the same across restarts and is unique because local storage does
 * not sync.
 */
function deviceOf(app: ObsidianApp, mint: MintId): DeviceId {
  const known = app.loadLocalStorage('parley-device') as unknown;
  if (typeof known === 'string' && known !== '') return known as DeviceId;
  const fresh = mint('device');
  app.saveLocalStorage('parley-device', fresh);
  return fresh;
}
