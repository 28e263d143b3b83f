/** Where one message was answered more than once, each time in a conversation of its own. */
import type { ConversationSummary } from '../conversation-summary';
import type { ConversationId, TurnId } from '../ids';

export type Branching = Pick<ConversationSummary, 'id' | 'forks'>;

export interface Branches {
  /** Conversations that answer it, the oldest answer first. */
  readonly ids: readonly ConversationId[];
  /** Which of them is the one that is looked at. */
  readonly at: number;
}

/**
 * The answers there are to the message of this turn; null where there is one only.
 *
 * @param place counts the turns of the conversation from 0
 * @param forked all forks that can be looked at
 * @param isThere whether a conversation can be looked at
 */
export function branchesAt(
  { id, forks }: Branching,
  turn: TurnId,
  place: number,
  forked: readonly Branching[],
  isThere: (id: ConversationId) => boolean,
): Branches | null {
  const parting = firstAt(forks, place);
  const asked = parting?.before ?? turn;
  const answers = forked
    .filter(
      (each) =>
        each.forks.at(-1)?.turnsBefore === place && firstAt(each.forks, place)?.before === asked,
    )
    // Ids sort by the time they were minted.
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const first = parting
    ? answers.flatMap((each) => firstAt(each.forks, place)?.parent ?? []).find(isThere)
    : id;
  const all = [...(first === undefined ? [] : [first]), ...answers.map((each) => each.id)];
  // Whoever looks at an answer from within a later fork is where that answer is.
  const found = all.indexOf(parting ? answererOf({ id, forks }, place, forked) : id);
  const ids = found < 0 ? [...all, id] : all.with(found, id);
  return ids.length > 1 ? { ids, at: found < 0 ? all.length : found } : null;
}

/** The first parting has the message as it was first asked. */
function firstAt(forks: Branching['forks'], place: number) {
  return forks.find(({ turnsBefore }) => turnsBefore === place);
}

/** The conversation that parted at this place and gave the answer that this one has there. */
function answererOf(from: Branching, place: number, forked: readonly Branching[]): ConversationId {
  let at = from;
  for (let own = at.forks.at(-1); own && own.turnsBefore > place; own = at.forks.at(-1)) {
    const { parent } = own;
    const above = forked.find(({ id }) => id === parent);
    // Gone: what parted from it has its answer in its place.
    if (!above) break;
    at = above;
  }
  return at.id;
}
