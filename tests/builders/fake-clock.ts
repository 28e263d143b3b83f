/** A clock that tests advance by hand, so that no test waits. */
import type { Clock } from '#ports/clock';

export interface TestClock extends Clock {
  /** Moves time forward and runs all timers that come due, in order. */
  advance(milliseconds: number): Promise<void>;
  /** The requested milliseconds of each sleep. */
  readonly slept: readonly number[];
  /** Sets the time of day without time passing. */
  set(now: number): void;
  /** Number of timers and sleeps that are not due yet. */
  readonly pending: number;
}

export interface TestClockOptions {
  /** Start time in milliseconds since 1970. */
  readonly start?: number;
  /** Sleeps advance the time and end at once. Timers still wait for `advance`. */
  readonly auto?: boolean;
  /** The result of each call of `random`. */
  readonly random?: number;
}

/** Runs pending promise callbacks and I/O events. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function testClock(options: TestClockOptions = {}): TestClock {
  const { start = 1_800_000_000_000, auto = false, random = 0 } = options;
  const timers = new Set<{ at: number; callback: () => void }>();
  const slept: number[] = [];
  let now = start;
  /** How far the time of day was set ahead. */
  let ahead = 0;

  const after = (milliseconds: number, callback: () => void) => {
    const timer = { at: now + Math.max(0, milliseconds), callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextBy = (end: number) =>
    [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];

  return {
    now: () => now + ahead,
    elapsed: () => now - start,
    set: (time) => void (ahead = time - now),
    random: () => random,
    after,
    pause: settle,
    sleep(milliseconds, signal) {
      slept.push(milliseconds);
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        if (auto) {
          now += milliseconds;
          return resolve();
        }
        const end = () => {
          stop();
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const stop = after(milliseconds, end);
        signal?.addEventListener('abort', end);
      });
    },
    date: (time) => new Date(time).toISOString().slice(0, 10),
    describe: (time) => new Date(time).toUTCString(),
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (let timer = nextBy(end); timer; timer = nextBy(end)) {
        now = Math.max(now, timer.at);
        timers.delete(timer);
        timer.callback();
        await settle();
      }
      now = end;
    },
    get slept() {
      return slept;
    },
    get pending() {
      return timers.size;
    },
  };
}
