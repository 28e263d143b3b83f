/**
 * Loads and saves the user's settings in the plugin's data file, and holds the overrides of this
 * run.
 */
import * as settingsText from '#messages/settings-messages';
import type { Plugin } from 'obsidian';
import {
  applySettings,
  hasSavedModel,
  loadSettings,
  toSavedSettings,
} from '#model/settings-validation';
import type { Settings } from '#model/settings';
import {
  pendingSettings,
  picked,
  rememberedSettings,
  settingsInForce,
  stillSaved,
  type PendingSetting,
} from '#model/settings-in-force';
import type { Clock } from '#ports/clock';
import { parseJson } from '#ports/line-file';
import { delayAfter, type RetryDelays } from '#ports/retry';
import { SerialQueue } from '#ports/serial-queue';

export interface SettingsFileDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Called after the settings have changed. */
  changed(): void;
}

/** How long a file may be locked by a virus scanner, or a cloud drive may take to download it. */
const READ_DELAYS: RetryDelays = { delays: [100, 400, 1_000, 3_000, 6_000], repeats: false };

/** Keys in the local storage of this device, which does not sync. */
const DEFAULT_MODEL = 'parley-default-model';
const IN_FORCE = 'parley-trusted-settings';

/** The default model of an endpoint, from its own list of models. */
interface DefaultModel {
  readonly endpoint: string;
  readonly model: string;
}

export class SettingsFile {
  /** Sentences for the user about values and files that were rejected. */
  readonly problems: string[] = [];
  readonly #deps: SettingsFileDeps;
  /** As in the file. */
  #saved: Settings;
  /** What applies of them on this device. */
  #inForce: Settings;
  /** Whether the user chose the model; otherwise the default for the endpoint applies. */
  #isModelChosen = false;
  /** False while the file cannot be read: the defaults must neither apply nor be saved. */
  #isRead = false;
  #defaultModel: DefaultModel | null;
  /** Apply to this run only and are never saved. */
  #overrides: Partial<Settings> = {};
  /** Reads and writes. */
  readonly #queue = new SerialQueue();

  /** `ready` must have resolved before the settings are used. */
  constructor(deps: SettingsFileDeps) {
    const { app } = deps.plugin;
    this.#deps = deps;
    this.#saved = loadSettings(null).settings;
    this.#inForce = this.#saved;
    this.#defaultModel = defaultModelFrom(app.loadLocalStorage(DEFAULT_MODEL));
  }

