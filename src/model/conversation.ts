/**
 * A conversation as reduced from its events. Plain, immutable data that only the reducer creates.
 */
import type { EndReason, EventOf, PartDelta, TurnEnd } from './event';
import type { Mode } from './setting-choices';
import { stricterMode } from './stricter-values';
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
import type { Passage } from './passage';
import { withoutSourceMarks } from '#text/source-marks';
import type { Resolution, Interaction } from './interaction';
import type { Attachment, ViewableFile } from './attachment';

/** An interaction with its outcome. */
export interface ResolvedInteraction {
  readonly interaction: Interaction;
  readonly resolution: Resolution;
  readonly time: number;
}

/** A tool call as a union of states. `resolved` is null if the call needed no interaction. */
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
      /** Latest progress text from the tool. */
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

/** A part that is still streaming, with its text so far. */
export interface LivePart {
  readonly index: number;
  readonly type: PartDelta['type'];
  readonly name: string;
  readonly text: string;
}

/** One model call with its tool calls. */
export interface Step {
  /** Number of the model call within the turn, from 1; includes voided calls. */
  readonly index: number;
  /** Number without voided steps, as shown to the user: step `number` of `of`. */
  readonly number: number;
  readonly of: number;
  readonly started: number;
  readonly parts: readonly Part[];
  readonly live: readonly LivePart[];
  readonly calls: readonly ToolCall[];
  /** Null while streaming. */
  readonly stop: StopReason | null;
  /** The server's explanation of the stop reason. */
  readonly detail: string | null;
  readonly usage: Usage;
  /**
   * Value of `promptBasis` for this step: its thinking is sent back only while the conversation has the
   * same basis.
   */
  readonly basis: string;
  /** Why this step does not count (it was retried or interrupted); null if it counts. */
  readonly voided: Failure | null;
  /** Texts sent to the model after the tool results. */
  readonly notes: readonly string[];
  /** Its plain text is a question that the turn waits for. */
  readonly asked?: PlainQuestion;
}

export type PlainQuestion =
  | { readonly state: 'asking'; readonly interaction: Interaction }
  | { readonly state: 'decided'; readonly resolved: ResolvedInteraction };

export interface Retry {
  readonly attempt: number;
  readonly of: number;
  readonly at: number;
  readonly failure: Failure;
}

/** A message from the user that answered an interaction. */
export interface AnswerMessage {
  readonly message: MessageId;
  readonly requestId: RequestId | null;
  readonly text: string;
  readonly source: RequestSource;
  readonly reply: ReplyTo;
  /** The one interaction that the message decided; null if it answered all open ones. */
  readonly decides: InteractionId | null;
  readonly time: number;
}

/** A message that was sent during the turn and joined it. The end of the turn is reported to it. */
export interface SteeringMessage {
  readonly message: MessageId;
  readonly requestId: RequestId;
  readonly text: string;
  readonly source: RequestSource;
  readonly reply: ReplyTo;
  readonly attachments: readonly Attachment[];
  /** Sent before the text. */
  readonly context: string;
  readonly contextParts: readonly ContextPart[];
  readonly contextFiles: readonly ViewableFile[];
  /** Index of the step whose results it follows. */
  readonly step: number;
  /** Set if another note was open than before; null for none. */
  readonly activeNote?: string | null;
  /** When the user sent it. */
  readonly sent: number;
  /** When it joined. */
  readonly time: number;
}

/** The answer to one request. */
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
  /** Labeled ranges of `context`. */
  readonly contextParts: readonly ContextPart[];
  readonly contextFiles: readonly ViewableFile[];
  readonly activeNote: string | null;
  readonly steps: readonly Step[];
  readonly answers: readonly AnswerMessage[];
  /** In the order in which they joined. */
  readonly steering: readonly SteeringMessage[];
  readonly plan: readonly PlanStep[];
  /** Compactions made during the turn. */
  readonly compactions: readonly TurnCompaction[];
  /** What the marks of its text name, in the order they were found; of equal keys the last counts. */
  readonly passages: readonly Passage[];
  /** Messages to the user beside the answer; not sent to the model. */
  readonly notices: readonly string[];
  readonly retry: Retry | null;
  /** Paused by the user. */
  readonly paused: boolean;
  readonly end: TurnEnd | null;
  readonly ended: number | null;
}

export interface Conversation {
  readonly id: ConversationId;
  /** The device that may append to it. */
  readonly device: DeviceId;
  readonly started: number;
  /** Time of the last activity; later titles, summaries, and pins do not count. */
  readonly updated: number;
  readonly ended: number | null;
  readonly endReason: EndReason | null;
  readonly title: string;
  /**
   * Who set the title; a user's title is never replaced. `client`: the MCP client whose calls it
   * contains. `note`: the note whose quick edits it contains.
   */
  readonly titledBy: 'first-message' | 'model' | 'user' | 'client' | 'note';
  /** Path of the note whose quick edits it contains; null for any other conversation. */
  readonly quickEditsOf: string | null;
  readonly summary: string | null;
  readonly pinned: boolean;
  readonly archived: boolean;
  /** Null until a mode is set; each turn then uses the default for its source. */
  readonly mode: Mode | null;
  /** Whether the mode was taken from the current chat, so that the next quick edit does it again. */
  readonly followsMode: boolean;
  /** The most that a turn may do, as set by an event of another device or without a signature. */
  readonly modeLimit: Mode | null;
  readonly turns: readonly Turn[];
  /** System prompt (by hash) and model for the next request; null before the first. */
  readonly prompt: { readonly hash: string; readonly model: string } | null;
  /** Forks that led to this conversation, oldest first; empty if it is not a fork. */
  readonly forks: readonly Fork[];
  /** Oldest first; only the last one applies. */
  readonly compactions: readonly Compaction[];
  /** What the user did with its changes, oldest first. */
  readonly userActions: readonly UserAction[];
}

