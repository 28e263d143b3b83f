/** Formats dates, and groups conversations by the day they were last written in. */
import * as t from '#model/messages/shared-messages';
import type { ListedConversation } from '#ports/app/conversations-port';

const DAY = 86_400_000;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

export interface DateGroup {
  readonly name: string;
  readonly list: readonly ListedConversation[];
}

/** Pinned ones first, whatever their date. */
export function dateGroups(all: readonly ListedConversation[], now: number): DateGroup[] {
  const today = startOfDay(now);
  const groups = new Map<string, ListedConversation[]>();
  for (const each of [...all.filter(isPinned), ...all.filter((other) => !isPinned(other))]) {
    const name = isPinned(each) ? t.pinned : dayName(each.updated, today);
    const group = groups.get(name);
    if (group) group.push(each);
    else groups.set(name, [each]);
  }
  return [...groups].map(([name, list]) => ({ name, list }));
}

function isPinned({ pinned }: ListedConversation): boolean {
  return pinned;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function dayName(time: number, today: number): string {
  if (time >= today) return t.today;
  if (time >= today - DAY) return t.yesterday;
  if (time >= today - 6 * DAY) return t.thisWeek;
  return new Date(time).toLocaleDateString([], { month: 'long', year: 'numeric' });
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
  if (time >= startOfDay(now) - 6 * DAY) return { weekday: 'short' };
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) };
}
