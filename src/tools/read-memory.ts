/**
 * What the agent last saw of each note in one conversation: what it read, or what its own last change left. Line
 * numbers and overwriting are judged by it. It is not saved: after a restart the agent reads again.
 */
export class ReadMemory {
  readonly #texts: Map<string, string>;

  constructor(texts: Iterable<[path: string, text: string]> = []) {
    this.#texts = new Map(texts);
  }

  /** For what may not leave a trace. */
  copy(): ReadMemory {
    return new ReadMemory(this.#texts);
  }

  /** Null: not read in this conversation. */
  of(path: string): string | null {
    return this.#texts.get(path) ?? null;
  }

  remember(path: string, text: string): void {
    this.#texts.set(path, text);
  }

  moved(from: string, to: string): void {
    for (const [path, text] of [...this.#texts]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#texts.delete(path);
      this.#texts.set(to + path.slice(from.length), text);
    }
  }

  forget(path: string): void {
    for (const known of [...this.#texts.keys()]) {
      if (known === path || known.startsWith(`${path}/`)) this.#texts.delete(known);
    }
  }
}
