/** Hits as they are found, until there are enough of them or nobody wants more. */
import type { HistorySearchOptions, SearchHit } from '#ports/history';

const MOST_HITS = 100;

export class Hits {
  readonly all: SearchHit[] = [];
  readonly #options: HistorySearchOptions;
  readonly #stop = new AbortController();
  readonly #asked = () => this.#stop.abort();

  constructor(options: HistorySearchOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#asked);
    if (options.signal?.aborted) this.#stop.abort();
  }

  /** Aborted when no more are taken. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  add(hit: SearchHit): void {
    if (this.signal.aborted) return;
    const { limit = MOST_HITS, onHit } = this.#options;
    this.all.push(hit);
    onHit?.(hit);
    if (this.all.length >= limit) this.#stop.abort();
  }

  close(): void {
    this.#options.signal?.removeEventListener('abort', this.#asked);
  }
}
