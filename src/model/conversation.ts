/** A conversation as its events make it. All of it is plain, immutable data; `fold` is the only one that makes it. */
import type { EndReason, EventOf, PartDelta, TurnEnd } from './event';
import type { Mode } from './settings';
import type { Failure } from './failure';
import type {
  CallId,
  ConversationId,
  DeviceId,
  RequestId,
  MessageId,
  TurnId,
  InteractionId,
} from './ids';
import type { UserRequest, ReplyTo, RequestSource } from './request';
import {
  addUsage,
  NO_USAGE,
  type CallPart,
  type CallResult,
  type Part,
  type PlanStep,
  type StopReason,
  type Spending,
  type ContextPart,
  type Usage,
} from './message';
import type { Resolution, Interaction } from './interaction';
import type { ViewableFile } from './attachment';

/** What a user was asked before a call went on, and how that ended. */
export interface ResolvedInteraction {
  readonly interaction: Interaction;
  readonly resolution: Resolution;
  readonly time: number;
}

/** A tool call in the state it is in; what a state can't have can't be written. `settled`: null where nobody was asked. */
export type ToolCall = {
  readonly id: CallId;
  readonly part: CallPart;
} & (
  | { readonly state: 'ready' }
  | { readonly state: 'asking'; readonly interaction: Interaction }
  | { readonly state: 'decided'; readonly resolved: ResolvedInteraction }
  | {
      readonly state: 'running';
      readonly resolved: ResolvedInteraction | null;
      readonly started: number;
      /** How far it is, as whoever does it last said. */
      readonly progress?: string;
    }
  | {
      readonly state: 'finished';
      readonly resolved: ResolvedInteraction | null;
      readonly started: number | null;
      readonly ended: number;
      readonly result: CallResult;
    }
);

/** A part that is still streaming: its pieces so far. */
export interface LivePart {
  readonly index: number;
  readonly type: PartDelta['type'];
  readonly name: string;
  readonly text: string;
}

/** One model call with its tool calls. */
export interface Step {
  /** Counts the model calls of the turn from 1, voided ones too. */
  readonly index: number;
  /** Counts those that stand, as the user reads it: step `number` of `of`. */
  readonly number: number;
  readonly of: number;
  readonly started: number;
  readonly parts: readonly Part[];
  readonly live: readonly LivePart[];
  readonly calls: readonly ToolCall[];
  /** Null while it streams. */
  readonly stop: StopReason | null;
  /** What the server said of its reason to stop. */
  readonly detail: string | null;
  readonly usage: Usage;
  /** What its thinking is valid under: it is only sent back while this is the conversation's, too. */
  readonly basis: string;
  /** Why it does not count; it was tried again, or was interrupted. */
  readonly voided: Failure | null;
  /** What was said to the model after the results. */
  readonly notes: readonly string[];
}

export interface Retry {
  readonly attempt: number;
  readonly of: number;
  readonly at: number;
  readonly failure: Failure;
}

/** The user's words that answered a question. */
export interface AnswerMessage {
  readonly message: MessageId;
  readonly requestId: RequestId | null;
  readonly text: string;
  readonly source: RequestSource;
  readonly reply: ReplyTo;
  /** The one card that the words decided; null where they answered all that was open. */
  readonly decides: InteractionId | null;
  readonly time: number;
}

/** One answer to one entry. */
export interface Turn {
  readonly id: TurnId;
  readonly requestId: RequestId;
  readonly message: MessageId;
  readonly started: number;
  readonly request: UserRequest;
  readonly attempt: number;
  readonly mode: Mode;
  readonly model: string;
  readonly context: string;
  /** What that is made of. */
  readonly contextParts: readonly ContextPart[];
  readonly contextFiles: readonly ViewableFile[];
  readonly activeNote: string | null;
  readonly steps: readonly Step[];
  readonly answers: readonly AnswerMessage[];
  readonly plan: readonly PlanStep[];
  /** Those that were made while it ran. */
  readonly compactions: readonly TurnCompaction[];
  /** Said to the user beside the answer; the model is not told. */
  readonly notices: readonly string[];
  readonly retry: Retry | null;
  /** Held by the user. */
  readonly paused: boolean;
  readonly end: TurnEnd | null;
  readonly ended: number | null;
}

