/**
 * The settings as shown and changed in the panel, the available models, and whether there is an API
 * key.
 */
import { modelNameFrom } from '#model/model-name';
import type { ModelPrice } from '#model/model-cost';
import type { Settings } from '#model/settings';
import type { PendingSetting } from '#model/settings-in-force';
import type { Agent } from '#ports/app/agent';
import type { ConnectionCheck } from '#ports/app/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import type { Ui } from '#ports/ui';
import { withInstruction } from '#text/lasting-wish';

export class SettingsState {
  readonly #agent: Agent;
  readonly #ui: Ui;
  #now = $state.raw() as Settings;
  #hasKey = $state(false);
  #models = $state.raw<readonly ModelInfo[]>([]);
  #pending = $state.raw<readonly PendingSetting[]>([]);
  #verdict = $state<ConnectionCheck | 'checking' | null>(null);

  constructor(agent: Agent, ui: Ui) {
    this.#agent = agent;
    this.#ui = ui;
    this.#now = agent.settings.current();
    this.#hasKey = ui.hasKey();
    this.lookAtPending();
  }

  get now(): Settings {
    return this.#now;
  }

  /** False if no request can be sent, because there is no key and the endpoint requires one. */
  get canAsk(): boolean {
    return this.#hasKey || this.#now.compatibility;
  }

  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  /** Settings in the file that wait for the user of this device. */
  get pending(): readonly PendingSetting[] {
    return this.#pending;
  }

  /** Result of the last connection check. */
  get verdict(): ConnectionCheck | 'checking' | null {
    return this.#verdict;
  }

  /** Display name of the chosen model, without "Claude". */
  get modelName(): string {
    return this.nameOf(this.#now.model);
  }

  nameOf(model: string): string {
    const known = this.#models.find(({ id }) => id === model)?.name;
    return (known ?? modelNameFrom(model)).replace(/^Claude /, '');
  }

  /** Reads the settings again, because the settings tab may have changed them. */
  reload(): void {
    this.#now = this.#agent.settings.current();
    this.#hasKey = this.#ui.hasKey();
    this.lookAtPending();
  }

  lookAtPending(): void {
    const pending = this.#agent.settings.pending();
    if (JSON.stringify(pending) !== JSON.stringify(this.#pending)) this.#pending = pending;
  }

  async decide(shown: readonly PendingSetting[], choice: 'allow' | 'keep'): Promise<void> {
    await this.#agent.settings.decide(shown, choice);
    this.reload();
  }

  async loadModels(): Promise<readonly ModelInfo[]> {
    this.#models = await this.#agent.settings.models();
    return this.#models;
  }

  /** Current price of a model; null if it is unknown. */
  price(model: string): ModelPrice | null {
    // Reading the settings here updates costs on screen when the user changes a price.
    return this.now.prices[model] ?? this.#agent.usage.price(model);
  }

  async set(changes: Partial<Settings>): Promise<boolean> {
    const asked = await this.#agent.settings.set(changes);
    if (asked.ok) this.#now = asked.settings;
    else this.#ui.notice(asked.reason);
    return asked.ok;
  }

  /** Appends a line to the instructions. Returns false if that could not be saved. */
  remember(line: string): Promise<boolean> {
    const { instructions } = this.#agent.settings.current();
    return this.set({ instructions: withInstruction(instructions, line) });
  }

  /** Saves an API key and checks the connection with it. */
  async tryKey(key: string): Promise<void> {
    const problem = this.#ui.saveKey(key.trim());
    if (problem !== null) return this.#ui.notice(problem);
    this.#verdict = 'checking';
    try {
      this.#verdict = await this.#agent.settings.checkConnection();
    } finally {
      if (this.#verdict === 'checking') this.#verdict = null;
    }
    // A key that was rejected does not count as set.
    if (this.#verdict?.ok) this.reload();
  }
}
