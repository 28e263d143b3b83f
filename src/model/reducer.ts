/**
 * Reduces events to a conversation. The live view, reload, and tests share this one reducer, so
 * they cannot disagree. Unchanged objects are reused, so that the UI redraws only the turn and step
 * that changed.
 */
import {
  promptBasis,
  type Conversation,
  type ResolvedInteraction,
  type SteeringMessage,
  type Step,
  type ToolCall,
  type Turn,
} from './conversation';
import { noteName } from '#text/paths';
import { isLive, type Event, type EventOf } from './event';
import { callId, type CallId, type ConversationId } from './ids';
import { NO_USAGE, type CallResult, type Part } from './message';

/** A conversation before its first event. */
export function emptyConversation(id: ConversationId): Conversation {
  return {
    id,
    device: '' as Conversation['device'],
    started: 0,
    updated: 0,
    ended: null,
    endReason: null,
    title: '',
    titledBy: 'first-message',
    quickEditsOf: null,
    summary: null,
    pinned: false,
    archived: false,
    mode: null,
    followsMode: false,
    modeLimit: null,
    turns: [],
    prompt: null,
    forks: [],
    compactions: [],
    userActions: [],
  };
}

/** How a list of turns is changed. */
interface TurnList {
  add(turns: readonly Turn[], turn: Turn): readonly Turn[];
  set(turns: readonly Turn[], at: number, turn: Turn): readonly Turn[];
}

const COPIED: TurnList = {
  add: (turns, turn) => [...turns, turn],
  set: (turns, at, turn) => turns.with(at, turn),
};

export function reduceAll(id: ConversationId, events: Iterable<Event>): Conversation {
  const reduction = new Reduction(id);
  for (const event of events) reduction.take(event);
  return reduction.state();
}

/**
 * Applies many events when only the final state is needed. Changes one list of turns in place, because
 * copying it for each event would take quadratic time.
 */
export class Reduction {
  readonly #turns: Turn[] = [];
  #conversation: Conversation;
  readonly #list: TurnList = {
    add: (_, turn) => {
      this.#turns.push(turn);
      return this.#turns;
    },
    set: (_, at, turn) => {
      this.#turns[at] = turn;
      return this.#turns;
    },
  };

  constructor(id: ConversationId) {
    this.#conversation = { ...emptyConversation(id), turns: this.#turns };
  }

  take(event: Event): void {
    this.#conversation = reduceInto(this.#conversation, event, this.#list);
  }

  state(): Conversation {
    return { ...this.#conversation, turns: [...this.#turns] };
  }
}

/**
 * Applies one event. Events for a missing turn or step (its line was damaged), or of a type unknown
 * to this version, change nothing.
 */
export function reduce(conversation: Conversation, event: Event): Conversation {
  return reduceInto(conversation, event, COPIED);
}

function reduceInto(conversation: Conversation, event: Event, list: TurnList): Conversation {
  const next = foldBody(conversation, event, list);
  return isWriting(event) ? { ...next, updated: event.time } : next;
}

/**
 * Titles, summaries, and pins are set later and must not make an old conversation the current one.
 */
function isWriting(event: Event): boolean {
  if (event.type === 'conversation-start' || event.type === 'fork-set') return true;
  return 'turn' in event && !isLive(event);
}

function foldBody(conversation: Conversation, event: Event, list: TurnList): Conversation {
  switch (event.type) {
    case 'conversation-start':
      return { ...conversation, device: event.device, started: event.time };
    case 'fork-set': {
      const { parent, before, message } = event;
      const fork = { parent, before, message, turnsBefore: conversation.turns.length };
      return { ...conversation, forks: [...conversation.forks, fork] };
    }
    case 'mode-set':
      return {
        ...conversation,
        ...{ mode: event.mode, followsMode: event.follows ?? false, modeLimit: null },
      };
    case 'prompt-set':
      return { ...conversation, prompt: { hash: event.hash, model: event.model } };
    case 'title-set':
      // The user may have named it while the model was still answering.
      if (event.by === 'model' && conversation.titledBy === 'user') return conversation;
      return { ...conversation, title: event.title, titledBy: event.by };
    case 'note-set': {
      const title = `Edits in ${noteName(event.note)}`;
      return { ...conversation, quickEditsOf: event.note, title, titledBy: 'note' };
    }
    case 'summary-set':
      return { ...conversation, summary: event.summary };
    case 'pin-set':
      return { ...conversation, pinned: event.pinned };
    case 'archive-set':
      return { ...conversation, archived: event.archived };
    case 'compaction-end': {
      const { why, summary, from, time } = event;
      const turnsBefore = conversation.turns.length;
      const compaction = { why, summary, from, time, turnsBefore };
      const compactions = [...conversation.compactions, compaction];
      return { ...countedToTurn(conversation, event, list), compactions };
    }
    case 'edits-decide':
    case 'change-undo': {
      const act = { ...event, turnsBefore: conversation.turns.length };
      return { ...conversation, userActions: [...conversation.userActions, act] };
    }
    case 'conversation-end':
      return { ...conversation, ended: event.time, endReason: event.reason };
    case 'turn-start':
      return {
        ...conversation,
        ended: null,
        endReason: null,
        // A new turn unarchives the conversation.
        archived: false,
        title: conversation.title || firstLine(event.request.text),
        // The summary is outdated; a new one is made when the conversation ends again.
        summary: null,
        turns: list.add(conversation.turns, newTurn(event)),
      };
    default:
      return withTurn(conversation, event.turn, list, (turn) =>
        foldTurn(turn, event, promptBasis(conversation)),
      );
  }
}

