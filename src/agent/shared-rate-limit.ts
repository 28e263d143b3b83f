/** The provider's rate limit, which all model calls share: turns, compactions and background calls. */
import type { Failure } from '#model/failure';
import type { Clock } from '#ports/clock';
import type { ModelEvent, ModelProvider, ModelRequest } from '#ports/model-provider';
import { delayAfter } from '#ports/retry';
import { MODEL_RETRIES } from './model-call';

/** After this time a call is sent even if the server named a later one, which may be wrong. */
const MAX_HOLD_MS = 10 * 60_000;

/** The server accepts no calls at the moment. */
interface Limit {
  readonly failure: Failure;
  /** How often in a row the server has refused the only call that was sent. */
  readonly refusals: number;
  /** When the server, or else the retry plan, lets a call be sent, in milliseconds since 1970. */
  readonly retryAt: number;
  /** Until then no call is sent. */
  readonly holdUntil: number;
}

type Refusal = Extract<ModelEvent, { type: 'failure' }>;

export interface SharedRateLimitDeps {
  readonly provider: ModelProvider;
  readonly clock: Pick<Clock, 'now' | 'random'>;
  /** Names what has a limit of its own, such as an endpoint with its key, and a model. */
  target(model: string): string;
}

/**
 * Sends no call while the server refuses them for their rate or its load. As soon as it has refused
 * one, other calls fail at once with the same failure and the time that is left, so that their
 * callers wait for it as if they had been refused themselves. When the time is over, a single call is
 * sent; others wait until it is accepted, or fail with it. However many turns run, the server thus
 * gets one request per wait, apart from those already sent when it refused the first.
 */
export class SharedRateLimit implements ModelProvider {
  readonly #deps: SharedRateLimitDeps;
  readonly #limits = new Map<string, Limit>();
  /** Calls that find out whether a limit is over. Each settles when that is known. */
  readonly #trials = new Map<string, Promise<void>>();

  constructor(deps: SharedRateLimitDeps) {
    this.#deps = deps;
  }

  /** Lets the next call ask the server whether a limit is over, because the user wants to know. */
  askAgain(): void {
    const now = this.#deps.clock.now();
    for (const [target, limit] of this.#limits) {
      this.#limits.set(target, { ...limit, retryAt: now, holdUntil: now });
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const target = this.#deps.target(request.model);
    for (;;) {
      if (signal.aborted) return;
      const held = this.#held(target);
      if (held) {
        yield held;
        return;
      }
      const trial = this.#trials.get(target);
      if (!trial) break;
      await settledOrAborted(trial, signal);
    }
    const finish = this.#limits.has(target) ? this.#begin(target) : null;
    let isOpen = finish === null;
    try {
      for await (const event of this.#deps.provider.stream(request, signal)) {
        // Another failure, such as of the network, says nothing about the limit.
        if (event.type === 'failure') {
          yield isLimited(event.failure) ? this.#refuse(target, event, !isOpen) : event;
          return;
        }
        if (!isOpen) {
          isOpen = true;
          this.#limits.delete(target);
          finish?.();
        }
        yield event;
      }
    } finally {
      finish?.();
    }
  }

  /** What a call gets instead of being sent; null if it may be sent. */
  #held(target: string): Refusal | null {
    const now = this.#deps.clock.now();
    const limit = this.#limits.get(target);
    if (!limit || limit.holdUntil <= now) return null;
    return { type: 'failure', failure: limit.failure, retryAfter: limit.retryAt - now };
  }

  /** Makes other calls wait for this one. Returns what ends their wait. */
  #begin(target: string): () => void {
    let settle = () => {};
    const trial = new Promise<void>((resolve) => (settle = resolve));
    this.#trials.set(target, trial);
    return () => {
      if (this.#trials.get(target) === trial) this.#trials.delete(target);
      settle();
    };
  }

  /** @param isTrial whether it was the only call sent since the last refusal */
  #refuse(target: string, { failure, retryAfter = 0 }: Refusal, isTrial: boolean): Refusal {
    const { clock } = this.#deps;
    const now = clock.now();
    const before = this.#limits.get(target);
    // Calls that were sent together and refused together count once.
    const refusals = (before?.refusals ?? 0) + (isTrial || !before ? 1 : 0);
    const delay = delayAfter(refusals, { ...MODEL_RETRIES, repeats: true }, clock.random());
    const known = isTrial ? 0 : (before?.retryAt ?? 0);
    const retryAt = Math.max(known, now + Math.max(delay, retryAfter));
    const holdUntil = Math.min(retryAt, now + MAX_HOLD_MS);
    this.#limits.set(target, { failure, refusals, retryAt, holdUntil });
    return { type: 'failure', failure, retryAfter: retryAt - now };
  }
}

function isLimited({ kind }: Failure): boolean {
  return kind === 'rate-limit' || kind === 'overloaded';
}

async function settledOrAborted(settled: Promise<void>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    void settled.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
