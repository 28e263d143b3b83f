/** The delays between the attempts at something that fails. Its owner waits and tries again. */
export interface RetryDelays {
  /** Milliseconds to wait after the first failure, after the second, and so on. */
  readonly delays: readonly number[];
  /** Whether the last delay repeats. Otherwise a failure without a delay is final. */
  readonly repeats: boolean;
  /** Adds up to this share of each delay, so that clients do not all retry at the same moment. */
  readonly jitter?: number;
}

/**
 * Whole milliseconds to wait; `Infinity` after a final failure.
 *
 * @param failures how often it has failed, from 1
 * @param random from 0 up to 1, for the jitter
 */
export function delayAfter(
  failures: number,
  { delays, repeats, jitter = 0 }: RetryDelays,
  random = 0,
): number {
  const delay = delays[failures - 1] ?? (repeats ? (delays.at(-1) ?? Infinity) : Infinity);
  return Math.round(delay * (1 + jitter * random));
}

/** How often a change is tried again because the user typed in the note at the same moment. */
export const MAX_CHANGE_TRIES = 5;
