/** Which conversations' files may go: nobody would miss them, or somebody said so and had time to think better of it. */
import type { ListedConversation } from '#ports/history';

/** Milliseconds for which a deletion can be taken back. */
export const UNDO_TIME = 24 * 60 * 60_000;

export type Deleted = { readonly removed: number | null };

/** Of programs' calls alone: a program begins as many as it likes, and none of the user's goes for them. */
const KEPT_OF_PROGRAMS = 200;

/**
 * @param own the conversations of this device
 * @param kept so many that have ended stay, the newest; pinned ones always do
 */
export function expendable<Each extends ListedConversation & Deleted>(
  own: readonly Each[],
  kept: number,
  now: number,
): Each[] {
  // What is open, or holds a turn that waits for somebody, has not ended, whatever is said of it.
  const closed = own.filter(({ openTurn }) => openTurn === null);
  const deleted = closed.filter(({ removed }) => removed !== null && now - removed >= UNDO_TIME);
  const old = closed
    .filter(({ ended, pinned, removed }) => ended !== null && !pinned && removed === null)
    .sort((a, b) => b.updated - a.updated);
  return [
    ...deleted,
    ...old.filter((each) => !isOfProgram(each)).slice(kept),
    ...old.filter(isOfProgram).slice(Math.min(kept, KEPT_OF_PROGRAMS)),
  ];
}

function isOfProgram({ sources }: ListedConversation): boolean {
  return sources.length > 0 && sources.every((source) => source === 'mcp');
}
