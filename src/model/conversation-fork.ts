/** Forks: answering one message more than once, each time in a conversation of its own. */
import type { ConversationSummary } from './conversation-summary';
import type { Event, EventOf, EventType } from './event';
import type { ConversationId, DeviceId, TurnId } from './ids';
import type { ForkFrom } from './request';

export interface ForkPlan extends ForkFrom {
  /** Of the fork. */
  readonly id: ConversationId;
  readonly device: DeviceId;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** These are about the parent as a whole. */
const PARENTS_OWN = new Set<EventType>([
  'conversation-start',
  'conversation-end',
  'pin-set',
  'archive-set',
  'summary-set',
]);

/** Null where the parent has no such turn. */
export function forkEvents(events: readonly Event[], plan: ForkPlan): readonly Event[] | null {
  const { id, device, now, parent, before } = plan;
  const at = events.findIndex((event) => event.type === 'turn-start' && event.turn === before);
  const parting = events[at];
  if (parting?.type !== 'turn-start') return null;
  const here = { conversation: id, time: now };
  const kept = events.slice(0, at).filter(({ type }) => !PARENTS_OWN.has(type));
  return [
    { type: 'conversation-start', version: 1, device, ...here },
    ...[...kept, ...laterAbout(kept, events.slice(at))].map((event) => ({
      ...event,
      conversation: id,
    })),
    { type: 'fork-set', parent, before, message: parting.message, ...here },
  ];
}

/** What the user did since with what is kept, and how the conversation is named and bound by now. */
function laterAbout(kept: readonly Event[], later: readonly Event[]): Event[] {
  const known = new Set(kept.flatMap(changesIn));
  return later.filter((event) => {
    if (event.type === 'mode-set') return true;
    if (event.type === 'title-set') return event.by === 'user';
    if (event.type !== 'edits-decide' && event.type !== 'change-undo') return false;
    const isKept = subjectsOf(event).some((each) => known.has(each));
    if (isKept) for (const made of changesIn(event)) known.add(made);
    return isKept;
  });
}

/** Ids of changes and proposals that it made. */
function changesIn(event: Event): readonly string[] {
  switch (event.type) {
    case 'call-end': {
      const { details } = event.result;
      if (details?.kind !== 'changes') return [];
      return details.changes.flatMap(({ change, proposes = [] }) => [change, ...proposes]);
    }
    case 'edits-decide':
      return [event.change];
    case 'change-undo':
      return event.undos;
    default:
      return [];
  }
}

function subjectsOf(act: EventOf<'edits-decide'> | EventOf<'change-undo'>): readonly string[] {
  if (act.type === 'change-undo') return act.changes;
  return [act.change, ...act.decisions.map(({ proposal }) => proposal)];
}

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
