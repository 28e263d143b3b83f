import type { Conversations } from '#conversations/repository';
import type { Turns } from './turns-later';

/** A call that was open when everything stopped has nobody any more to give its result to. */
export async function endLeftCalls(
  conversations: Pick<Conversations, 'list' | 'open'>,
  turns: Pick<Turns, 'end'>,
): Promise<void> {
  for (const { id, own, openTurn, sources } of await conversations.list()) {
    if (!own || openTurn === null || !sources.includes('mcp')) continue;
    const log = await conversations.open(id);
    for (const { id: turn, end, inbound } of log?.state.turns ?? []) {
      if (log && !end && inbound.source === 'mcp') {
        await turns.end(log, turn, { kind: 'stopped', by: 'closing' });
      }
    }
  }
}
