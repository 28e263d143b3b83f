/** How the calls of a turn stand to the vault: what the turn was asked with, and what its conversation has done. */
import { allCalls, type Conversation, type Turn } from '#model/conversation';
import type { ChangeNote } from '#model/message';
import type { Mode } from '#model/mode';

export interface Standing {
  readonly mode: Mode;
  /** The note that was open when it was asked, by the path it has now. */
  readonly activeNote: string | null;
  /** Notes and folders, by the paths they have now. */
  readonly attached: readonly string[];
  /** All that the conversation has changed, in order. */
  readonly changes: readonly ChangeNote[];
}

export function changesOf(turns: readonly Turn[]): ChangeNote[] {
  return turns.flatMap((turn) =>
    allCalls(turn).flatMap((call) => {
      const details = call.state === 'finished' ? call.result.details : undefined;
      return details?.kind === 'changes' ? details.changes : [];
    }),
  );
}

/** What binds more goes first. */
const STRICTEST_FIRST: readonly Mode[] = ['read-only', 'review', 'apply'];

/** A turn keeps the mode in which it began, unless the person has set a stricter one since. */
export function modeNow(turn: Turn, conversation: Conversation): Mode {
  const modes = [turn.mode, conversation.mode ?? turn.mode];
  return STRICTEST_FIRST.find((mode) => modes.includes(mode)) ?? turn.mode;
}
