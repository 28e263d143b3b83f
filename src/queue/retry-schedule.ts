/** When a failed request is retried without the user. */
import type { TurnOutcome } from '#agent/turn-ending';
import type { Conversation, Turn } from '#model/conversation';
import type { Failure, FailureKind } from '#model/failure';
import type { DeviceId, RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Clock } from '#ports/clock';
import type { Inbox } from './inbox';

/** What has to come before another try makes sense. */
export type RetryCause = 'network' | 'capacity' | 'credit' | 'key' | 'user';

const CAUSES: Record<FailureKind, RetryCause> = {
  network: 'network',
  endpoint: 'network',
  cut: 'capacity',
  'rate-limit': 'capacity',
  overloaded: 'capacity',
  server: 'capacity',
  billing: 'credit',
  key: 'key',
  permission: 'key',
  'too-long': 'user',
  'invalid-request': 'user',
  'unknown-model': 'user',
  refused: 'user',
  file: 'user',
  'disk-full': 'user',
  unexpected: 'user',
};

export function retryCause(failure: Failure): RetryCause {
  return CAUSES[failure.kind];
}

const MINUTE = 60_000;
/** After the first, second and third failure; hourly from then on. */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE];
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The time of the next try, in milliseconds since 1970; null where no clock brings one: what waits for the network,
 * for credit, for a key or for the user, and what has been tried for a day.
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
  if (failure.retryAt === undefined && retryCause(failure) !== 'capacity') return null;
  const wait = WAITS[attempts - 1] ?? HOUR;
  const at = failure.retryAt === undefined ? now + wait : Math.max(failure.retryAt, now);
  return at - firstFailed <= DAY ? at : null;
}

/** Null for what the user has to retry. */
export function retryText(
  turn: Turn,
  ending: TurnOutcome,
  { turns }: Conversation,
  now: number,
): string | null {
  if (ending.kind !== 'failed' || turn.request.source === 'mcp') return null;
  const first = turns.find(
    ({ requestId: entry, end }) => entry === turn.requestId && end?.kind === 'failed',
  );
  const at = nextTry(ending.failure, turn.attempt, first?.ended ?? now, now);
  return at === null ? EVENTS[retryCause(ending.failure)] : `at ${moment(at, now)}`;
}

/** Key, credit and endpoint need the user first, and their own advice says so. */
const EVENTS: Record<RetryCause, string | null> = {
  network: 'when you are online',
  capacity: null,
  credit: null,
  key: null,
  user: null,
};

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

function moment(time: number, now: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString([], TIME)
    : date.toLocaleString([], { weekday: 'short', ...TIME });
}

const RETRY_MINUTE_MS = 60_000;

export interface RetryScheduleDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly device: DeviceId;
  /** Puts a failed entry back into the queue. */
  retry(entry: RequestId): Promise<unknown>;
}

export class RetrySchedule {
  readonly #deps: RetryScheduleDeps;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(deps: RetryScheduleDeps) {
    this.#deps = deps;
  }

  /** At load, when the network is back, after a check that succeeded, after a turn that did. */
  async againFor(...causes: readonly RetryCause[]): Promise<void> {
    await this.#retryAll(({ failure }) => causes.includes(retryCause(failure)));
  }

  /** Sets the timer for the next entry that falls due; to be called when an entry has failed. */
  plan(atLeast = 0): void {
    this.#cancelTimer();
    if (this.#closed) return;
    const times = this.#failed().flatMap(({ nextTry }) => (nextTry === null ? [] : [nextTry]));
    if (times.length === 0) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.after(Math.max(atLeast, Math.min(...times) - clock.now()), () => {
      void this.#retryAll(({ nextTry }) => nextTry !== null && nextTry <= clock.now());
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #retryAll(
    isDue: (entry: Extract<QueuedRequest, { state: 'failed' }>) => boolean,
  ): Promise<void> {
    let refused = false;
    for (const entry of this.#failed().filter(isDue)) {
      if (this.#closed) return;
      // A file that can't be written now: the entry stays failed, and the user can retry it.
      await this.#deps.retry(entry.request.id).catch(() => (refused = true));
    }
    this.plan(refused ? RETRY_MINUTE_MS : 0);
  }

  #failed(): Extract<QueuedRequest, { state: 'failed' }>[] {
    const { inbox, device } = this.#deps;
    return inbox
      .requests()
      .flatMap((entry) => (entry.state === 'failed' && entry.device === device ? [entry] : []));
  }
}
