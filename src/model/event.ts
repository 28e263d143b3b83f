/**
 * What happened in a conversation, in the order in which it happened. All but the live ones are lines of the
 * conversation's file; folded, they give what is on screen and what the model is sent. Names are noun-verb with
 * `start`, `delta` and `end`.
 */
import type { ChangeDecision } from './change';
import type { UnappliedEdit } from './pending-edit';
import type { Failure } from './failure';
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
import type { Mode } from './settings';
import type { Resolution, Interaction } from './interaction';

/** Why a turn ended before its work was done, without anybody having stopped it. */
export type LimitReason =
  'steps' | 'tokens' | 'turn-money' | 'day-money' | 'stuck' | 'no-answer' | 'output';

/** Why a conversation ended: silence, `end_conversation`, or New chat. */
export type EndReason = 'idle' | 'asked' | 'new-chat';

/** What stopped a turn, where it was not the user: the program whose call it was, or that Parley was closed. */
export type StoppedBy = 'client' | 'closing';

/** How a turn ends. None is ever shown or stored as another. `reply` is what whoever asked gets; '' when all was said. */
export type TurnEnd =
  | { readonly kind: 'completed'; readonly outcome: Outcome; readonly reply: string }
  | { readonly kind: 'stopped'; readonly by?: StoppedBy; readonly reply: string }
  | { readonly kind: 'limited'; readonly reason: LimitReason; readonly reply: string }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly reply: string };

interface InTurn {
  readonly turn: TurnId;
}

interface InStep extends InTurn {
  /** Counts the model calls of the turn from 1, those that were voided too. */
  readonly step: number;
}

type EventBody =
  | { readonly type: 'conversation-start'; readonly version: 1; readonly device: DeviceId }
  /**
   * What stands above was said in `parent`, up to before its turn `before`. That turn's message, as it was or changed,
   * is asked anew below; the other answer stays where it is.
   */
  | {
      readonly type: 'fork-set';
      readonly parent: ConversationId;
      readonly before: TurnId;
      readonly message: MessageId;
    }
  | { readonly type: 'mode-set'; readonly mode: Mode }
  /** From here on the model is sent this prompt (kept under its hash), and no thinking from before. */
  | { readonly type: 'prompt-set'; readonly hash: string; readonly model: string }
  | (InTurn & {
      readonly type: 'turn-start';
      readonly requestId: RequestId;
      readonly message: MessageId;
      readonly request: UserRequest;
      readonly attempt: number;
      readonly mode: Mode;
      readonly model: string;
      /** What the model is told beside the user's words, exactly as it is sent. */
      readonly context: string;
      /** What that is made of; left out by earlier versions. */
      readonly contextParts?: readonly ContextPart[];
      /** Pictures and PDFs among it. */
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
      /** What the server said of its reason, such as why it declined. */
      readonly detail?: string;
    })
  /** What this step showed does not count: it is tried again, or was interrupted. */
  | (InStep & {
      readonly type: 'step-void';
      readonly failure: Failure;
      /** What it cost all the same, as far as that is known. */
      readonly usage?: Usage;
    })
  | (InTurn & {
      readonly type: 'retry-start';
      readonly attempt: number;
      readonly of: number;
      /** When the next try begins, in milliseconds since 1970. */
      readonly at: number;
      readonly failure: Failure;
    })
  /** The call is about to run; on disk before it touches anything. */
  | (InTurn & { readonly type: 'call-start'; readonly call: CallId })
  /** How far a call is that runs, in words of whoever does it. */
  | (InTurn & { readonly type: 'call-progress'; readonly call: CallId; readonly text: string })
  | (InTurn & { readonly type: 'call-end'; readonly call: CallId; readonly result: CallResult })
  /** Said to the model at the end of the step's results. */
  | (InStep & { readonly type: 'step-note'; readonly text: string })
  | (InTurn & { readonly type: 'interaction-start'; readonly interaction: Interaction })
  | (InTurn & {
      readonly type: 'interaction-end';
      readonly interaction: InteractionId;
      readonly resolution: Resolution;
      /** The entry whose text was the answer, so that it is not asked a second time as a request. */
      readonly requestId?: RequestId;
    })
  /** The user's words that answered a question, as a message of the conversation. */
  | (InTurn & {
      readonly type: 'answer-end';
      readonly message: MessageId;
      readonly requestId: RequestId | null;
      readonly text: string;
      readonly source: RequestSource;
      /** Whoever answered hears how the turn ends, too. */
      readonly reply: ReplyTo;
      /** The one card that the words decided; left out where they answered all that was open. */
      readonly decides?: InteractionId;
    })
  | (InTurn & { readonly type: 'turn-end'; readonly end: TurnEnd; readonly usage: Usage })
  /** Said to the user beside the answer, and not to the model. */
  | (InTurn & { readonly type: 'turn-notice'; readonly text: string })
  /** The user wants it held, before its next call or model call; a card or question keeps its own state. */
  | (InTurn & { readonly type: 'turn-pause' })
  | (InTurn & { readonly type: 'turn-resume' })
  /**
   * From here on the model is sent `summary` in place of all before `from`: the turns from that one on, and of its
   * steps those from `step` on. A null `from` keeps no turn. `carried`: the text of a conversation that another device
   * owns, which goes on here. `usage` counts to the turn that is open, which is the one that needed the room.
   */
  | {
      readonly type: 'compaction-end';
      readonly why: 'window' | 'carried';
      readonly summary: string;
      readonly from: { readonly turn: TurnId; readonly step: number } | null;
      readonly usage: Usage;
    }
  /** The user decided parts of a proposal that this conversation made, or that could be told to none other. */
  | {
      readonly type: 'edits-decide';
      readonly path: string;
      readonly change: ChangeId;
      readonly decisions: readonly DecidedEdit[];
      /** Why parts could not be applied, in sentences. */
      readonly problems: readonly string[];
    }
  /** The user took changes of this conversation back; `changes` may be undos themselves. */
  | {
      readonly type: 'change-undo';
      readonly undos: readonly ChangeId[];
      readonly changes: readonly ChangeId[];
      readonly undone: readonly string[];
      readonly left: readonly UnappliedEdit[];
    }
  | {
      readonly type: 'title-set';
      readonly title: string;
      readonly by: 'model' | 'user' | 'client';
    }
  | { readonly type: 'summary-set'; readonly summary: string }
  | { readonly type: 'pin-set'; readonly pinned: boolean }
  | { readonly type: 'archive-set'; readonly archived: boolean }
  | { readonly type: 'conversation-end'; readonly reason: EndReason };

/** One decided part, with what it was about: the note no longer tells. */
export interface DecidedEdit extends ChangeDecision {
  readonly before: string;
  /** As it was proposed. */
  readonly proposed: string;
}

/** The text that grew by one piece. Live only: neither kept nor appended, since the `end` carries the whole part. */
export type PartDelta =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly text: string };

export type EventType = EventBody['type'];

/** An event with where and when. */
export type Event = EventBody & {
  readonly conversation: ConversationId;
  /** Milliseconds since 1970. */
  readonly time: number;
};

/** An event before it is given its time and conversation. */
export type EventDraft = EventBody;

/** What is shown while it lasts, and is not kept. */
export type LiveDraft = Extract<EventDraft, { type: 'part-delta' | 'call-progress' }>;

export function isLive({ type }: Event): boolean {
  return type === 'part-delta' || type === 'call-progress';
}

export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
