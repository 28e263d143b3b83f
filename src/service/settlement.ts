/** What follows the end of a turn: whoever asked is told, the conversation may end with it, the entry leaves the inbox. */
import type { ConversationLog } from '#conversations/log';
import type { Inbox } from '#inbox/inbox';
import { causeOf, nextTry, type Cause } from '#inbox/next-try';
import type { TurnEnd } from '#model/event';
import type { Clock } from '#ports/clock';
import type { ConversationChoice } from './conversation-choice';
import type { Held } from './held-turns';
import type { Replies } from './replies';
import type { Retries } from './retries';

export interface SettlementParts {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly replies: Replies;
  readonly choice: ConversationChoice;
  readonly retries: Retries;
}

/** Retried by an event rather than by a clock. */
const RETRIED: ReadonlySet<Cause> = new Set(['network', 'credit', 'key']);

/**
 * Only after the end is in the conversation's file. The entry comes last: a crash on the way does all of it once more
 * at the next load, and each of it can be done twice. Rejects when a file can't be written.
 */
export async function settleTurn(
  { inbox, clock, replies, choice, retries }: SettlementParts,
  log: ConversationLog,
  held: Held,
  end: TurnEnd,
): Promise<void> {
  const entry = inbox.get(held.entry);
  if (!entry) return;
  const now = clock.now();
  const triesAgain =
    end.kind === 'failed' &&
    (RETRIED.has(causeOf(end.failure)) ||
      nextTry(end.failure, entry.attempts, entry.firstFailed ?? now, now) !== null);
  await replies.tell(log.state, held.turn, triesAgain);
  await choice.turnEnded(log, held.turn);
  if (end.kind === 'failed') {
    await inbox.fail(entry, held, end.failure, now);
    retries.plan();
    return;
  }
  await inbox.settle(held.entry);
  if (end.kind === 'completed') void retries.againFor('network', 'capacity', 'credit', 'key');
}
