/**
 * Events of a conversation, in order. All except live events are lines in the conversation's file;
 * reduced, they yield the state of the screen and the history for the model. Names are noun-verb
 * with `start`, `delta`, and `end`.
 */
import type { ChangeDecision } from './change';
import type { UnappliedEdit } from './pending-edit';
import type { Failure, AutomaticRetry } from './failure';
import type {
  CallId,
  ChangeId,
  ConversationId,
  DeviceId,
  RequestId,
  MessageId,
  TurnId,
  InteractionId,
} from './ids';
import type { UserRequest, ReplyTo, RequestSource } from './request';
import type { CallResult, Outcome, Part, StopReason, ContextPart, Usage } from './message';
import type { ViewableFile } from './attachment';
import type { Passage } from './passage';
import type { Mode } from './setting-choices';
import type { Resolution, Interaction } from './interaction';

/** The limit that ended a turn before its work was done. */
export type LimitReason =
  'steps' | 'tokens' | 'turn-money' | 'day-money' | 'stuck' | 'no-answer' | 'output';

/** Why a conversation ended: idle timeout, `end_conversation`, or New chat. */
export type EndReason = 'idle' | 'asked' | 'new-chat';

/** What stopped a turn, if not the user: the MCP client that made the call, or Parley closing. */
export type StoppedBy = 'client' | 'closing';

/**
 * How a turn ended; shown and stored as is, never as another kind. `reply` is the text for the
 * requester, '' if it was already sent.
 */
export type TurnEnd =
  | {
      readonly kind: 'completed';
      readonly outcome: Outcome;
      readonly reply: string;
      /** What a listener hears instead. */
      readonly spoken?: string;
    }
  | {
      readonly kind: 'stopped';
      readonly by?: StoppedBy;
      /** A sentence about the stop, part of the reply. */
      readonly note?: string;
      readonly reply: string;
    }
  | { readonly kind: 'limited'; readonly reason: LimitReason; readonly reply: string }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** Set if Parley retries the request by itself. */
      readonly retry?: AutomaticRetry;
      readonly reply: string;
    };

interface InTurn {
  readonly turn: TurnId;
}

interface InStep extends InTurn {
  /** Number of the model call within the turn, from 1; includes voided calls. */
  readonly step: number;
}

