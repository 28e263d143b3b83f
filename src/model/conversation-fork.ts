/**
 * Forks: answering a message again in a new conversation, which starts with the same earlier turns.
 */
import type { ConversationSummary } from './conversation-summary';
import type { Event, EventOf, EventType } from './event';
import type { ConversationId, DeviceId, TurnId } from './ids';
import type { ForkFrom } from './request';

export interface ForkPlan extends ForkFrom {
  /** Id of the fork. */
  readonly id: ConversationId;
  readonly device: DeviceId;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Events about the parent conversation itself, which a fork does not copy. */
const PARENTS_OWN = new Set<EventType>([
  'conversation-start',
  'conversation-end',
  'pin-set',
  'archive-set',
  'summary-set',
]);

/** Events of the new conversation; null if the parent has no turn `before`. */
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

/**
 * Later events that a fork inherits: user actions on changes it keeps, the mode, and a title set by
 * the user.
 */
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

/** Ids of the changes and proposals that an event makes. */
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
  /** Conversations with an answer to this message, oldest answer first. */
  readonly ids: readonly ConversationId[];
  /** Index in `ids` of the answer that the current conversation shows. */
  readonly at: number;
}

/**
 * Alternative answers to the message of this turn; null if there is only one.
 *
 * @param place index of the turn in the conversation, from 0
 * @param forked all forks that can be opened
 * @param isThere whether a conversation can be opened
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
  // A fork that starts later shows the answer of the conversation it was forked from.
  const found = all.indexOf(parting ? answererOf({ id, forks }, place, forked) : id);
  const ids = found < 0 ? [...all, id] : all.with(found, id);
  return ids.length > 1 ? { ids, at: found < 0 ? all.length : found } : null;
}

/** The first fork at this place refers to the message as it was originally asked. */
function firstAt(forks: Branching['forks'], place: number) {
  return forks.find(({ turnsBefore }) => turnsBefore === place);
}

/** Finds the conversation that was forked at this place and holds the answer shown here. */
function answererOf(from: Branching, place: number, forked: readonly Branching[]): ConversationId {
  let at = from;
  for (let own = at.forks.at(-1); own && own.turnsBefore > place; own = at.forks.at(-1)) {
    const { parent } = own;
    const above = forked.find(({ id }) => id === parent);
    // The parent was deleted, so its fork takes its place.
    if (!above) break;
    at = above;
  }
  return at.id;
}
