/** Whether a request that failed is tried again without anybody's doing, and when. */
import type { Failure, FailureKind } from '#model/failure';

/** What has to come before another try makes sense. */
export type Cause = 'network' | 'capacity' | 'credit' | 'key' | 'person';

const CAUSES: Record<FailureKind, Cause> = {
  network: 'network',
  endpoint: 'network',
  cut: 'capacity',
  'rate-limit': 'capacity',
  overloaded: 'capacity',
  server: 'capacity',
  billing: 'credit',
  key: 'key',
  permission: 'key',
  'too-long': 'person',
  'invalid-request': 'person',
  'unknown-model': 'person',
  refused: 'person',
  file: 'person',
  'disk-full': 'person',
  unexpected: 'person',
};

export function causeOf(failure: Failure): Cause {
  return CAUSES[failure.kind];
}

const MINUTE = 60_000;
/** After the first, second and third failure; hourly from then on. */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE];
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The time of the next try, in milliseconds since 1970; null where no clock brings one: what waits for the network,
 * for credit, for a key or for the person, and what has been tried for a day.
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
  if (failure.retryAt === undefined && causeOf(failure) !== 'capacity') return null;
  const wait = WAITS[attempts - 1] ?? HOUR;
  const at = failure.retryAt === undefined ? now + wait : Math.max(failure.retryAt, now);
  return at - firstFailed <= DAY ? at : null;
}
