/**
 * Retries failed requests, and those that are stuck because their files could not be written: the
 * schedule for each cause, and the words for the user.
 */
import type { TurnOutcome } from '#agent/turn-ending';
import type { Conversation, Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import {
  type AutomaticRetry,
  type Failure,
  type FailureKind,
  type RetryCause,
  retryCause,
} from '#model/failure';
import type { DeviceId, RequestId } from '#model/ids';
import type { FailedRequest, QueuedRequest } from '#model/request';
import type { Clock } from '#ports/clock';
import { delayAfter, type RetryDelays } from '#ports/retry';
import type { Inbox } from './inbox';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const REQUEST_RETRIES: RetryDelays = {
  delays: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
  repeats: true,
};

/** Causes that may resolve themselves without any event that Parley could notice. */
const TIMED_CAUSES: ReadonlySet<RetryCause> = new Set(['capacity', 'endpoint']);

/**
 * The time of the next retry, in milliseconds since 1970. Null if no timed retry makes sense: the
 * failure needs the network, credit, a key or the user, or retries have gone on for a day.
 *
 * @param attempts how many turns the request has had
 * @param firstFailed when the first of them failed
 */
export function nextTry(
  failure: Failure,
  attempts: number,
  firstFailed: number,
  now: number,
): number | null {
  if (failure.retryAt === undefined && !TIMED_CAUSES.has(retryCause(failure))) return null;
  const at =
    failure.retryAt === undefined
      ? now + delayAfter(attempts, REQUEST_RETRIES)
      : Math.max(failure.retryAt, now);
  return at - firstFailed <= DAY_MS ? at : null;
}

/** Whether a failed request may be retried without the user. */
export function retriesItself({ failure, retriesStopped }: FailedRequest): boolean {
  return retriesStopped === undefined && retryCause(failure) !== 'user';
}

/** Causes whose retry is triggered by an event instead of a time. */
const EVENT_CAUSES: ReadonlySet<RetryCause> = new Set(['network', 'credit', 'key']);

/** Whether a request whose turn ended like this is retried automatically. */
export function isRetriedLater(
  { attempts, firstFailed }: QueuedRequest,
  end: TurnEnd,
  now: number,
): boolean {
  if (end.kind !== 'failed') return false;
  const isByEvent = EVENT_CAUSES.has(retryCause(end.failure));
  return isByEvent || nextTry(end.failure, attempts, firstFailed ?? now, now) !== null;
}

/** When the request is retried by itself; null if the user has to retry it. */
export function retryPlan(
  turn: Turn,
  ending: TurnOutcome,
  { turns }: Conversation,
  now: number,
): AutomaticRetry | null {
  if (ending.kind !== 'failed' || turn.request.source === 'mcp') return null;
  const first = turns.find(
    ({ requestId, end }) => requestId === turn.requestId && end?.kind === 'failed',
  );
  const at = nextTry(ending.failure, turn.attempt, first?.ended ?? now, now);
  return planOf(ending.failure, at, now);
}

/** @param at the time of the next retry, in milliseconds since 1970; null for none */
export function planOf(failure: Failure, at: number | null, now: number): AutomaticRetry | null {
  if (at !== null) return { when: 'at', time: moment(at, now) };
  const when = PLANS[failure.kind];
  return when ? { when } : null;
}

const PLANS: Partial<Record<FailureKind, 'online' | 'key' | 'credit'>> = {
  network: 'online',
  key: 'key',
  billing: 'credit',
};

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

function moment(time: number, now: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString([], TIME)
    : date.toLocaleString([], { weekday: 'short', ...TIME });
}

interface RequestRetriesDeps {
  readonly inbox: Pick<Inbox, 'get' | 'requests'>;
  readonly clock: Clock;
  readonly device: DeviceId;
}

interface StuckRequest {
  /** How often it got stuck. */
  readonly count: number;
  /** Null if only the user or a completed turn retries it. */
  readonly nextTry: number | null;
  /** False while it is retried. */
  readonly isSkipped: boolean;
}

export class RequestRetries {
  readonly #deps: RequestRetriesDeps;
  readonly #retry: (requestId: RequestId) => Promise<unknown>;
  readonly #stuck = new Map<RequestId, StuckRequest>();
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  /** @param retry puts a failed or stuck request back into the queue */
  constructor(deps: RequestRetriesDeps, retry: (requestId: RequestId) => Promise<unknown>) {
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
    const failed = this.#failed().filter(
      (each) => retriesItself(each) && causes.includes(retryCause(each.failure)),
    );
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

  #failed(): FailedRequest[] {
    const { inbox, device } = this.#deps;
    return inbox
      .requests()
      .flatMap((queued) => (queued.state === 'failed' && queued.device === device ? [queued] : []));
  }
}
