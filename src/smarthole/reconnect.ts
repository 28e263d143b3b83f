/** When a connection that failed is tried again: for ever, and never so often that it disturbs. */

const SHORTEST = 1_000;
const LONGEST = 30_000;

/**
 * From 1 to 2 s after the first failure, twice as long after each further one, and from 15 to 30 s in the end. Drawn by
 * chance, so that many clients of a SmartHole that starts do not all come at once.
 *
 * @param tries how often it failed since it last held, from 1
 * @param random from 0 up to 1
 */
export function reconnectDelay(tries: number, random: number): number {
  const longest = Math.min(LONGEST, SHORTEST * 2 ** Math.max(1, tries));
  return Math.round(longest / 2 + (longest / 2) * random);
}

/**
 * A name that somebody else has. It may be our own connection from before a reload, which SmartHole has not missed yet
 * but will within a minute; otherwise only a person can change it.
 *
 * @param tries how often it was found taken, from 1
 */
export function duplicateDelay(tries: number): number {
  return tries <= 1 ? 15_000 : 60_000;
}

/** A connection that held so long has shown that it works; the next failure is a first one. */
export const HELD = 30_000;
