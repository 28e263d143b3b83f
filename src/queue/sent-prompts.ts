/**
 * Stores prompts under their hash. A conversation that continues after a restart must send exactly
 * the same bytes again, or the model's thinking and the cache are lost.
 */
import type { Prompt } from '#ports/model-provider';
import type { Storage } from '#ports/storage';

/**
 * Also the version of the form in which history is sent. The API checks that everything before a
 * model's thinking is unchanged, so a conversation with an earlier form continues under a new
 * prompt, without its old thinking.
 */
const VERSION = 2;

interface SavedPrompt {
  readonly version: typeof VERSION;
  readonly model: string;
  readonly prompt: Prompt;
}

export class SentPrompts {
  readonly #store: Storage;
  readonly #folder: string;
  readonly #hash: (text: string) => Promise<string>;
  readonly #known = new Map<string, SavedPrompt>();
  readonly #unsaved = new Set<string>();

  constructor(store: Storage, folder: string, hash: (text: string) => Promise<string>) {
    this.#store = store;
    this.#folder = folder;
    this.#hash = hash;
  }

  /**
   * Saves a prompt, for which nothing waits, and returns its hash. The hash includes the model,
   * because thinking belongs to one model and prompt.
   */
  async keep(prompt: Prompt, model: string): Promise<string> {
    const hash = await this.#hashOf(model, prompt);
    if (!this.#known.has(hash)) {
      this.#known.set(hash, { version: VERSION, model, prompt });
      this.#unsaved.add(hash);
    }
    this.#saveAll();
    return hash;
  }

  /** A prompt that cannot be saved, because the disk is full, is tried again with the next use. */
  #saveAll(): void {
    for (const hash of this.#unsaved) {
      this.#unsaved.delete(hash);
      this.#save(hash).catch(() => this.#unsaved.add(hash));
    }
  }

  async #save(hash: string): Promise<void> {
    const path = this.#path(hash);
    if ((await this.#store.read(path)) !== null) return;
    await this.#store.write(path, JSON.stringify(this.#known.get(hash)));
  }

  /**
   * Null if the prompt is lost or was changed in its file; the conversation then continues from its text under a new one.
   * Rejects if its file cannot be read now, because a new prompt would lose the model's thinking.
   */
  async get(hash: string): Promise<Prompt | null> {
    this.#saveAll();
    const known = this.#known.get(hash);
    if (known) return known.prompt;
    const text = await this.#store.read(this.#path(hash));
    if (text === null) return null;
    try {
      const saved = JSON.parse(text) as SavedPrompt;
      if ((await this.#hashOf(saved.model, saved.prompt)) !== hash) return null;
      this.#known.set(hash, saved);
      return saved.prompt;
    } catch {
      return null;
    }
  }

  #hashOf(model: string, prompt: Prompt): Promise<string> {
    return this.#hash(JSON.stringify([VERSION, model, prompt]));
  }

  #path(hash: string): string {
    return `${this.#folder}/${hash}.json`;
  }
}
