/**
 * Prompts as they were sent, kept under their hash: a conversation that goes on after a restart has to send the very
 * bytes it began with, or the model's thinking and the cache are lost.
 */
import type { Prompt } from '#ports/model-provider';
import type { Storage } from '#ports/storage';

/**
 * Also stands for the form in which a history is sent. The API checks that all before a model's thinking is unchanged,
 * so a conversation of an earlier form goes on under a new prompt, and without its old thinking.
 */
const VERSION = 2;

interface SavedPrompt {
  readonly version: typeof VERSION;
  readonly prompt: Prompt;
}

export class SentPrompts {
  readonly #store: Storage;
  readonly #folder: string;
  readonly #hash: (text: string) => Promise<string>;
  readonly #known = new Map<string, Prompt>();

  constructor(store: Storage, folder: string, hash: (text: string) => Promise<string>) {
    this.#store = store;
    this.#folder = folder;
    this.#hash = hash;
  }

  /** Keeps it and gives its hash, which the model is part of: thinking belongs to one model under one prompt. */
  async keep(prompt: Prompt, model: string): Promise<string> {
    const hash = await this.#hash(JSON.stringify([VERSION, model, prompt]));
    if (this.#known.has(hash)) return hash;
    const path = this.#path(hash);
    if ((await this.#store.read(path)) === null) {
      const saved: SavedPrompt = { version: VERSION, prompt };
      await this.#store.write(path, JSON.stringify(saved));
    }
    this.#known.set(hash, prompt);
    return hash;
  }

  /** Null if it is lost; then the conversation goes on from its text under a new one. */
  async get(hash: string): Promise<Prompt | null> {
    const known = this.#known.get(hash);
    if (known) return known;
    try {
      const text = await this.#store.read(this.#path(hash));
      if (text === null) return null;
      const saved = JSON.parse(text) as SavedPrompt;
      if (saved.version !== VERSION) return null;
      this.#known.set(hash, saved.prompt);
      return saved.prompt;
    } catch {
      return null;
    }
  }

  #path(hash: string): string {
    return `${this.#folder}/${hash}.json`;
  }
}
