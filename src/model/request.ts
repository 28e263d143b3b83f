/** A request: what the user asked, how it arrived, and where the reply goes. */
import type { Attachment } from './attachment';
import type { Failure } from './failure';
import type { ConversationId, DeviceId, InteractionId, RequestId, TurnId } from './ids';

/**
 * How a request arrived. `voice` and `text` come from SmartHole, and both count as spoken. `mcp` is
 * a call by an MCP client: its turn is that single call, without a model.
 */
export type RequestSource = 'typed' | 'voice' | 'text' | 'mcp';

export function isSpoken(source: RequestSource): boolean {
  return source === 'voice' || source === 'text';
}

/** Where the reply goes in addition to the chat, which always gets it. */
export type ReplyTo =
  | { readonly to: 'chat' }
  /** Several ids where the same words were delivered twice: the newest of them is answered. */
  | { readonly to: 'smarthole'; readonly messageIds: readonly string[] };

/**
 * What a message does to a turn that is open in its conversation: join it at its next tool boundary,
 * wait for its end, or stop it. Omitted, a message that was sent after the turn began joins it.
 */
export type Delivery = 'steer' | 'after' | 'stop';

/** A message to answer again, starting from `parent` as it was before its turn `before`. */
export interface ForkFrom {
  readonly parent: ConversationId;
  readonly before: TurnId;
}

/** What the user could know when spoken words arrived. */
export interface Hearing {
  /** Open questions and approvals that the user can have heard or seen, the latest first. */
  readonly heard: readonly HeardInteraction[];
  /** The approval that "it" means; null if there is none, or more than one. */
  readonly it: InteractionId | null;
  /** Whether voice was allowed to decide approvals. */
  readonly mayDecide: boolean;
}

export interface HeardInteraction {
  readonly id: InteractionId;
  readonly kind: 'question' | 'approval';
  /** Whether it was announced by voice; false if only the screen showed it. */
  readonly isSpoken: boolean;
  /** For how many milliseconds it was known then. */
  readonly ago: number;
}

/** What the user asked, before it is processed. */
export interface UserRequest {
  readonly id: RequestId;
  /** Milliseconds since 1970, by this device's clock. */
  readonly time: number;
  readonly text: string;
  readonly source: RequestSource;
  /** The conversation it was sent in; null if the runner has to choose one. */
  readonly conversation: ConversationId | null;
  readonly attachments: readonly Attachment[];
  /**
   * The note that was open, or null to mention none. Omitted: the note that is open when the turn
   * starts.
   */
  readonly activeNote?: string | null;
  readonly reply: ReplyTo;
  /**
   * Parts of the text that the user did not write but a link or a file brought. The addresses in
   * them do not count as given by the user.
   */
  readonly linked?: readonly string[];
  /** SmartHole's routing metadata, unchanged. */
  readonly routing?: Readonly<Record<string, unknown>>;
  /** Of spoken words. */
  readonly hearing?: Hearing;
  readonly when?: Delivery;
  /** The user lets this request go beyond the daily cost limit. */
  readonly beyondDayLimit?: true;
  /** Makes `conversation` a new fork, which is always created before the turn starts. */
  readonly fork?: ForkFrom;
}

/** What a reply to a pending edit is about. */
export interface RequestSubject extends Pick<UserRequest, 'attachments' | 'when'> {
  readonly conversation: ConversationId;
  /** Path of the note. */
  readonly activeNote: string;
}

/**
 * A request saved in the inbox. `queued` waits for its turn. `claimed` has a turn, whose state is
 * in the conversation's file. `failed` stays until it is retried or discarded. `unsigned`: its file
 * was not written on this device, so it does nothing until the user runs or discards it.
 */
export type QueuedRequest = {
  readonly device: DeviceId;
  readonly request: UserRequest;
  /** Number of turns started for it; each retry adds one. */
  readonly attempts: number;
  /** Time of the first failure, in milliseconds since 1970; null if there is none. */
  readonly firstFailed: number | null;
} & (
  | { readonly state: 'queued' | 'unsigned' }
  | { readonly state: 'claimed'; readonly conversation: ConversationId; readonly turn: TurnId }
  | {
      readonly state: 'failed';
      readonly conversation: ConversationId;
      readonly turn: TurnId;
      readonly failure: Failure;
      /** Time of the next automatic retry; null if it needs the user or something else first. */
      readonly nextTry: number | null;
      /** When the user stopped its automatic retries, in milliseconds since 1970. */
      readonly retriesStopped?: number;
    }
);

export type FailedRequest = Extract<QueuedRequest, { readonly state: 'failed' }>;

/** A request that has, or had, a turn. */
export type BegunRequest = Extract<QueuedRequest, { readonly turn: TurnId }>;