  /**
   * Resolves when the settings are known: tries again while the file cannot be read, and moves a
   * damaged one aside that sync has not completed in the meantime.
   *
   * @throws if the file still cannot be read after ten seconds
   */
  ready(): Promise<void> {
    return this.#queue.run(async () => {
      for (let tries = 1; !this.#isRead; tries += 1) {
        const found = await readSettings(this.#deps);
        const delay = delayAfter(tries, READ_DELAYS);
        if (found.kind === 'saved') await this.#take(found.saved);
        else if (found.kind === 'missing') await this.#take(null);
        else if (found.kind === 'locked' && delay === Infinity) {
          throw new Error(settingsText.fileLocked(found.reason));
        } else if (found.kind === 'damaged' && tries > 3) {
          this.problems.push(await keepDamaged(this.#deps));
          await this.#take(null);
        } else await this.#deps.clock.sleep(delay);
      }
    });
  }

  async #take(saved: unknown): Promise<void> {
    const { settings, problems } = loadSettings(saved, this.#ownSettings());
    this.#saved = settings;
    this.#apply();
    this.#isModelChosen = hasSavedModel(saved);
    this.#isRead = true;
    this.problems.push(...problems);
    if (problems.length > 0) this.problems.push(await keepCopy(this.#deps, saved));
  }

  current(): Settings {
    const { endpoint } = this.#inForce;
    const known = this.#isModelChosen ? null : this.#defaultModel;
    const model = known?.endpoint === endpoint ? { model: known.model } : {};
    return { ...this.#inForce, ...model, ...this.#overrides };
  }

  /** Settings in the file that do not apply until the user of this device allows them. */
  get pending(): readonly PendingSetting[] {
    return pendingSettings(this.#inForce, this.#saved);
  }

  /**
   * Applies the pending settings that the user was shown, or saves this device's values instead of
   * them. Those that changed in the meantime stay pending.
   */
  decide(shown: readonly PendingSetting[], choice: 'allow' | 'keep'): Promise<void> {
    return this.#queue.run(async () => {
      const names = stillSaved(shown, this.#saved);
      if (choice === 'keep') await this.#save(picked(this.#inForce, names), this.#isModelChosen);
      this.#apply(picked(this.#saved, names));
      this.#deps.changed();
    });
  }

  /** Takes the default model from the list of the endpoint, for users who chose none. */
  setDefaultModel(model: string): void {
    const { endpoint } = this.#inForce;
    const known = this.#defaultModel;
    if (known?.endpoint === endpoint && known.model === model) return;
    this.#defaultModel = { endpoint, model };
    this.#deps.plugin.app.saveLocalStorage(DEFAULT_MODEL, this.#defaultModel);
    if (!this.#isModelChosen) this.#deps.changed();
  }

  /**
   * Loads the settings that another device saved, so that the next change here builds on them.
   * Looser ones are held. Ignores an unreadable file.
   */
  reload(): Promise<void> {
    return this.#queue.run(async () => {
      const found = await readSettings(this.#deps);
      if (found.kind !== 'saved') return;
      await this.#take(found.saved);
      this.#deps.changed();
    });
  }

  /** Applies settings to this run without saving them; reports invalid ones. */
  override(changes: Record<string, unknown>): void {
    const { settings, problems } = applySettings(this.current(), changes);
    const valid = Object.entries(settings).filter(([name]) => Object.hasOwn(changes, name));
    this.#overrides = { ...this.#overrides, ...Object.fromEntries(valid) };
    this.#deps.changed();
    this.problems.push(...problems);
  }

  /**
   * Saves the settings that `make` changes, which need no confirmation here; overrides stay unsaved.
   * Changes run one at a time, each on the result of the previous one. Rejects when the file can't
   * be written.
   */
  change(make: (now: Settings) => Settings): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#isRead) throw new Error(settingsText.fileLocked(''));
      const now = this.current();
      const changed = Object.fromEntries(
        Object.entries(make(now)).filter(([name, value]) => now[name as keyof Settings] !== value),
      );
      await this.#save(changed, this.#isModelChosen || 'model' in changed);
      this.#apply(changed);
      for (const name of Object.keys(changed)) delete this.#overrides[name as keyof Settings];
      this.#deps.changed();
    });
  }

  async #save(changed: Partial<Settings>, isModelChosen: boolean): Promise<void> {
    const settings = { ...this.#saved, ...changed };
    await this.#deps.plugin.saveData(toSavedSettings(settings, isModelChosen));
    this.#saved = settings;
    this.#isModelChosen = isModelChosen;
  }

  /** @param confirmed what the user of this device has changed or allowed */
  #apply(confirmed: Partial<Settings> = {}): void {
    this.#inForce = settingsInForce({ ...this.#ownSettings(), ...confirmed }, this.#saved);
    // Stricter values stay in force, so that an older file cannot loosen them again.
    const { app } = this.#deps.plugin;
    const next = toSavedSettings(rememberedSettings(this.#inForce));
    if (JSON.stringify(next) !== JSON.stringify(app.loadLocalStorage(IN_FORCE)))
      app.saveLocalStorage(IN_FORCE, next);
  }

  /** Reads the storage each time, because another window of this vault may have written it. */
  #ownSettings(): Settings {
    return loadSettings(this.#deps.plugin.app.loadLocalStorage(IN_FORCE)).settings;
  }
}

function defaultModelFrom(stored: unknown): DefaultModel | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { endpoint, model } = stored as Partial<Record<keyof DefaultModel, unknown>>;
  return typeof endpoint === 'string' && typeof model === 'string' ? { endpoint, model } : null;
}

/** `locked`: the file is there and cannot be read now. `damaged`: it was read and is not JSON. */
type FoundSettings =
  | { readonly kind: 'saved'; readonly saved: unknown }
  | { readonly kind: 'missing' | 'damaged' }
  | { readonly kind: 'locked'; readonly reason: string };

/** For a file that it cannot read or parse, Obsidian returns null as for a missing one. */
async function readSettings({ plugin }: SettingsFileDeps): Promise<FoundSettings> {
  const loaded: unknown = (await plugin.loadData().catch(() => null)) ?? null;
  if (loaded !== null) return { kind: 'saved', saved: loaded };
  const { adapter } = plugin.app.vault;
  const path = `${plugin.manifest.dir ?? ''}/data.json`;
  try {
    if (!(await adapter.exists(path))) return { kind: 'missing' };
    const saved = parseJson(await adapter.read(path)) ?? null;
    return saved === null ? { kind: 'damaged' } : { kind: 'saved', saved };
  } catch (error) {
    return { kind: 'locked', reason: String(error) };
  }
}

/** Moves a damaged file aside, because the next change of a setting would overwrite it. Says so. */
async function keepDamaged({ plugin }: SettingsFileDeps): Promise<string> {
  const folder = plugin.manifest.dir ?? '';
  const { adapter } = plugin.app.vault;
  const aside = `${folder}/data.damaged.json`;
  if (await adapter.exists(aside)) await adapter.remove(aside);
  await adapter.rename(`${folder}/data.json`, aside);
  return settingsText.fileDamaged(aside);
}

/**
 * Keeps a copy of a file of which not everything was taken over, because the next change of a
 * setting writes only what was.
 */
async function keepCopy({ plugin }: SettingsFileDeps, saved: unknown): Promise<string> {
  const copy = `${plugin.manifest.dir ?? ''}/data.copy.json`;
  try {
    await plugin.app.vault.adapter.write(copy, JSON.stringify(saved, null, 2));
    return settingsText.fileCopied(copy);
  } catch {
    return settingsText.fileNotCopied;
  }
}
