/** Whether and when a failed model call is tried again. */
import { worthRetrying, type Failure } from '#model/failure';

export const MOST_RETRIES = 3;
/** A server that asks for a longer wait than this ends the turn; the person should not sit before it. */
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
