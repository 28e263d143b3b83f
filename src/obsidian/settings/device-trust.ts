/** What this device trusts of the settings, kept in local storage because that does not sync. */
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { applySettings } from '#model/settings-validation';
import { isRecord } from '#text/untrusted-text';
import {
  guardedSettings,
  heldKey,
  heldValues,
  judgeSettings,
  type HeldChange,
} from '#model/trusted-settings';

export interface LocalStorage {
  load(key: string): unknown;
  save(key: string, value: unknown): void;
}

const KEY = 'parley-trusted-settings';

export class DeviceTrust {
  readonly #storage: LocalStorage;
  #held: readonly HeldChange[] = [];

  constructor(storage: LocalStorage) {
    this.#storage = storage;
  }

  /** The settings of this device; those that need no trust have their defaults. */
  get own(): Settings {
    return this.#read().trusted;
  }

  /** Looser settings from another device that the user has not decided on. */
  get held(): readonly HeldChange[] {
    const { declined } = this.#read();
    return this.#held.filter((each) => !declined.includes(heldKey(each)));
  }

  /** Number of looser settings that the user has declined here and that are still saved. */
  get declined(): number {
    return this.#held.length - this.held.length;
  }

  /** Returns what applies of the saved settings; what is stricter is trusted from now on. */
  judge(saved: Settings): Settings {
    const { trusted: own, declined } = this.#read();
    const { applied, trusted, held } = judgeSettings(own, saved);
    this.#held = held;
    const keys = held.map(heldKey);
    this.#save(
      trusted,
      declined.filter((each) => keys.includes(each)),
    );
    return applied;
  }

  /** Trusts what the user has changed on this device. */
  trust(changes: Partial<Settings>): void {
    const { trusted, declined } = this.#read();
    this.#save({ ...trusted, ...guardedSettings(changes) }, declined);
  }

  /** Trusts exactly what was shown; later changes stay held. */
  accept(shown: readonly HeldChange[]): void {
    for (const each of this.#current(shown)) this.trust(heldValues(each));
  }

  /** Keeps this device's values until another device saves others. */
  decline(shown: readonly HeldChange[]): void {
    const { trusted, declined } = this.#read();
    this.#save(trusted, [...declined, ...this.#current(shown).map(heldKey)]);
  }

  /** Asks again about what was declined. */
  reconsider(): void {
    this.#save(this.#read().trusted, []);
  }

  #current(shown: readonly HeldChange[]): readonly HeldChange[] {
    const keys = shown.map(heldKey);
    return this.#held.filter((each) => keys.includes(heldKey(each)));
  }

  /** Reads the storage each time, because another window of this vault may have written it. */
  #read(): { readonly trusted: Settings; readonly declined: readonly string[] } {
    const stored = this.#storage.load(KEY);
    const { settings, declined } = isRecord(stored) ? stored : {};
    return {
      trusted: isRecord(settings)
        ? applySettings(DEFAULT_SETTINGS, { ...guardedSettings(settings) }).settings
        : DEFAULT_SETTINGS,
      declined: Array.isArray(declined) ? declined.filter((each) => typeof each === 'string') : [],
    };
  }

  #save(trusted: Settings, declined: readonly string[]): void {
    // Only what differs, so that a default that becomes looser in a new version needs no consent.
    const settings = Object.fromEntries(
      Object.entries(guardedSettings(trusted)).filter(
        ([name, value]) =>
          JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
      ),
    );
    const next = JSON.stringify({ settings, declined });
    const before = this.#storage.load(KEY);
    const isEmpty = Object.keys(settings).length === 0 && declined.length === 0;
    if (next === JSON.stringify(before) || (isEmpty && (before ?? null) === null)) return;
    this.#storage.save(KEY, { settings, declined });
  }
}
