/** Calculates with days of the calendar, which are written as 2026-12-31. */

const DAY_MS = 86_400_000;

/** Whether the calendar has this day. */
export function isDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false;
  const time = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written);
}

export function daysLater(day: string, days: number): string {
  return new Date(startOf(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(day: string, later: string): number {
  return (startOf(later) - startOf(day)) / DAY_MS;
}

/** The Sunday on which the week of a day ends, which begins on Monday. */
export function endOfWeek(day: string): string {
  return daysLater(day, (7 - new Date(startOf(day)).getUTCDay()) % 7);
}

/** Such as "Monday". */
export function weekdayOf(day: string): string {
  return new Date(startOf(day)).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
