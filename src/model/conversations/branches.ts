/** Where one message was answered more than once, each time in a conversation of its own. */
import type { Conversation } from '../conversation';
import type { ConversationSummary } from '../conversation-summary';
import type { ConversationId, TurnId } from '../ids';

export type Branching = Pick<ConversationSummary, 'id' | 'forks'>;

export interface Branches {
  /** Conversations that answer it, the oldest answer first. */
  readonly ids: readonly ConversationId[];
  /** Where the one that is looked at is among them. */
  readonly at: number;
}

/**
 * The answers there are to the message at this place; null where there is one only.
 *
 * @param listed all conversations that can be looked at
 */
export function branchesAt(
  { id, forks, turns }: Pick<Conversation, 'id' | 'forks' | 'turns'>,
  place: number,
  listed: readonly Branching[],
): Branches | null {
  const first = forks.find(({ turnsBefore }) => turnsBefore === place);
  const asked = first?.before ?? turns[place]?.id;
  if (asked === undefined) return null;
  const others = listed
    .filter((each) => ownForkAt(each, place) && firstAskedAt(each, place) === asked)
    // Ids sort by the time they were minted.
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (others.length === 0) return null;
  const known = new Map(listed.map((each) => [each.id, each]));
  const isThere = (each: ConversationId | undefined) => each !== undefined && known.has(each);
  const parents = others.map(({ forks: all }) => parentAt(all, place));
  const original = first ? parents.find(isThere) : id;
  const answer = first ? ownerOf({ id, forks }, place, known) : id;
  const all = [...(original === undefined ? [] : [original]), ...others.map((each) => each.id)];
  // Whoever looks at an answer from within a later fork is where that answer is.
  const found = first ? all.indexOf(answer) : 0;
  const ids = found < 0 ? [...all, id] : all.with(found, id);
  return ids.length > 1 ? { ids, at: found < 0 ? all.length : found } : null;
}

/** It parted here itself, rather than that from which it parted later. */
function ownForkAt({ forks }: Branching, place: number): boolean {
  return forks.at(-1)?.turnsBefore === place;
}

function firstAskedAt({ forks }: Branching, place: number): TurnId | undefined {
  return forks.find(({ turnsBefore }) => turnsBefore === place)?.before;
}

/** Of the first parting at this place: it has the answer that was there first. */
function parentAt(forks: Branching['forks'], place: number): ConversationId | undefined {
  return forks.find(({ turnsBefore }) => turnsBefore === place)?.parent;
}

/** The conversation that parted at this place and gave the answer that this one has there. */
function ownerOf(
  { id, forks }: Branching,
  place: number,
  known: ReadonlyMap<ConversationId, Branching>,
): ConversationId {
  let at: Branching = { id, forks };
  for (let own = at.forks.at(-1); own && own.turnsBefore > place; own = at.forks.at(-1)) {
    const parent = known.get(own.parent);
    // Gone, and then this one holds its answer in its place.
    if (!parent) break;
    at = parent;
  }
  return at.id;
}