/**
 * One fork: earlier turns are shared with `parent`, whose turn `before` is answered differently
 * here.
 */
export type Fork = Pick<EventOf<'fork-set'>, 'parent' | 'before' | 'message'> & {
  readonly turnsBefore: number;
};

/** `turnsBefore`: number of turns at that time; the context of the next turn reports the action. */
export type UserAction = (EventOf<'edits-decide'> | EventOf<'change-undo'>) & {
  readonly turnsBefore: number;
};

/** A summary that replaces earlier history in what the model is sent. */
export type Compaction = Pick<EventOf<'compaction-end'>, 'why' | 'summary' | 'from' | 'time'> & {
  /** Number of turns when it was made. */
  readonly turnsBefore: number;
};

export interface TurnCompaction {
  /** Index of the step that follows the compaction. */
  readonly step: number;
  readonly summary: string;
  readonly usage: Usage;
}

/** Thinking is valid for one prompt, model, and history only, so a compaction invalidates it. */
export function promptBasis({ prompt, compactions }: Conversation): string {
  return `${prompt?.hash ?? ''}/${compactions.length}`;
}

/** State of a turn, as shown to the user. */
export type TurnState = 'running' | 'waiting' | 'paused' | TurnEnd['kind'];

/** The mode of the next turn. @param preset what applies while none is set */
export function modeFor(
  { mode, modeLimit }: Pick<Conversation, 'mode' | 'modeLimit'>,
  preset: Mode,
): Mode {
  const chosen = mode ?? preset;
  return stricterMode(chosen, modeLimit ?? chosen);
}

export function turnState(turn: Turn): TurnState {
  if (turn.end) return turn.end.kind;
  if (openInteractions(turn).length > 0) return 'waiting';
  return turn.paused ? 'paused' : 'running';
}

export function findTurn(conversation: Conversation, id: TurnId): Turn | undefined {
  return conversation.turns.findLast((turn) => turn.id === id);
}

/** Steps that were not voided. */
export function validSteps(turn: Turn): Step[] {
  return turn.steps.filter((step) => !step.voided);
}

export function allCalls(turn: Turn): ToolCall[] {
  return validSteps(turn).flatMap((step) => step.calls);
}

/** Whether the turn changed or proposed to change something in the vault. */
export function hasEdits(turn: Turn): boolean {
  return allCalls(turn).some(
    (call) =>
      call.state === 'finished' &&
      call.result.details?.kind === 'changes' &&
      call.result.details.changes.length > 0,
  );
}

export function openInteractions(turn: Turn): Interaction[] {
  if (turn.end) return [];
  return validSteps(turn).flatMap(({ calls, asked }) =>
    [...calls, ...(asked ? [asked] : [])].flatMap((each) =>
      each.state === 'asking' ? [each.interaction] : [],
    ),
  );
}

/** Whether Parley carries out the request itself, without a model. */
export function isCommand({ model, request: { source } }: Turn): boolean {
  return model === '' && source !== 'mcp';
}

export function resolvedInteractions(turn: Turn): ResolvedInteraction[] {
  return turn.steps.flatMap(({ calls, asked }) =>
    [...calls, ...(asked ? [asked] : [])].flatMap((each) =>
      'resolved' in each && each.resolved ? [each.resolved] : [],
    ),
  );
}

/** The user's answer to a question in plain text; null if there is none. */
export function answerTo({ asked }: Step): string | null {
  const resolution = asked?.state === 'decided' ? asked.resolved.resolution : null;
  return resolution?.kind === 'answer' ? resolution.text : null;
}

/** Text of a step as people read it, without thinking, tool calls and marks of sources. */
export function stepText(step: Step): string {
  const texts = step.parts.flatMap((part) =>
    part.type === 'text' ? [withoutSourceMarks(part.text)] : [],
  );
  return texts.join('\n\n').trim();
}

/** The reply of a turn, with the marks that it has in the call that ended the turn. */
export function markedReply(turn: Turn): string {
  const reply = turn.end?.reply.trim() ?? '';
  const summaries = allCalls(turn).flatMap((call) => {
    const details = call.state === 'finished' ? call.result.details : undefined;
    return details?.kind === 'done' ? [details.summary.trim()] : [];
  });
  return summaries.findLast((summary) => withoutSourceMarks(summary).trim() === reply) ?? reply;
}

export function turnUsage(turn: Turn): Usage {
  return callUsages(turn).reduce(addUsage, NO_USAGE);
}

/**
 * Usage of every model call, including voided steps, compactions, and calls made by tools, which
 * are all billed.
 */
export function callUsages(turn: Turn): Usage[] {
  return [...turn.steps, ...turn.compactions, ...spentByTools(turn)].map(({ usage }) => usage);
}

export function spentByTools({ steps }: Turn): Spending[] {
  return steps.flatMap(({ calls }) =>
    calls.flatMap((call) => (call.state === 'finished' && call.result.spent) || []),
  );
}
