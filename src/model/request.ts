/** A request: what the user asked, how it arrived, and where the reply goes. */
import type { Attachment } from './attachment';
import type { TurnTitle } from './result-text';
import type { TurnEnd } from './event';
import type { Failure } from './failure';
import type { ConversationId, DeviceId, RequestId, TurnId } from './ids';
import type { ApprovalChoice, Interaction } from './interaction';

/**
 * How something was asked. `voice` and `text` were delivered by SmartHole, and both count as spoken. `mcp` is a call by
 * a program, which nobody said: its turn is that call, without a model.
 */
export type RequestSource = 'typed' | 'voice' | 'text' | 'mcp';

export function isSpoken(source: RequestSource): boolean {
  return source === 'voice' || source === 'text';
}

/** Where the reply goes, besides the chat, which always gets it. */
export type ReplyTo =
  | { readonly to: 'chat' }
  /** Several ids where the same words were delivered twice: each of them is answered. */
  | { readonly to: 'smarthole'; readonly messageIds: readonly string[] };

/** A message that is asked anew: from `parent` as it stood before its turn `before`. */
export interface ForkFrom {
  readonly parent: ConversationId;
  readonly before: TurnId;
}

/** What somebody asked, before anything is done about it. */
export interface UserRequest {
  readonly id: RequestId;
  /** Milliseconds since 1970, by this device's clock. */
  readonly time: number;
  readonly text: string;
  readonly source: RequestSource;
  /** The conversation it was typed in; null where the runner has to choose one. */
  readonly conversation: ConversationId | null;
  readonly attachments: readonly Attachment[];
  /** The note that was open, null for none that is to be told of; left out: the one that is open when its turn begins. */
  readonly activeNote?: string | null;
  readonly reply: ReplyTo;
  /** SmartHole's routing metadata, kept as it came. */
  readonly routing?: Readonly<Record<string, unknown>>;
  /** `conversation` is a new one, which begins so; it is made before the turn begins, whatever happens in between. */
  readonly fork?: ForkFrom;
}

/**
 * An inbound saved in the inbox. `queued` waits for its turn; `claimed` has one, which may be running, waiting or
 * interrupted (the conversation's file knows); `failed` stays until it is retried or discarded.
 */
export type QueuedRequest = {
  readonly device: DeviceId;
  readonly request: UserRequest;
  /** How often a turn was begun for it; a retry adds one. */
  readonly attempts: number;
  /** When the first of them failed, in milliseconds since 1970; null while none has. */
  readonly firstFailed: number | null;
} & (
  | { readonly state: 'queued' }
  | { readonly state: 'claimed'; readonly conversation: ConversationId; readonly turn: TurnId }
  | {
      readonly state: 'failed';
      readonly conversation: ConversationId;
      readonly turn: TurnId;
      readonly failure: Failure;
      /** When it is tried again by itself; null where something else has to come first, or the user. */
      readonly nextTry: number | null;
    }
);

/** What goes back to whoever asked from afar: what was said on the way, what waits for a user, how it ended. */
export type Reply =
  | { readonly kind: 'message'; readonly text: string }
  /** `byVoice`: a card may be decided by saying so; not more than one at a time, so that the words mean one thing. */
  | { readonly kind: 'waiting'; readonly interaction: Interaction; readonly byVoice: boolean }
  | { readonly kind: 'end'; readonly end: TurnEnd; readonly title?: TurnTitle | null };

/** What a user says to decide a card by voice. What has no phrase is decided on the screen only. */
export const CHOICE_PHRASES: Readonly<Partial<Record<ApprovalChoice, string>>> = {
  delete: 'delete it',
  keep: 'keep it',
  'allow-once': 'allow it',
  deny: 'deny it',
};
