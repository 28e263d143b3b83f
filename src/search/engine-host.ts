/** Sends searches to the engine in its worker, and ends an engine that makes no progress. */
import type { DeclaredDocument } from './word-index';
import type { Clock } from '#ports/clock';
import { compilePattern } from './pattern';
import {
  type DocumentBatch,
  type EngineLink,
  type FromEngine,
  packDocuments,
  type SearchKind,
  type SearchKinds,
  type SearchOf,
  type StartEngine,
} from './engine-protocol';

/**
 * A search whose pattern may try endless ways to match is ended if it handles less than four megabytes
 * of text in this time. Other searches only wait for a busy computer.
 */
const STALL_MS = 1_500;

/** Milliseconds until an engine is ended that does not stop matching a pattern. */
const STOP_MS = 300;

export type EngineAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  /** `stopped`: by its signal. `too-slow`: the pattern. `broken`: the engine; a retry may work. */
  | {
      readonly ok: false;
      readonly kind: 'stopped' | 'too-slow' | 'broken';
      readonly reason: string;
    };

interface RunningSearch {
  readonly id: number;
  heard(message: FromEngine): void;
  failed(problem: string): void;
}

export class EngineHost {
  readonly #start: StartEngine;
  readonly #clock: Clock;
  #link: EngineLink | null = null;
  #engines = 0;
  #searches = 0;
  #running: RunningSearch | null = null;
  /** Resolves when the engine has stopped the last search or was ended. */
  #free: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param start must return a link */
  constructor(start: StartEngine, clock: Clock) {
    this.#start = start;
    this.#clock = clock;
  }

  /**
   * The number of the running engine, which is started if there is none. A new one is empty. After
   * `close`, no engine has this number.
   */
  get engine(): number {
    if (this.#isClosed) return 0;
    this.#started();
    return this.#engines;
  }

  get isRunning(): boolean {
    return this.#link !== null;
  }

  /** Ignored if the engine that asked for the texts has ended. */
  put(batch: DocumentBatch): void {
    this.#link?.post({ do: 'put', batch }, [batch.bytes]);
  }

  /** Ignored, like `putText`, unless this engine is the running one. */
  declare(engine: number, documents: readonly DeclaredDocument[]): void {
    this.#linkOf(engine)?.post({ do: 'declare', documents: packDocuments(documents) });
  }

  putText(engine: number, number: number, path: string, text: string): void {
    this.#linkOf(engine)?.post({ do: 'put-text', number, path, text });
  }

  remove(numbers: readonly number[]): void {
    this.#link?.post({ do: 'remove', numbers });
  }

  /**
   * Resolves at once when the signal aborts. One search at a time. It is `broken` unless the engine
   * is the running one, because another engine does not know the documents.
   *
   * @param supply gives the engine the texts of these documents, or removes the documents
   */
  async search<Kind extends SearchKind>(
    engine: number,
    kind: Kind,
    search: SearchKinds[Kind]['search'],
    signal: AbortSignal,
    supply: (numbers: Uint32Array) => Promise<void> = () => Promise.resolve(),
  ): Promise<EngineAnswer<SearchKinds[Kind]['result']>> {
    await this.#free;
    if (signal.aborted) return STOPPED;
    const link = this.#linkOf(engine);
    if (!link) return { ok: false, kind: 'broken', reason: 'The search engine has ended.' };
    const mayHang = couldRunForever({ kind, search } as SearchOf);
    const id = (this.#searches += 1);
    return new Promise((resolve) => {
      let free: () => void = () => undefined;
      let cancel: () => void = () => undefined;
      const watch = (milliseconds: number, why: 'too-slow' | 'stopped') => {
        cancel();
        cancel = this.#clock.after(milliseconds, () => {
          this.#end();
          finish({ ok: false, kind: why, reason: why });
        });
      };
      const finish = (answer: EngineAnswer<SearchKinds[Kind]['result']>) => {
        cancel();
        signal.removeEventListener('abort', stop);
        this.#running = null;
        resolve(answer);
        free();
      };
      const stop = () => {
        this.#free = new Promise((freed) => (free = freed));
        resolve(STOPPED);
        link.post({ do: 'stop', id });
        // Any other search stops after its step, and a new engine would have to index again.
        if (mayHang) watch(STOP_MS, 'stopped');
      };
      let supplying = 0;
      const progressed = () => {
        if (!mayHang || signal.aborted) return;
        // The engine may be waiting for a slow disk.
        if (supplying > 0) cancel();
        else watch(STALL_MS, 'too-slow');
      };
      this.#running = {
        id,
        heard: (message) => {
          if (message.says === 'progress') progressed();
          if (message.says === 'needs') {
            supplying += 1;
            progressed();
            const supplied = () => {
              supplying -= 1;
              if (this.#running?.id === id) progressed();
            };
            void supply(message.numbers).then(supplied, supplied);
          }
          if (message.says === 'stopped') finish(STOPPED);
          if (message.says === 'failed') {
            finish({ ok: false, kind: 'too-slow', reason: message.reason });
          }
          if (message.says === 'result') {
            finish({ ok: true, result: message.result });
          }
        },
        failed: (problem) => finish({ ok: false, kind: 'broken', reason: problem }),
      };
      signal.addEventListener('abort', stop);
      link.post({ do: 'search', id, ...({ kind, search } as SearchOf) });
    });
  }

  /** Ends the engine for good. A search that runs is `broken`, as are later ones. */
  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#running?.failed('The search is closed.');
  }

  /** Null unless this engine is the running one. */
  #linkOf(engine: number): EngineLink | null {
    return engine === this.#engines ? this.#link : null;
  }

  #started(): EngineLink {
    if (this.#link) return this.#link;
    const link = this.#start({
      heard: (message) => {
        if (this.#link !== link) return;
        if (this.#running?.id === message.id) this.#running.heard(message);
      },
      failed: (problem) => {
        if (this.#link !== link) return;
        this.#end();
        this.#running?.failed(problem);
      },
    });
    if (!link) throw new Error('There is no search engine.');
    this.#engines += 1;
    return (this.#link = link);
  }

  #end(): void {
    this.#link?.close();
    this.#link = null;
  }
}

/** Whether only ending the engine's thread could stop the search. */
function couldRunForever({ kind, search }: SearchOf): boolean {
  if (kind !== 'grep' && kind !== 'replace') return false;
  return (kind === 'grep' ? [search] : search.rules).some((each) => {
    const compiled = compilePattern(each.written, each);
    return compiled.ok && !compiled.pattern.isBounded;
  });
}

const STOPPED = { ok: false, kind: 'stopped', reason: '' } as const;
