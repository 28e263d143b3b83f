/** The user's settings, as the plugin's data file keeps them and as they are in force in this run. */
import type { Plugin } from 'obsidian';
import { applySettings, loadSettings, toSavedSettings } from '#model/settings-validation';
import type { Settings } from '#model/settings';

export interface SettingsFileDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>;
  /** They are others now. */
  changed(): void;
  /** A sentence for the user about what could not be taken. */
  report(problem: string): void;
}

export class SettingsFile {
  readonly #deps: SettingsFileDeps;
  #saved: Settings;
  /** In force for this run only, and not saved. */
  #overrides: Partial<Settings> = {};
  /** Of what reads and writes the file, one after the other. */
  #last: Promise<void> = Promise.resolve();

  private constructor(deps: SettingsFileDeps, saved: Settings) {
    this.#deps = deps;
    this.#saved = saved;
  }

  /** A file that can't be read is kept aside, and the defaults are in force. */
  static async load(parts: SettingsFileDeps): Promise<SettingsFile> {
    // Obsidian gives null for a file that is not JSON as for none, and says so only on its console.
    const saved: unknown = (await parts.plugin.loadData().catch(() => null)) ?? null;
    if (saved === null) await keepDamaged(parts);
    const { settings, problems } = loadSettings(saved);
    problems.forEach((problem) => parts.report(problem));
    return new SettingsFile(parts, settings);
  }

  current(): Settings {
    return { ...this.#saved, ...this.#overrides };
  }

  /** Takes what another device has saved, so that the next change here is one of that; a file that can't be read is none. */
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

  /** Puts settings in force for this run without saving them; what is not valid is reported. */
  override(changes: Record<string, unknown>): void {
    const { settings, problems } = applySettings(this.current(), changes);
    const valid = Object.entries(settings).filter(([name]) => Object.hasOwn(changes, name));
    this.#overrides = { ...this.#overrides, ...Object.fromEntries(valid) };
    this.#deps.changed();
    problems.forEach((problem) => this.#deps.report(problem));
  }

  /**
   * Saves what is changed, and only that: an override stays one. One change after the other, each of what the one before
   * has left. Rejects when the file can't be written.
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

/** The next change of a setting would write over a file that could not be read. */
async function keepDamaged({ plugin, report }: SettingsFileDeps): Promise<void> {
  const folder = plugin.manifest.dir ?? '';
  const { adapter } = plugin.app.vault;
  if (!(await adapter.exists(`${folder}/data.json`))) return;
  const aside = `${folder}/data.damaged.json`;
  if (await adapter.exists(aside)) await adapter.remove(aside);
  await adapter.rename(`${folder}/data.json`, aside);
  report(
    `The settings file could not be read. It was kept as ${aside}; the defaults are in force.`,
  );
}