/** A compaction counts toward the open turn, which needed the space. */
function countedToTurn(
  conversation: Conversation,
  event: EventOf<'compaction-end'>,
  list: TurnList,
): Conversation {
  const open = conversation.turns.at(-1);
  if (event.why !== 'window' || !open || open.end) return conversation;
  const { summary, usage } = event;
  return withTurn(conversation, open.id, list, (turn) => {
    const step = (turn.steps.at(-1)?.index ?? 0) + 1;
    return { ...turn, retry: null, compactions: [...turn.compactions, { step, summary, usage }] };
  });
}

type TurnEvent = Extract<Event, { turn: Turn['id'] }>;

function foldTurn(turn: Turn, event: TurnEvent, basis: string): Turn {
  switch (event.type) {
    case 'turn-start':
      return turn;
    case 'step-start':
      return { ...turn, retry: null, steps: [...turn.steps, newStep(event, basis)] };
    case 'part-delta':
      return withStep(turn, event.step, (step) => grow(step, event));
    case 'part-end':
      return withStep(turn, event.step, (step) => endPart(step, turn, event.index, event.part));
    case 'step-end':
      return withStep(turn, event.step, (step) => ({
        ...step,
        live: [],
        stop: event.stop,
        detail: event.detail ?? null,
        usage: event.usage,
      }));
    case 'step-void':
      return withStep(turn, event.step, (step) => ({
        ...step,
        live: [],
        voided: event.failure,
        usage: event.usage ?? step.usage,
      }));
    case 'step-note':
      return withStep(turn, event.step, (step) => ({
        ...step,
        notes: [...step.notes, event.text],
      }));
    case 'retry-start': {
      const { attempt, of, at, failure } = event;
      return { ...turn, retry: { attempt, of, at, failure } };
    }
    case 'call-start':
      return withCall(turn, event.call, (call) => ({
        id: call.id,
        part: call.part,
        state: 'running',
        resolved: settledOf(call),
        started: event.time,
      }));
    case 'call-progress':
      return withCall(turn, event.call, (call) =>
        call.state === 'running' ? { ...call, progress: event.text } : call,
      );
    case 'call-end': {
      const plan = planOf(event.result);
      const after = withCall(turn, event.call, (call) => ({
        id: call.id,
        part: call.part,
        state: 'finished',
        resolved: settledOf(call),
        started: call.state === 'running' ? call.started : null,
        ended: event.time,
        result: event.result,
      }));
      return plan ? { ...after, plan } : after;
    }
    case 'interaction-start': {
      const { interaction } = event;
      const { call } = interaction;
      if (call === null) {
        const last = turn.steps.findLast(({ voided }) => voided === null);
        const asked = { state: 'asking', interaction } as const;
        return withStep(turn, last?.index ?? 0, (step) => ({ ...step, asked }));
      }
      return withCall(turn, call, ({ id, part }) => ({ id, part, state: 'asking', interaction }));
    }
    case 'interaction-end':
      return withCalls(withPlainAnswer(turn, event), (call) =>
        call.state === 'asking' && call.interaction.id === event.interaction
          ? {
              id: call.id,
              part: call.part,
              state: 'decided',
              resolved: {
                interaction: call.interaction,
                resolution: event.resolution,
                time: event.time,
              },
            }
          : call,
      );
    case 'answer-end': {
      const { message, requestId, text, source, reply, decides = null, time } = event;
      return {
        ...turn,
        answers: [...turn.answers, { message, requestId, text, source, reply, decides, time }],
      };
    }
    case 'steer-join':
      return { ...turn, steering: [...turn.steering, steeringMessage(event)] };
    case 'passage-find':
      return { ...turn, passages: [...turn.passages, event.passage] };
    case 'turn-notice':
      return { ...turn, notices: [...turn.notices, event.text] };
    case 'turn-pause':
      return { ...turn, paused: true };
    case 'turn-resume':
      return { ...turn, paused: false };
    case 'turn-end':
      return { ...turn, retry: null, paused: false, end: event.end, ended: event.time };
    default:
      return unknownEvent(event, turn);
  }
}

