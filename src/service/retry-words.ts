/** When a failed request is retried without the user, in words for the user. */
import type { Ending } from '#agent/ending';
import { causeOf, nextTry, type Cause } from '#inbox/next-try';
import type { Conversation, Turn } from '#model/conversation';

/** Null for what the user has to retry. */
export function retryWords(
  turn: Turn,
  ending: Ending,
  { turns }: Conversation,
  now: number,
): string | null {
  if (ending.kind !== 'failed' || turn.inbound.source === 'mcp') return null;
  const first = turns.find(({ entry, end }) => entry === turn.entry && end?.kind === 'failed');
  const at = nextTry(ending.failure, turn.attempt, first?.ended ?? now, now);
  return at === null ? EVENTS[causeOf(ending.failure)] : `at ${moment(at, now)}`;
}

/** Key, credit and endpoint need the user first, and their own advice says so. */
const EVENTS: Record<Cause, string | null> = {
  network: 'when you are online',
  capacity: null,
  credit: null,
  key: null,
  person: null,
};

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

function moment(time: number, now: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString([], TIME)
    : date.toLocaleString([], { weekday: 'short', ...TIME });
}