type EventBody =
  | { readonly type: 'conversation-start'; readonly version: 1; readonly device: DeviceId }
  /**
   * The turns above are copied from `parent`, up to its turn `before`. That turn's message is sent
   * again below, unchanged or edited; `parent` keeps the earlier answer.
   */
  | {
      readonly type: 'fork-set';
      readonly parent: ConversationId;
      readonly before: TurnId;
      readonly message: MessageId;
    }
  /** `follows`: it is the mode of the current chat, which the user did not choose here. */
  | { readonly type: 'mode-set'; readonly mode: Mode; readonly follows?: true }
  /** From here on the model receives this prompt (stored under its hash) and no earlier thinking. */
  | { readonly type: 'prompt-set'; readonly hash: string; readonly model: string }
  | (InTurn & {
      readonly type: 'turn-start';
      readonly requestId: RequestId;
      readonly message: MessageId;
      readonly request: UserRequest;
      readonly attempt: number;
      readonly mode: Mode;
      readonly model: string;
      /** Context sent before the user's words, exactly as the model receives it. */
      readonly context: string;
      /** Labeled ranges of the context; omitted by earlier versions. */
      readonly contextParts?: readonly ContextPart[];
      /** Images and PDFs in the context. */
      readonly shown?: readonly ViewableFile[];
      readonly activeNote: string | null;
    })
  | (InStep & { readonly type: 'step-start'; readonly number: number; readonly of: number })
  | (InStep & { readonly type: 'part-delta'; readonly index: number; readonly delta: PartDelta })
  | (InStep & { readonly type: 'part-end'; readonly index: number; readonly part: Part })
  | (InStep & {
      readonly type: 'step-end';
      readonly stop: StopReason;
      readonly usage: Usage;
      /** The server's explanation of the stop reason, such as why it declined. */
      readonly detail?: string;
    })
  /** The output of this step is void: the step is retried, or was interrupted. */
  | (InStep & {
      readonly type: 'step-void';
      readonly failure: Failure;
      /** Usage that is billed anyway, as far as known. */
      readonly usage?: Usage;
    })
  | (InTurn & {
      readonly type: 'retry-start';
      readonly attempt: number;
      readonly of: number;
      /** When the next attempt starts, in milliseconds since 1970. */
      readonly at: number;
      readonly failure: Failure;
    })
  /** The call is about to run; on disk before it touches anything. */
  | (InTurn & { readonly type: 'call-start'; readonly call: CallId })
  /** Progress of a running call, in the words of the tool. */
  | (InTurn & { readonly type: 'call-progress'; readonly call: CallId; readonly text: string })
  | (InTurn & { readonly type: 'call-end'; readonly call: CallId; readonly result: CallResult })
  /** A note for the model, after the results of the step. */
  | (InStep & { readonly type: 'step-note'; readonly text: string })
  /** A message that was sent during the turn joins it, behind the results of the step. */
  | (InStep & {
      readonly type: 'steer-join';
      readonly message: MessageId;
      readonly request: UserRequest;
      /** Context sent before the user's words, exactly as the model receives it. */
      readonly context: string;
      readonly contextParts?: readonly ContextPart[];
      /** Images and PDFs in the context. */
      readonly shown?: readonly ViewableFile[];
      /** The active note, if it is another one than before. */
      readonly activeNote?: string | null;
    })
  | (InTurn & { readonly type: 'interaction-start'; readonly interaction: Interaction })
  | (InTurn & {
      readonly type: 'interaction-end';
      readonly interaction: InteractionId;
      readonly resolution: Resolution;
      /** The request whose text was the answer, so that it is not also run as a request. */
      readonly requestId?: RequestId;
    })
  /** The user's words that answered a question, as a message of the conversation. */
  | (InTurn & {
      readonly type: 'answer-end';
      readonly message: MessageId;
      readonly requestId: RequestId | null;
      readonly text: string;
      readonly source: RequestSource;
      /** The end of the turn is also reported here. */
      readonly reply: ReplyTo;
      /** The one interaction that the message decided; omitted if it answered all open ones. */
      readonly decides?: InteractionId;
    })
  | (InTurn & { readonly type: 'turn-end'; readonly end: TurnEnd; readonly usage: Usage })
  /** A mark in the text of the turn names lines that the model was shown. */
  | (InTurn & { readonly type: 'passage-find'; readonly passage: Passage })
  /** A notice for the user next to the answer; the model does not receive it. */
  | (InTurn & { readonly type: 'turn-notice'; readonly text: string })
  /** The user paused the turn before its next tool or model call. Open interactions keep their state. */
  | (InTurn & { readonly type: 'turn-pause' })
  | (InTurn & { readonly type: 'turn-resume' })
  /**
   * From here on the model receives `summary` in place of everything before step `step` of the turn
   * `from`; null keeps no turn. `carried` is the text of another device's conversation that this one
   * continues. `usage` counts toward the open turn, which needed the space.
   */
  | {
      readonly type: 'compaction-end';
      readonly why: 'window' | 'carried';
      readonly summary: string;
      readonly from: { readonly turn: TurnId; readonly step: number } | null;
      readonly usage: Usage;
    }
  /** The user decided hunks of a proposal of this conversation, or of one whose conversation is gone. */
  | {
      readonly type: 'edits-decide';
      readonly path: string;
      readonly change: ChangeId;
      readonly decisions: readonly DecidedEdit[];
      /** Why some hunks could not be applied, in sentences. */
      readonly problems: readonly string[];
    }
  /**
   * Changes of this conversation were undone, or its agent undid changes; `changes` may be undos
   * themselves.
   */
  | {
      readonly type: 'change-undo';
      readonly undos: readonly ChangeId[];
      readonly changes: readonly ChangeId[];
      readonly undone: readonly string[];
      readonly left: readonly UnappliedEdit[];
      /** The turn in which the agent undid them; omitted if the user did. */
      readonly by?: TurnId;
    }
  | {
      readonly type: 'title-set';
      readonly title: string;
      readonly by: 'model' | 'user' | 'client';
    }
  | { readonly type: 'summary-set'; readonly summary: string }
  /** The conversation is for the quick edits of this note, and named after it. */
  | { readonly type: 'note-set'; readonly note: string }
  | { readonly type: 'pin-set'; readonly pinned: boolean }
  | { readonly type: 'archive-set'; readonly archived: boolean }
  | { readonly type: 'conversation-end'; readonly reason: EndReason };

/**
 * A decided hunk with its texts, which are then gone from the note. `choose`: the hunk proposes
 * another version, `after`, and stays pending.
 */
export interface DecidedEdit extends Omit<ChangeDecision, 'choice'> {
  readonly choice: ChangeDecision['choice'] | 'choose';
  readonly before: string;
  /** The text as proposed. */
  readonly proposed: string;
  /** Set if it was rejected by deleting its block from the note, which nothing else undoes. */
  readonly isRemoved?: true;
}

/** A decision after which the hunk is not pending any more. */
export type FinalDecision = DecidedEdit & ChangeDecision;

/** A text increment. Live only: it is not saved, because `part-end` carries the whole part. */
export type PartDelta =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly text: string };

export type EventType = EventBody['type'];

/** An event with its conversation and time. */
export type Event = EventBody & {
  readonly conversation: ConversationId;
  /** Milliseconds since 1970. */
  readonly time: number;
};

/** An event before its conversation and time are set. */
export type EventDraft = EventBody;

/** Events that are shown live and not saved. */
export type LiveDraft = Extract<EventDraft, { type: 'part-delta' | 'call-progress' }>;

export function isLive({ type }: Event): boolean {
  return type === 'part-delta' || type === 'call-progress';
}

export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
