/** Runs an engine: takes messages, and works in slices between which it takes further ones. */
import { type SliceClock, Slices } from '#ports/slices';
import { type EngineStep, WAIT } from './document-supply';
import {
  type FromEngine,
  type SearchKind,
  type SearchKinds,
  type SearchOf,
  type ToEngine,
  unpackDocuments,
} from './engine-protocol';
import { allReplacements } from './replacements';
import type { SearchEngine } from './search-engine';

/** The clock's pause resolves when waiting messages have been taken. */
export interface EngineLoopDeps extends SliceClock {
  readonly engine: SearchEngine;
  send(message: FromEngine): void;
}

/** Characters of text between two reports of progress. */
const REPORT_CHARS = 4_000_000;

interface WaitingSearch {
  readonly id: number;
  readonly search: SearchOf;
}

export class EngineLoop {
  readonly #deps: EngineLoopDeps;
  readonly #waiting: WaitingSearch[] = [];
  readonly #stopped = new Set<number>();
  #isRunning = false;
  #isClosed = false;
  /** Resumes a search that waits for a text. */
  #wake: (() => void) | null = null;

  constructor(deps: EngineLoopDeps) {
    this.#deps = deps;
  }

  take(message: ToEngine): void {
    const { engine } = this.#deps;
    switch (message.do) {
      case 'declare':
        for (const document of unpackDocuments(message.documents)) engine.declare(document);
        break;
      case 'put': {
        const { numbers, bytes, starts, lengths } = message.batch;
        for (const [place, number] of numbers.entries()) {
          const length = lengths[place]!;
          engine.supply(number, length < 0 ? null : new Uint8Array(bytes, starts[place], length));
        }
        break;
      }
      case 'put-text':
        engine.put(message.number, message.path, message.text);
        break;
      case 'remove':
        for (const number of message.numbers) engine.remove(number);
        break;
      case 'stop':
        this.#stop(message.id);
        break;
      case 'search':
        this.#waiting.push({ id: message.id, search: message });
        break;
    }
    this.#wake?.();
    if (this.#waiting.length > 0 && !this.#isRunning) void this.#run();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await this.#deps.pause();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (this.#isClosed) break;
      await this.#search(next);
    }
    this.#isRunning = false;
  }

  /** A search that has not begun ends at once, so that no other work delays the answer. */
  #stop(id: number): void {
    const at = this.#waiting.findIndex((each) => each.id === id);
    if (at < 0) {
      this.#stopped.add(id);
      return;
    }
    this.#waiting.splice(at, 1);
    this.#deps.send({ says: 'stopped', id });
  }

  async #search({ id, search }: WaitingSearch): Promise<void> {
    const { send } = this.#deps;
    send({ says: 'progress', id });
    try {
      const steps = this.#stepsOf(search);
      let unreported = 0;
      const slices = new Slices(this.#deps);
      for (;;) {
        if (this.#isClosed) return;
        if (this.#stopped.delete(id)) return send({ says: 'stopped', id });
        const step = steps.next();
        if (step.done) {
          return send({ says: 'result', id, result: step.value });
        }
        if (step.value === WAIT) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          this.#wake = null;
          slices.resumed();
          continue;
        }
        if (typeof step.value === 'number') unreported += step.value;
        else send({ says: 'needs', id, numbers: step.value });
        if (unreported >= REPORT_CHARS) {
          unreported = 0;
          send({ says: 'progress', id });
        }
        if (slices.isDue) await slices.pause();
      }
    } catch (error) {
      send({ says: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#stopped.delete(id);
    }
  }

  #stepsOf(search: SearchOf): Iterator<EngineStep, SearchKinds[SearchKind]['result']> {
    const { engine } = this.#deps;
    switch (search.kind) {
      case 'grep':
        return engine.grep(search.search);
      case 'index':
        return engine.index(search.search);
      case 'rank':
        return engine.rank(search.search);
      case 'replace':
        return allReplacements(search.search);
    }
  }
}
