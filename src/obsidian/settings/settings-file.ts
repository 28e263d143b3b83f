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
import { trustedWith, type HeldChange } from '#model/trusted-settings';
import { DeviceTrust } from './device-trust';
import type { Clock } from '#ports/clock';
import { parseJson } from '#ports/line-file';
import { delayAfter, type RetryDelays } from '#ports/retry';
import { SerialQueue } from '#ports/serial-queue';

export interface SettingsFileDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Called after the settings have changed. */
  changed(): void;
  /** Receives a sentence for the user about a value that was rejected. */
  report(problem: string): void;
}

/** How long a file may be locked by a virus scanner, or a cloud drive may take to download it. */
const READ_DELAYS: RetryDelays = { delays: [100, 400, 1_000, 3_000, 6_000], repeats: false };

/** Key in the local storage of this device. */
const DEFAULT_MODEL = 'parley-default-model';

/** The default model of an endpoint, from its own list of models. */
interface DefaultModel {
  readonly endpoint: string;
  readonly model: string;
}

export class SettingsFile {
  readonly #deps: SettingsFileDeps;
  readonly #trust: DeviceTrust;
  /** As in the file. */
  #saved: Settings;
  /** What applies of them on this device. */
  #applied: Settings;
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
    this.#trust = new DeviceTrust({
      load: (key) => app.loadLocalStorage(key) as unknown,
      save: (key, value) => app.saveLocalStorage(key, value),
    });
    this.#saved = loadSettings(null, this.#trust.own).settings;
    this.#applied = this.#saved;
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
          await keepDamaged(this.#deps);
          await this.#take(null);
        } else await this.#deps.clock.sleep(delay);
      }
    });
  }

  async #take(saved: unknown): Promise<void> {
    const { settings, problems } = loadSettings(saved, this.#trust.own);
    this.#saved = settings;
    this.#applied = this.#trust.judge(settings);
    this.#isModelChosen = hasSavedModel(saved);
    this.#isRead = true;
    problems.forEach((problem) => this.#deps.report(problem));
    if (problems.length > 0) await keepCopy(this.#deps, saved);
  }

  current(): Settings {
    const { endpoint } = this.#applied;
    const known = this.#isModelChosen ? null : this.#defaultModel;
    const model = known?.endpoint === endpoint ? { model: known.model } : {};
    return { ...this.#applied, ...model, ...this.#overrides };
  }

  /** Looser settings from another device that do not apply until the user accepts them here. */
  get held(): readonly HeldChange[] {
    return this.#trust.held;
  }

  /** Number of such settings that the user has declined on this device. */
  get declined(): number {
    return this.#trust.declined;
  }

  /** @param shown what the user was shown; anything else stays held */
  acceptHeld(shown: readonly HeldChange[]): Promise<void> {
    return this.#decide(() => this.#trust.accept(shown));
  }

  declineHeld(shown: readonly HeldChange[]): Promise<void> {
    return this.#decide(() => this.#trust.decline(shown));
  }

  /** Shows declined settings again. */
  reconsiderHeld(): Promise<void> {
    return this.#decide(() => this.#trust.reconsider());
  }

  /** Takes the default model from the list of the endpoint, for users who chose none. */
  setDefaultModel(model: string): void {
    const { endpoint } = this.#applied;
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
    problems.forEach((problem) => this.#deps.report(problem));
  }

  /**
   * Saves and trusts the settings that `make` changes, with those that are only trusted together
   * with them; overrides stay unsaved. Changes run one at a time, each on the result of the previous
   * one. Rejects when the file can't be written.
   */
  change(make: (now: Settings) => Settings): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#isRead) throw new Error(settingsText.fileLocked(''));
      const now = this.current();
      const changed = Object.fromEntries(
        Object.entries(make(now)).filter(([name, value]) => now[name as keyof Settings] !== value),
      );
      const names = Object.keys(changed) as (keyof Settings)[];
      const own = Object.fromEntries(
        names.flatMap(trustedWith).map((name) => [name, this.#applied[name]]),
      );
      const settings = { ...this.#saved, ...own, ...changed };
      const isModelChosen = this.#isModelChosen || 'model' in changed;
      await this.#deps.plugin.saveData(toSavedSettings(settings, isModelChosen));
      this.#saved = settings;
      this.#trust.trust({ ...own, ...changed });
      this.#applied = this.#trust.judge(settings);
      this.#isModelChosen = isModelChosen;
      for (const name of Object.keys(changed)) delete this.#overrides[name as keyof Settings];
      this.#deps.changed();
    });
  }

  #decide(decision: () => void): Promise<void> {
    return this.#queue.run(() => {
      decision();
      this.#applied = this.#trust.judge(this.#saved);
      this.#deps.changed();
    });
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

/** Moves a damaged file aside, because the next change of a setting would overwrite it. */
async function keepDamaged({ plugin, report }: SettingsFileDeps): Promise<void> {
  const folder = plugin.manifest.dir ?? '';
  const { adapter } = plugin.app.vault;
  const aside = `${folder}/data.damaged.json`;
  if (await adapter.exists(aside)) await adapter.remove(aside);
  await adapter.rename(`${folder}/data.json`, aside);
  report(settingsText.fileDamaged(aside));
}

/**
 * Keeps a copy of a file of which not everything was taken over, because the next change of a
 * setting writes only what was.
 */
async function keepCopy({ plugin, report }: SettingsFileDeps, saved: unknown): Promise<void> {
  const copy = `${plugin.manifest.dir ?? ''}/data.copy.json`;
  try {
    await plugin.app.vault.adapter.write(copy, JSON.stringify(saved, null, 2));
    report(settingsText.fileCopied(copy));
  } catch {
    report(settingsText.fileNotCopied);
  }
}
