/** Conversations by the day on which they were last written in. */
import type { ListedConversation } from '#ports/history';

const DAY = 86_400_000;

export interface DateGroup {
  readonly name: string;
  readonly list: readonly ListedConversation[];
}

/** Pinned ones first, whenever they were written in. */
export function dateGroups(all: readonly ListedConversation[], now: number): DateGroup[] {
  const today = startOfDay(now);
  const groups = new Map<string, ListedConversation[]>();
  for (const each of [...all.filter(isPinned), ...all.filter((other) => !isPinned(other))]) {
    const name = isPinned(each) ? 'Pinned' : dayName(each.updated, today);
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
  if (time >= today) return 'Today';
  if (time >= today - DAY) return 'Yesterday';
  if (time >= today - 6 * DAY) return 'This week';
  return new Date(time).toLocaleDateString([], { month: 'long', year: 'numeric' });
}

/** As short as it can be. */
export function when(time: number, now: number): string {
  const today = startOfDay(now);
  const date = new Date(time);
  if (time >= today) return date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
  if (time >= today - 6 * DAY) return date.toLocaleDateString([], { weekday: 'short' });
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString([], {
    ...{ day: 'numeric', month: 'short' },
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}
