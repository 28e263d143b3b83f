/**
 * Loads and saves the user's settings in the plugin's data file, and holds the overrides of this
 * run.
 */
import * as settingsText from '#model/messages/settings-messages';
import type { Plugin } from 'obsidian';
import {
  applySettings,
  hasSavedModel,
  loadSettings,
  toSavedSettings,
} from '#model/settings-validation';
import type { Settings } from '#model/settings';

export interface SettingsFileDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>;
  /** Called after the settings have changed. */
  changed(): void;
  /** Receives a sentence for the user about a value that was rejected. */
  report(problem: string): void;
}

/** Key in the local storage of this device. */
const DEFAULT_MODEL = 'parley-default-model';

/** The default model of an endpoint, from its own list of models. */
interface DefaultModel {
  readonly endpoint: string;
  readonly model: string;
}

export class SettingsFile {
  readonly #deps: SettingsFileDeps;
  #saved: Settings;
  /** Whether the user chose the model; otherwise the default for the endpoint applies. */
  #isModelChosen: boolean;
  #defaultModel: DefaultModel | null;
  /** Apply to this run only and are never saved. */
  #overrides: Partial<Settings> = {};
  /** Tail of the queue of reads and writes. */
  #last: Promise<void> = Promise.resolve();

  private constructor(deps: SettingsFileDeps, saved: Settings, isModelChosen: boolean) {
    this.#deps = deps;
    this.#saved = saved;
    this.#isModelChosen = isModelChosen;
    this.#defaultModel = defaultModelFrom(deps.plugin.app.loadLocalStorage(DEFAULT_MODEL));
  }

  /** Moves an unreadable file aside and uses the defaults. */
  static async load(parts: SettingsFileDeps): Promise<SettingsFile> {
    // For invalid JSON, Obsidian returns null as for a missing file, and only logs the error.
    const saved: unknown = (await parts.plugin.loadData().catch(() => null)) ?? null;
    if (saved === null) await keepDamaged(parts);
    const { settings, problems } = loadSettings(saved);
    problems.forEach((problem) => parts.report(problem));
    return new SettingsFile(parts, settings, hasSavedModel(saved));
  }

  current(): Settings {
    const { endpoint } = this.#saved;
    const known = this.#isModelChosen ? null : this.#defaultModel;
    const model = known?.endpoint === endpoint ? { model: known.model } : {};
    return { ...this.#saved, ...model, ...this.#overrides };
  }

  /** Takes the default model from the list of the endpoint, for users who chose none. */
  setDefaultModel(model: string): void {
    const { endpoint } = this.#saved;
    const known = this.#defaultModel;
    if (known?.endpoint === endpoint && known.model === model) return;
    this.#defaultModel = { endpoint, model };
    this.#deps.plugin.app.saveLocalStorage(DEFAULT_MODEL, this.#defaultModel);
    if (!this.#isModelChosen) this.#deps.changed();
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
      this.#isModelChosen = hasSavedModel(saved);
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
      const isModelChosen = this.#isModelChosen || 'model' in changed;
      await this.#deps.plugin.saveData(toSavedSettings(settings, isModelChosen));
      this.#saved = settings;
      this.#isModelChosen = isModelChosen;
      for (const name of Object.keys(changed)) delete this.#overrides[name as keyof Settings];
      this.#deps.changed();
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    return (this.#last = this.#last.then(work, work));
  }
}

function defaultModelFrom(stored: unknown): DefaultModel | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { endpoint, model } = stored as Partial<Record<keyof DefaultModel, unknown>>;
  return typeof endpoint === 'string' && typeof model === 'string' ? { endpoint, model } : null;
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
