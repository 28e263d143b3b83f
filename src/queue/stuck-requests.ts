/** Requests whose files could not be written. The queue skips them until they are retried. */
import type { RequestId } from '#model/ids';
import type { Clock } from '#ports/clock';
import { delayAfter } from '#ports/retry';
import { REQUEST_RETRIES } from './request-retry-schedule';

export interface StuckRequestsDeps {
  readonly clock: Clock;
  retry(id: RequestId): Promise<unknown>;
}

export class StuckRequests {
  readonly #deps: StuckRequestsDeps;
  /** Cancels the timer of each stuck request. */
  readonly #timers = new Map<RequestId, () => void>();
  /** How often each request got stuck. */
  readonly #counts = new Map<RequestId, number>();
  #closed = false;

  constructor(deps: StuckRequestsDeps) {
    this.#deps = deps;
  }

  has(id: RequestId): boolean {
    return this.#timers.has(id);
  }

  get ids(): readonly RequestId[] {
    return [...this.#timers.keys()];
  }

  /**
   * Skips the request from now on. Without `isTimed` only the user or a completed turn retries it.
   * Returns whether it got stuck for the first time.
   */
  add(id: RequestId, isTimed: boolean): boolean {
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    this.take(id);
    const delay = delayAfter(count, REQUEST_RETRIES);
    const cancel =
      isTimed && !this.#closed
        ? this.#deps.clock.after(delay, () => void this.#retry(id))
        : () => undefined;
    this.#timers.set(id, cancel);
    return count === 1;
  }

  /** The request may run again. */
  take(id: RequestId): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }

  /** The request has ended. */
  forget(id: RequestId): void {
    this.take(id);
    this.#counts.delete(id);
  }

  /** Files can be written again, or at least those of another turn could. */
  async retryAll(): Promise<void> {
    for (const id of [...this.#timers.keys()]) await this.#retry(id);
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
  }

  async #retry(id: RequestId): Promise<void> {
    // If its file cannot be written, the request stays failed and the user can retry it.
    if (!this.#closed) await this.#deps.retry(id).catch(() => undefined);
  }
}
