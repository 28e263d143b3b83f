/** Settings that the panel shows and changes, and whether there is an API key. */
import type { ModelPrice } from '#model/model-price';
import type { Settings } from '#model/settings';
import type { Agent } from '#ports/agent';
import type { ConnectionCheck } from '#ports/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import type { Ui } from '#ports/ui';

export class SettingsState {
  readonly #agent: Agent;
  readonly #ui: Ui;
  #now = $state.raw() as Settings;
  #hasKey = $state(false);
  #models = $state.raw<readonly ModelInfo[]>([]);
  #verdict = $state<ConnectionCheck | 'checking' | null>(null);

  constructor(agent: Agent, ui: Ui) {
    this.#agent = agent;
    this.#ui = ui;
    this.#now = agent.settings.current();
    this.#hasKey = ui.hasKey();
  }

  get now(): Settings {
    return this.#now;
  }

  /** False while no request can be sent: no key, and an endpoint that requires one. */
  get canAsk(): boolean {
    return this.#hasKey || this.#now.compatibility;
  }

  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  /** Result of the last key check. */
  get verdict(): ConnectionCheck | 'checking' | null {
    return this.#verdict;
  }

  /** The chosen model's display name, without the vendor's. */
  get modelName(): string {
    return this.nameOf(this.#now.model);
  }

  nameOf(model: string): string {
    const known = this.#models.find(({ id }) => id === model)?.name;
    return known?.replace(/^Claude /, '') ?? readable(model);
  }

  /** The settings tab may have changed them. */
  reload(): void {
    this.#now = this.#agent.settings.current();
    this.#hasKey = this.#ui.hasKey();
  }

  async loadModels(): Promise<readonly ModelInfo[]> {
    this.#models = await this.#agent.settings.models();
    return this.#models;
  }

  /** By the current prices; null if the model's price is unknown. */
  price(model: string): ModelPrice | null {
    // Prices are settings, so costs on screen change with them.
    return this.now.prices[model] ?? this.#agent.usage.price(model);
  }

  async set(changes: Partial<Settings>): Promise<boolean> {
    const asked = await this.#agent.settings.set(changes);
    if (asked.ok) this.#now = asked.settings;
    else this.#ui.notice(asked.problem);
    return asked.ok;
  }

  /** Adds a line to the instructions. Returns false if it could not be saved. */
  remember(line: string): Promise<boolean> {
    const { instructions } = this.#agent.settings.current();
    return this.set({ instructions: [instructions.trimEnd(), line].filter(Boolean).join('\n') });
  }

  /** Saves the key and checks it. */
  async tryKey(key: string): Promise<void> {
    this.#verdict = 'checking';
    try {
      this.#ui.saveKey(key.trim());
      this.#verdict = await this.#agent.settings.checkConnection();
    } finally {
      if (this.#verdict === 'checking') this.#verdict = null;
    }
    // A rejected key is not used.
    if (this.#verdict?.ok) this.reload();
  }
}

/** Shortens `claude-haiku-4-5-20251001` to "Haiku 4.5". */
function readable(id: string): string {
  const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(id);
  if (!match) return id;
  const [, family = '', major = '', minor] = match;
  const name = family.charAt(0).toUpperCase() + family.slice(1);
  return `${name} ${minor ? `${major}.${minor}` : major}`;
}
