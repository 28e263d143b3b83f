/** Retries failed requests, and those that are stuck because their files could not be written. */
import type { RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import { delayAfter } from '#ports/retry';
import type { QueueContext } from './queue-context';
import { MINUTE_MS, REQUEST_RETRIES, type RetryCause, retryCause } from './request-retry-schedule';

interface StuckRequest {
  /** How often it got stuck. */
  readonly count: number;
  /** Null if only the user or a completed turn retries it. */
  readonly nextTry: number | null;
  /** False while it is retried. */
  readonly isSkipped: boolean;
}

export class RequestRetries {
  readonly #deps: QueueContext;
  readonly #retry: (requestId: RequestId) => Promise<unknown>;
  readonly #stuck = new Map<RequestId, StuckRequest>();
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  /** @param retry puts a failed or stuck request back into the queue */
  constructor(deps: QueueContext, retry: (requestId: RequestId) => Promise<unknown>) {
    this.#deps = deps;
    this.#retry = retry;
  }

  /** Requests that the queue skips until they are retried, if it still has them. */
  get stuck(): readonly RequestId[] {
    const { inbox } = this.#deps;
    return [...this.#stuck].flatMap(([id, { isSkipped }]) =>
      isSkipped && inbox.get(id) ? [id] : [],
    );
  }

  isStuck(id: RequestId): boolean {
    return this.#stuck.get(id)?.isSkipped ?? false;
  }

  /** Skips the request from now on. Returns whether it got stuck for the first time. */
  skip(id: RequestId, isTimed: boolean): boolean {
    const count = (this.#stuck.get(id)?.count ?? 0) + 1;
    const nextTry = this.#deps.clock.now() + delayAfter(count, REQUEST_RETRIES);
    this.#stuck.set(id, { count, nextTry: isTimed ? nextTry : null, isSkipped: true });
    this.plan();
    return count === 1;
  }

  /** The request may run again, and may get stuck again. */
  unskip(id: RequestId): void {
    const stuck = this.#stuck.get(id);
    if (stuck) this.#stuck.set(id, { ...stuck, isSkipped: false });
  }

  /** The request has ended. */
  forget(id: RequestId): void {
    this.#stuck.delete(id);
  }

  /** Files can be written again, or at least those of another turn could. */
  async retryStuck(): Promise<void> {
    await this.#retryAll(this.stuck);
  }

  /**
   * Retries requests that failed for these causes: at load, when back online, and after a
   * successful check or turn.
   */
  async retryCauses(...causes: readonly RetryCause[]): Promise<void> {
    const failed = this.#failed().filter(({ failure }) => causes.includes(retryCause(failure)));
    await this.#retryAll(failed.map(({ request }) => request.id));
  }

  /** Sets the timer for the next retry. Call it after a request has failed. */
  plan(atLeast = 0): void {
    this.#cancelTimer();
    if (this.#closed) return;
    const first = Math.min(...this.#timed().map(({ at }) => at));
    if (first === Infinity) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.after(Math.max(atLeast, first - clock.now()), () => {
      const due = this.#timed().filter(({ at }) => at <= clock.now());
      void this.#retryAll(due.map(({ id }) => id));
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #retryAll(ids: readonly RequestId[]): Promise<void> {
    let refused = false;
    for (const id of ids) {
      if (this.#closed) return;
      // If its file cannot be written, the request stays as it is and the user can retry it.
      await this.#retry(id).catch(() => (refused = true));
    }
    this.plan(refused ? MINUTE_MS : 0);
  }

  #timed(): { readonly id: RequestId; readonly at: number }[] {
    const failed = this.#failed().map(({ request: { id }, nextTry }) => ({ id, at: nextTry }));
    const stuck = this.stuck.map((id) => ({ id, at: this.#stuck.get(id)?.nextTry ?? null }));
    return [...failed, ...stuck].flatMap(({ id, at }) => (at === null ? [] : [{ id, at }]));
  }

  #failed(): Extract<QueuedRequest, { state: 'failed' }>[] {
    const { inbox, device } = this.#deps;
    return inbox
      .requests()
      .flatMap((queued) => (queued.state === 'failed' && queued.device === device ? [queued] : []));
  }
}
