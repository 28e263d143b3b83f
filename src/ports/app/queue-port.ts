/** Requests and the turns that answer them: what the screen can send, answer, stop and retry. */
import type { Attachment } from '#model/attachment';
import type { ConversationId, InteractionId, RequestId, TurnId } from '#model/ids';
import type { ApprovalChoice } from '#model/interaction';
import type { CallResult } from '#model/message';
import type { Delivery, RequestSource } from '#model/request';
import type { ActionResult } from '#model/failure';

export interface SendRequest {
  readonly text: string;
  readonly source?: Exclude<RequestSource, 'mcp'>;
  /** Defaults to the current conversation, or to a new one if there is none. */
  readonly conversation?: ConversationId;
  readonly attachments?: readonly Attachment[];
  /** Null for no active note. Defaults to the note that is open when the turn begins. */
  readonly activeNote?: string | null;
  /** Parts of the text that a link filled in. */
  readonly linked?: readonly string[];
  /** What it does to an open turn. Defaults to joining it at its next tool boundary. */
  readonly when?: Delivery;
  /** An open approval that the view has not shown in full, so that no words can allow it. */
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

export interface QueuePort {
  /** Resolves once the request is safely on disk; the answer arrives as events. */
  send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>>;
  answer(answer: QuestionAnswer): Promise<ActionResult<{ question: InteractionId }>>;
  approve(answer: ApprovalAnswer): Promise<ActionResult<{ result?: CallResult }>>;
  /**
   * Stops the running turn, or the one that waits in the current conversation; with `conversation`,
   * only a turn of that one. Messages queued behind it in the same conversation return to the
   * composer.
   */
  stop(conversation?: ConversationId): Promise<
    ActionResult<{
      turn: TurnId;
      returned: readonly string[];
      attached: readonly Attachment[];
      linked: readonly string[];
    }>
  >;
  /**
   * Pauses the running turn before its next tool or model call. It stays paused across a restart.
   */
  pause(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  resume(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  retry(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /** Retries all requests of this device that failed or could not be saved. */
  retryFailed(): Promise<ActionResult<{ requests: readonly RequestId[] }>>;
  /** Lets a message that waits for the end of a turn join the turn at its next tool boundary. */
  sendNow(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  discard(request: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /** Calls back when the queue or the list of problems changes, because no event reports that. */
  onChange(listener: () => void): () => void;
}
