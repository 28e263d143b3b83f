/** Tries failed requests again when what they failed for is gone. */
import type { Inbox } from '#inbox/inbox';
import { causeOf, type Cause } from '#inbox/next-try';
import type { DeviceId, EntryId } from '#model/ids';
import type { Entry } from '#model/inbound';
import type { Clock } from '#ports/clock';

const MINUTE = 60_000;

export interface RetriesParts {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly device: DeviceId;
  /** Puts a failed entry back into the queue. */
  retry(entry: EntryId): Promise<unknown>;
}

export class Retries {
  readonly #parts: RetriesParts;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(parts: RetriesParts) {
    this.#parts = parts;
  }

  /** At load, when the network is back, after a check that succeeded, after a turn that did. */
  async againFor(...causes: readonly Cause[]): Promise<void> {
    await this.#retryAll(({ failure }) => causes.includes(causeOf(failure)));
  }

  /** Sets the timer for the next entry that falls due; to be called when an entry has failed. */
  plan(atLeast = 0): void {
    this.#cancelTimer();
    if (this.#closed) return;
    const times = this.#failed().flatMap(({ nextTry }) => (nextTry === null ? [] : [nextTry]));
    if (times.length === 0) return;
    const { clock } = this.#parts;
    this.#cancelTimer = clock.after(Math.max(atLeast, Math.min(...times) - clock.now()), () => {
      void this.#retryAll(({ nextTry }) => nextTry !== null && nextTry <= clock.now());
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #retryAll(isDue: (entry: Extract<Entry, { state: 'failed' }>) => boolean): Promise<void> {
    let refused = false;
    for (const entry of this.#failed().filter(isDue)) {
      if (this.#closed) return;
      // A file that can't be written now: the entry stays failed, and the person can retry it.
      await this.#parts.retry(entry.inbound.id).catch(() => (refused = true));
    }
    this.plan(refused ? MINUTE : 0);
  }

  #failed(): Extract<Entry, { state: 'failed' }>[] {
    const { inbox, device } = this.#parts;
    return inbox
      .entries()
      .flatMap((entry) => (entry.state === 'failed' && entry.device === device ? [entry] : []));
  }
}
