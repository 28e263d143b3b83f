/** Whether and when a failed model call is tried again. */
import type { EventDraft } from '#model/event';
import { worthRetrying, type Failure } from '#model/failure';
import type { TurnId } from '#model/ids';
import type { Clock } from '#ports/clock';

const MOST_RETRIES = 3;
/** A server that asks for a longer wait than this ends the turn; the user should not sit before it. */
const LONGEST_WAIT = 60_000;

export type RetryPlan =
  | { readonly again: true; readonly wait: number }
  | { readonly again: false; readonly failure: Failure };

/**
 * @param attempt how many retries there were before this failure
 * @param retryAfter milliseconds the server asked for, if it did
 * @param now milliseconds since 1970
 * @param random from 0 up to 1, for the jitter
 */
export function planRetry(
  failed: Failure,
  attempt: number,
  retryAfter: number | undefined,
  now: number,
  random: number,
): RetryPlan {
  if (!worthRetrying(failed.kind)) return { again: false, failure: failed };
  if (retryAfter !== undefined && retryAfter > LONGEST_WAIT) {
    return { again: false, failure: { ...failed, retryAt: now + retryAfter } };
  }
  if (attempt >= MOST_RETRIES) return { again: false, failure: failed };
  // 1, 2, 4 s with up to half as much again, so that many clients do not come back at once.
  const backoff = 1000 * 2 ** attempt * (1 + random / 2);
  return { again: true, wait: Math.max(backoff, retryAfter ?? 0) };
}

export interface RetryContext {
  readonly turn: TurnId;
  readonly clock: Clock;
  record(event: EventDraft): Promise<void>;
}

/** Waits for the next try, and tells of it. What remains is why there is none, or null. */
export async function untilRetry(
  { turn, clock, record }: RetryContext,
  failed: { readonly failure: Failure; readonly retryAfter?: number },
  attempt: number,
  signal: AbortSignal,
): Promise<Failure | null> {
  const { failure, retryAfter } = failed;
  const now = clock.now();
  const plan = planRetry(failure, attempt, retryAfter, now, clock.random());
  if (!plan.again) return withTime(plan.failure, clock);
  const at = now + plan.wait;
  await record({ type: 'retry-start', turn, attempt: attempt + 1, of: MOST_RETRIES, at, failure });
  await clock.sleep(plan.wait, signal);
  return null;
}

/** Where the server said when, "in a moment" would send the user back too early. */
function withTime(failed: Failure, clock: Clock): Failure {
  const { retryAt } = failed;
  return retryAt === undefined
    ? failed
    : { ...failed, next: `Retry after ${clock.describe(retryAt)}.` };
}
