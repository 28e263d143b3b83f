/** Formats dates and times, without parts that are clear from the day. */

export const DAY_MS = 86_400_000;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/** Midnight of the local day, in milliseconds since 1970. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** As short as possible. */
export function formatTime(time: number, now: number): string {
  return time >= startOfDay(now)
    ? clockOf(time)
    : new Date(time).toLocaleDateString([], dayOf(time, now));
}

/** "14:05" for today, "Mon 14:05" for this week, "3 Mar, 14:05" for other days. */
export function formatMoment(time: number, now: number): string {
  return startOfDay(time) === startOfDay(now)
    ? clockOf(time)
    : new Date(time).toLocaleString([], { ...dayOf(time, now), ...CLOCK });
}

function clockOf(time: number): string {
  return new Date(time).toLocaleTimeString([], CLOCK);
}

function dayOf(time: number, now: number): Intl.DateTimeFormatOptions {
  if (time >= startOfDay(now) - 6 * DAY_MS) return { weekday: 'short' };
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) };
}
