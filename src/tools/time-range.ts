/** Ranges of days and times that a model writes, in the local time zone. */
import * as z from 'zod/mini';
import type { Clock } from '#ports/clock';

const POINT = /^(?:today|yesterday|\d{4}-\d{2}-\d{2})(?:[ T]\d{2}:\d{2})?$/;

/** A day, or a minute of it. */
export const timePoint = z.optional(
  z
    .string()
    .check(
      z.regex(
        POINT,
        'Expected a day or a time of it, such as "today", "yesterday 18:00" or "2026-11-22 09:00".',
      ),
    ),
);

/** Both in milliseconds since 1970, `to` exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** From the beginning of `since` to the end of `until`, which is a whole day or minute. */
export function timeRange(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  clock: Pick<Clock, 'now' | 'date'>,
): TimeRange {
  return {
    from: since === undefined ? -Infinity : startOf(since, clock),
    to: until === undefined ? Infinity : endOf(until, clock),
  };
}

function startOf(point: string, clock: Pick<Clock, 'now' | 'date'>): number {
  const [day = '', time = '00:00'] = point.split(/[ T]/);
  return new Date(`${dateOf(day, clock)}T${time}`).getTime();
}

function endOf(point: string, clock: Pick<Clock, 'now' | 'date'>): number {
  const start = new Date(startOf(point, clock));
  if (point.includes(':')) return start.getTime() + 60_000;
  // Days with a change of the clocks have other lengths.
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
}

function dateOf(day: string, clock: Pick<Clock, 'now' | 'date'>): string {
  if (day !== 'today' && day !== 'yesterday') return day;
  const now = new Date(clock.now());
  const back = day === 'yesterday' ? 1 : 0;
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back, 12);
  return clock.date(noon.getTime());
}
