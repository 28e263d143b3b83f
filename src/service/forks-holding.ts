/** Forks begin with what others did: they hear, too, what the person does with that. */
import type { ConversationLog } from '#conversations/log';
import type { Conversations } from '#conversations/repository';
import { allCalls, type Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';

export interface Holding<Id> {
  readonly log: ConversationLog;
  /** Those of them that it holds. */
  readonly ids: readonly Id[];
}

/**
 * Those of this device that hold any of these changes or proposals.
 *
 * @param but hears of it anyway
 */
export async function forksHolding<Id extends string>(
  conversations: Conversations,
  wanted: readonly Id[],
  but: ReadonlySet<ConversationId | null>,
): Promise<readonly Holding<Id>[]> {
  const holding: Holding<Id>[] = [];
  for (const { id, own, forks } of await conversations.list()) {
    if (!own || forks.length === 0 || but.has(id)) continue;
    const log = await conversations.open(id);
    if (!log) continue;
    const held = heldIn(log.state);
    const ids = wanted.filter((each) => held.has(each));
    if (ids.length > 0) holding.push({ log, ids });
  }
  return holding;
}

/** Changes, proposals, and what the person did with them. */
function heldIn({ turns, acts }: Conversation): ReadonlySet<string> {
  const made = turns.flatMap(allCalls).flatMap((call) => {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (details?.kind !== 'changes') return [];
    return details.changes.flatMap(({ change, proposes = [] }) => [change, ...proposes]);
  });
  const done = acts.flatMap((act): string[] =>
    act.type === 'change-undo' ? [...act.undos] : [act.change],
  );
  return new Set<string>([...made, ...done]);
}
