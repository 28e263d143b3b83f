/**
 * Loads and saves the user's settings in the plugin's data file, and holds the overrides of this
 * run.
 */
import * as settingsText from '#model/messages/settings-messages';
import type { Plugin } from 'obsidian';
import { applySettings, loadSettings, toSavedSettings } from '#model/settings-validation';
import type { Settings } from '#model/settings';

export interface SettingsFileDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>;
  /** Called after the settings have changed. */
  changed(): void;
  /** Receives a sentence for the user about a value that was rejected. */
  report(problem: string): void;
}

export class SettingsFile {
  readonly #deps: SettingsFileDeps;
  #saved: Settings;
  /** Apply to this run only and are never saved. */
  #overrides: Partial<Settings> = {};
  /** Tail of the queue of reads and writes. */
  #last: Promise<void> = Promise.resolve();

  private constructor(deps: SettingsFileDeps, saved: Settings) {
    this.#deps = deps;
    this.#saved = saved;
  }

  /** Moves an unreadable file aside and uses the defaults. */
  static async load(parts: SettingsFileDeps): Promise<SettingsFile> {
    // For invalid JSON, Obsidian returns null as for a missing file, and only logs the error.
    const saved: unknown = (await parts.plugin.loadData().catch(() => null)) ?? null;
    if (saved === null) await keepDamaged(parts);
    const { settings, problems } = loadSettings(saved);
    problems.forEach((problem) => parts.report(problem));
    return new SettingsFile(parts, settings);
  }

  current(): Settings {
    return { ...this.#saved, ...this.#overrides };
  }

  /**
   * Loads the settings that another device saved, so that the next change here builds on them.
   * Ignores an unreadable file.
   */
  reload(): Promise<void> {
    return this.#next(async () => {
      const saved: unknown = await this.#deps.plugin.loadData().catch(() => null);
      if ((saved ?? null) === null) return;
      const { settings, problems } = loadSettings(saved);
      this.#saved = settings;
      this.#deps.changed();
      problems.forEach((problem) => this.#deps.report(problem));
    });
  }

  /** Applies settings to this run without saving them; reports invalid ones. */
  override(changes: Record<string, unknown>): void {
    const { settings, problems } = applySettings(this.current(), changes);
    const valid = Object.entries(settings).filter(([name]) => Object.hasOwn(changes, name));
    this.#overrides = { ...this.#overrides, ...Object.fromEntries(valid) };
    this.#deps.changed();
    problems.forEach((problem) => this.#deps.report(problem));
  }

  /**
   * Saves only the settings that `make` changes, so that overrides stay unsaved. Changes run one at
   * a time, each on the result of the previous one. Rejects when the file can't be written.
   */
  change(make: (now: Settings) => Settings): Promise<void> {
    return this.#next(async () => {
      const now = this.current();
      const changed = Object.fromEntries(
        Object.entries(make(now)).filter(([name, value]) => now[name as keyof Settings] !== value),
      );
      const settings = { ...this.#saved, ...changed };
      await this.#deps.plugin.saveData(toSavedSettings(settings));
      this.#saved = settings;
      for (const name of Object.keys(changed)) delete this.#overrides[name as keyof Settings];
      this.#deps.changed();
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    return (this.#last = this.#last.then(work, work));
  }
}

/** Moves an unreadable file aside, because the next change of a setting would overwrite it. */
async function keepDamaged({ plugin, report }: SettingsFileDeps): Promise<void> {
  const folder = plugin.manifest.dir ?? '';
  const { adapter } = plugin.app.vault;
  if (!(await adapter.exists(`${folder}/data.json`))) return;
  const aside = `${folder}/data.damaged.json`;
  if (await adapter.exists(aside)) await adapter.remove(aside);
  await adapter.rename(`${folder}/data.json`, aside);
  report(settingsText.fileDamaged(aside));
}
