/** Decides when a failed request is retried automatically. */
import * as t from '#messages/turn-ending-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { Conversation, Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { Failure, FailureKind } from '#model/failure';
import type { QueuedRequest } from '#model/request';
import { delayAfter, type RetryDelays } from '#ports/retry';

/** What must be resolved before a retry makes sense. */
export type RetryCause = 'network' | 'endpoint' | 'capacity' | 'credit' | 'key' | 'user';

const CAUSES: Record<FailureKind, RetryCause> = {
  network: 'network',
  endpoint: 'endpoint',
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

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const REQUEST_RETRIES: RetryDelays = {
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

/**
 * What the user should do, if anything, and when the request is retried. Null if the user has to
 * retry it.
 */
export function retryText(
  turn: Turn,
  ending: TurnOutcome,
  { turns }: Conversation,
  now: number,
): string | null {
  if (ending.kind !== 'failed' || turn.request.source === 'mcp') return null;
  const first = turns.find(
    ({ requestId, end }) => requestId === turn.requestId && end?.kind === 'failed',
  );
  const at = nextTry(ending.failure, turn.attempt, first?.ended ?? now, now);
  return at === null ? eventText(ending.failure) : t.retryAt(moment(at, now));
}

function eventText({ kind }: Failure): string | null {
  switch (kind) {
    case 'network':
      return t.retryOnline;
    case 'key':
      return t.retryWithKey;
    case 'billing':
      return t.retryWithCredit;
    default:
      return null;
  }
}

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

function moment(time: number, now: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString([], TIME)
    : date.toLocaleString([], { weekday: 'short', ...TIME });
}