/**
 * The type `never` ensures that all known events are handled; events of later versions arrive here.
 */
function unknownEvent(_event: never, turn: Turn): Turn {
  return turn;
}

/** A turn that has just begun. */
export function newTurn(event: EventOf<'turn-start'>): Turn {
  const { requestId, message, request, attempt, mode, model, context, activeNote } = event;
  return {
    id: event.turn,
    requestId,
    message,
    started: event.time,
    request,
    attempt,
    mode,
    model,
    context,
    contextParts: event.contextParts ?? [],
    contextFiles: event.shown ?? [],
    activeNote,
    steps: [],
    answers: [],
    steering: [],
    plan: [],
    compactions: [],
    passages: [],
    notices: [],
    retry: null,
    paused: false,
    end: null,
    ended: null,
  };
}

function steeringMessage(event: EventOf<'steer-join'>): SteeringMessage {
  const {
    message,
    request,
    context,
    contextParts = [],
    shown = [],
    activeNote,
    step,
    time,
  } = event;
  const { id: requestId, text, source, reply, attachments } = request;
  const sent = { message, requestId, text, source, reply, attachments };
  const note = activeNote === undefined ? {} : { activeNote };
  const files = { context, contextParts, contextFiles: shown };
  return { ...sent, ...note, ...files, step, sent: request.time, time };
}

function newStep(event: EventOf<'step-start'>, basis: string): Step {
  return {
    index: event.step,
    number: event.number,
    of: event.of,
    started: event.time,
    parts: [],
    live: [],
    calls: [],
    stop: null,
    detail: null,
    usage: NO_USAGE,
    basis,
    voided: null,
    notes: [],
  };
}

function grow(step: Step, event: EventOf<'part-delta'>): Step {
  const { index, delta } = event;
  const at = step.live.findIndex((part) => part.index === index);
  const before = step.live[at];
  const part = {
    index,
    type: delta.type,
    name: delta.type === 'call' ? delta.name || (before?.name ?? '') : '',
    text: (before?.text ?? '') + delta.text,
  };
  return { ...step, live: before ? step.live.with(at, part) : [...step.live, part] };
}

function endPart(step: Step, turn: Turn, index: number, part: Part): Step {
  const calls: readonly ToolCall[] =
    part.type === 'call'
      ? [...step.calls, { id: callId(turn.id, step.index, index), part, state: 'ready' }]
      : step.calls;
  return {
    ...step,
    live: step.live.filter((live) => live.index !== index),
    parts: [...step.parts, part],
    calls,
  };
}

function withPlainAnswer(turn: Turn, event: EventOf<'interaction-end'>): Turn {
  const step = turn.steps.find(
    ({ asked }) => asked?.state === 'asking' && asked.interaction.id === event.interaction,
  );
  if (step?.asked?.state !== 'asking') return turn;
  const { interaction } = step.asked;
  const { resolution, time } = event;
  const asked = { state: 'decided', resolved: { interaction, resolution, time } } as const;
  return withStep(turn, step.index, (each) => ({ ...each, asked }));
}

function settledOf(call: ToolCall): ResolvedInteraction | null {
  return 'resolved' in call ? call.resolved : null;
}

function planOf(result: CallResult): Turn['plan'] | null {
  return result.details?.kind === 'plan' ? result.details.steps : null;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}

function withTurn(
  conversation: Conversation,
  id: Turn['id'],
  list: TurnList,
  change: (turn: Turn) => Turn,
): Conversation {
  const at = conversation.turns.findLastIndex((turn) => turn.id === id);
  const turn = conversation.turns[at];
  return turn
    ? { ...conversation, turns: list.set(conversation.turns, at, change(turn)) }
    : conversation;
}

function withStep(turn: Turn, index: number, change: (step: Step) => Step): Turn {
  const at = turn.steps.findLastIndex((step) => step.index === index);
  const step = turn.steps[at];
  return step ? { ...turn, steps: turn.steps.with(at, change(step)) } : turn;
}

function withCall(turn: Turn, id: CallId, change: (call: ToolCall) => ToolCall): Turn {
  return withCalls(turn, (call) => (call.id === id ? change(call) : call));
}

function withCalls(turn: Turn, change: (call: ToolCall) => ToolCall): Turn {
  const steps = turn.steps.map((step) => {
    const calls = step.calls.map(change);
    return calls.some((call, at) => call !== step.calls[at]) ? { ...step, calls } : step;
  });
  return { ...turn, steps };
}
