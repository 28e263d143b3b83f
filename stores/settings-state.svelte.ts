/** The settings that the panel shows and changes, and whether there is a key. */
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

  /** False while nothing can be asked: no key, and an endpoint that wants one. */
  get canAsk(): boolean {
    return this.#hasKey || this.#now.compatibility;
  }

  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  /** What the last check of the key showed. */
  get verdict(): ConnectionCheck | 'checking' | null {
    return this.#verdict;
  }

  /** The name that people know the chosen model by, without the maker's. */
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

  /** By the prices in force; null where that of the model is not known. */
  price(model: string): ModelPrice | null {
    // Prices are settings, and whoever shows a cost shows another one when they change.
    return this.now.prices[model] ?? this.#agent.usage.price(model);
  }

  async set(changes: Partial<Settings>): Promise<boolean> {
    const asked = await this.#agent.settings.set(changes);
    if (asked.ok) this.#now = asked.settings;
    else this.#ui.notice(asked.problem);
    return asked.ok;
  }

  /** Adds a line to the instructions. False where it could not be kept. */
  remember(line: string): Promise<boolean> {
    const { instructions } = this.#agent.settings.current();
    return this.set({ instructions: [instructions.trimEnd(), line].filter(Boolean).join('\n') });
  }

  /** Keeps the key, and says whether it works. */
  async tryKey(key: string): Promise<void> {
    this.#verdict = 'checking';
    try {
      this.#ui.saveKey(key.trim());
      this.#verdict = await this.#agent.settings.checkConnection();
    } finally {
      if (this.#verdict === 'checking') this.#verdict = null;
    }
    // A key that was refused is not one that the panel goes on with.
    if (this.#verdict?.ok) this.reload();
  }
}

/** `claude-haiku-4-5-20251001` as "Haiku 4.5". */
function readable(id: string): string {
  const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(id);
  if (!match) return id;
  const [, family = '', major = '', minor] = match;
  const name = family.charAt(0).toUpperCase() + family.slice(1);
  return `${name} ${minor ? `${major}.${minor}` : major}`;
}
