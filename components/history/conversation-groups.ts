/** Groups the list of chats: pinned ones first, the others by the day of their last message. */
import * as t from '#messages/shared-messages';
import type { ListedConversation } from '#ports/app/conversations-port';
import { startOfDay } from '../shared/dates';

export interface ConversationGroup {
  readonly name: string;
  readonly list: readonly ListedConversation[];
}

export function conversationGroups(
  all: readonly ListedConversation[],
  now: number,
): ConversationGroup[] {
  const groups = new Map<string, ListedConversation[]>();
  for (const each of [...all.filter(isPinned), ...all.filter((other) => !isPinned(other))]) {
    const name = isPinned(each) ? t.pinned : dayName(each.updated, now);
    const group = groups.get(name);
    if (group) group.push(each);
    else groups.set(name, [each]);
  }
  return [...groups].map(([name, list]) => ({ name, list }));
}

function isPinned({ pinned }: ListedConversation): boolean {
  return pinned;
}

function dayName(time: number, now: number): string {
  if (time >= startOfDay(now)) return t.today;
  if (time >= startOfDay(now, 1)) return t.yesterday;
  if (time >= startOfDay(now, 6)) return t.thisWeek;
  return new Date(time).toLocaleDateString([], { month: 'long', year: 'numeric' });
}