export interface Conversation {
  readonly id: ConversationId;
  /** The device that may append to it. */
  readonly device: DeviceId;
  readonly started: number;
  /** When it was last written in. */
  readonly updated: number;
  readonly ended: number | null;
  readonly endReason: EndReason | null;
  readonly title: string;
  /** Whose the title is; a user's is never replaced. `client`: the program whose calls it holds. */
  readonly titledBy: 'first-message' | 'model' | 'user' | 'client';
  readonly summary: string | null;
  readonly pinned: boolean;
  readonly archived: boolean;
  /** Null while nobody has set it: then each turn has the default of its source. */
  readonly mode: Mode | null;
  readonly turns: readonly Turn[];
  /** The prompt (by hash) and model that the next request is built with; null before the first. */
  readonly prompt: { readonly hash: string; readonly model: string } | null;
  /** Where it parted from others, the first parting first; none where it is no fork. */
  readonly forks: readonly Fork[];
  /** In the order in which they were made; the last one counts. */
  readonly compactions: readonly Compaction[];
  /** What the user did with its changes, the oldest first. */
  readonly userActions: readonly UserAction[];
}

/** One parting: the turns up to here are `parent`'s, too; its turn `before` is answered otherwise from here on. */
export type Fork = Pick<EventOf<'fork-set'>, 'parent' | 'before' | 'message'> & {
  readonly turnsBefore: number;
};

/** `turnsBefore`: how many turns there were by then; the next one is told of it. */
export type UserAction = (EventOf<'edits-decide'> | EventOf<'change-undo'>) & {
  readonly turnsBefore: number;
};

/** What the model is sent in place of everything before. */
export type Compaction = Pick<EventOf<'compaction-end'>, 'why' | 'summary' | 'from' | 'time'> & {
  /** How many turns there were when it was made. */
  readonly turnsBefore: number;
};

export interface TurnCompaction {
  /** The index of the step before which it was made. */
  readonly step: number;
  readonly summary: string;
  readonly usage: Usage;
}

/** Thinking belongs to one prompt and model, and to one history: it does not outlive a compaction. */
export function basisOf({ prompt, compactions }: Conversation): string {
  return `${prompt?.hash ?? ''}/${compactions.length}`;
}

/** Where a turn stands, as the user reads it. */
export type TurnState = 'running' | 'waiting' | 'paused' | TurnEnd['kind'];

export function turnState(turn: Turn): TurnState {
  if (turn.end) return turn.end.kind;
  if (openInteractions(turn).length > 0) return 'waiting';
  return turn.paused ? 'paused' : 'running';
}

export function findTurn(conversation: Conversation, id: TurnId): Turn | undefined {
  return conversation.turns.findLast((turn) => turn.id === id);
}

/** The steps that stand: what the model said and what came of it. */
export function validSteps(turn: Turn): Step[] {
  return turn.steps.filter((step) => !step.voided);
}

export function allCalls(turn: Turn): ToolCall[] {
  return validSteps(turn).flatMap((step) => step.calls);
}

export function openInteractions(turn: Turn): Interaction[] {
  if (turn.end) return [];
  return allCalls(turn).flatMap((call) => (call.state === 'asking' ? [call.interaction] : []));
}

/** The text of a step's answer, thinking and calls left out. */
export function stepText(step: Step): string {
  return step.parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
}

export function turnUsage(turn: Turn): Usage {
  return callUsages(turn).reduce(addUsage, NO_USAGE);
}

/** Of each of its model calls. Voided steps were paid for all the same, and so were compactions and what tools asked. */
export function callUsages(turn: Turn): Usage[] {
  return [...turn.steps, ...turn.compactions, ...spentByTools(turn)].map(({ usage }) => usage);
}

export function spentByTools({ steps }: Turn): Spending[] {
  return steps.flatMap(({ calls }) =>
    calls.flatMap((call) => (call.state === 'finished' && call.result.spent) || []),
  );
}
