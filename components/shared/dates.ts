/** Formats dates and times, without parts that are clear from the day. */

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/**
 * Midnight of the local day, or of one so many days before it, in milliseconds since 1970. Not every
 * day has 24 hours.
 */
export function startOfDay(time: number, daysBefore = 0): number {
  const day = new Date(time);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime();
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
  if (time >= startOfDay(now, 6)) return { weekday: 'short' };
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) };
}
