/** The events with which a fork begins: what was said before the parting, and what was done with that since. */
import type { Event, EventOf, EventType } from '../event';
import type { ConversationId, DeviceId } from '../ids';
import type { ForkFrom } from '../inbound';

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

/** What the person did since with what is kept, and how the conversation is named and bound by now. */
function laterAbout(kept: readonly Event[], later: readonly Event[]): Event[] {
  const known = new Set(kept.flatMap(changesIn));
  return later.filter((event) => {
    if (event.type === 'mode-set') return true;
    if (event.type === 'title-set') return event.by === 'person';
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
