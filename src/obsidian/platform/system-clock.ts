import type { Clock } from '#ports/clock';
import type { NodeModules } from './node-modules';

/** Uses Node's timers, because those of a hidden window are throttled to one per minute. */
export function systemClock({ timers }: NodeModules): Clock {
  // A longer delay would overflow 32 bits and fire immediately.
  const after = (milliseconds: number, callback: () => void) => {
    const timer = timers.setTimeout(callback, Math.min(Math.max(0, milliseconds), 2_147_483_647));
    return () => timers.clearTimeout(timer);
  };
  return {
    now: () => Date.now(),
    elapsed: elapsedTime(),
    pause: () => new Promise((resolve) => void timers.setImmediate(resolve)),
    random: () => Math.random(),
    after,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          stop();
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const stop = after(milliseconds, end);
        signal?.addEventListener('abort', end);
      }),
    // Formatted by hand because a listing formats thousands of dates, and `Intl` is far slower.
    date: (time) => {
      const at = new Date(time);
      const two = (part: number) => String(part).padStart(2, '0');
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    },
    describe: (time) =>
      new Intl.DateTimeFormat('en-GB', {
        weekday: 'long',
        year: 'numeric',
        month: 'long',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'shortOffset',
      }).format(time),
  };
}

/** The monotonic clock of some systems stops while the computer sleeps. A longer gap is sleep. */
const MIN_SLEEP_MS = 1_000;

function elapsedTime(): () => number {
  let [wall, steady, total] = [Date.now(), performance.now(), 0];
  return () => {
    const [byWall, bySteady] = [Date.now() - wall, performance.now() - steady];
    [wall, steady] = [wall + byWall, steady + bySteady];
    total += byWall - bySteady > MIN_SLEEP_MS ? byWall : bySteady;
    return total;
  };
}
