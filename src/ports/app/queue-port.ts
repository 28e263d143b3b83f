/** What the screen can do with requests and their turns, from sending to discarding. */
import type { Attachment, DraftOwner } from '#model/attachment';
import type { ConversationId, InteractionId, RequestId, TurnId } from '#model/ids';
import type { ApprovalChoice } from '#model/interaction';
import type { CallResult } from '#model/message';
import type { Delivery, RequestSource } from '#model/request';
import type { ActionResult } from '#model/failure';

export interface SendRequest {
  readonly text: string;
  /** Defaults to `typed`. */
  readonly source?: Exclude<RequestSource, 'mcp'>;
  /** Defaults to the current conversation, or to a new one if there is none. */
  readonly conversation?: ConversationId;
  readonly attachments?: readonly Attachment[];
  /** Null for no active note. Defaults to the note that is open when the turn begins. */
  readonly activeNote?: string | null;
  /** Parts of the text that the user did not write, such as those from an `obsidian://` link. */
  readonly linked?: readonly string[];
  /** What it does to an open turn. Defaults to joining it at its next tool boundary. */
  readonly when?: Delivery;
  /**
   * The turn that it continues. Refused if a message follows that turn already, so that two views
   * cannot continue it twice.
   */
  readonly continues?: TurnId;
  /** Lets the request go beyond the daily cost limit. */
  readonly beyondDayLimit?: true;
  /** The id of an open approval that the view has not shown in full: no words can allow it. */
  readonly unread?: InteractionId;
}

export interface QuestionAnswer {
  readonly text?: string;
  readonly choice?: string;
  /** Can be omitted while exactly one question is open. */
  readonly question?: InteractionId;
}

export interface ApprovalAnswer {
  readonly approval: InteractionId;
  readonly choice: ApprovalChoice;
  readonly reason?: string;
}

/** Messages that return to the composer; `attached` and `linked` belong to them. */
export interface ReturnedMessages {
  readonly returned: readonly string[];
  readonly attached: readonly Attachment[];
  readonly linked: readonly string[];
}

export interface QueuePort {
  /** Resolves once the request is safely on disk; the answer arrives as events. */
  send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>>;
  answer(answer: QuestionAnswer): Promise<ActionResult<{ question: InteractionId }>>;
  /**
   * Decides an approval with one of its choices, whether it allows or declines. `result` is
   * that of a call made without a turn.
   */
  approve(answer: ApprovalAnswer): Promise<ActionResult<{ result?: CallResult }>>;
  /**
   * Stops the running turn, or the one that waits in the current conversation; with `conversation`,
   * only a turn of that one. Typed messages queued behind it in the same conversation return to
   * the composer.
   */
  stop(conversation?: ConversationId): Promise<ActionResult<{ turn: TurnId } & ReturnedMessages>>;
  /**
   * Takes a message back if its turn has not begun, and stops its turn otherwise, so that it never
   * runs on. A message taken back is saved in this draft until the caller has put it there.
   */
  stopRequest(
    request: RequestId,
    draft: DraftOwner | null,
  ): Promise<ActionResult<ReturnedMessages>>;
  /**
   * Pauses the running turn before its next tool or model call. It stays paused across a restart.
   */
  pause(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  /** Continues the paused turn of `conversation`, or else the first one that is paused. */
  resume(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  /** Tries a failed or stuck request again, or queues an unsigned one. */
  retry(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /** Retries all requests of this device that failed or could not be saved. */
  retryFailed(): Promise<ActionResult<{ requests: readonly RequestId[] }>>;
  /** Lets a queued message join the open turn at its next tool boundary, not only after its end. */
  sendNow(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /**
   * Takes a queued message out of the queue, to be edited. It is saved in this draft until the
   * caller has put it there.
   */
  edit(request: RequestId, draft: DraftOwner): Promise<ActionResult<{ request: RequestId }>>;
  /** Removes a request. Refused while its turn is open, unless the request is stuck. */
  discard(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /** Calls back when the queue or the list of problems changes, because no event reports that. */
  onChange(listener: () => void): () => void;
}
