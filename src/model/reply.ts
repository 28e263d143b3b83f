/** What is sent to a remote requester, and the phrases with which the user can decide. */
import type { TurnEnd } from './event';
import type { Interaction, ApprovalChoice } from './interaction';
import type { ChangeNote } from './message';

/**
 * `answer`: the turn changed nothing, and says something. `proposed`: all of its changes wait for the
 * user. `command`: Parley answered by itself, so the result is the title.
 */
export type TurnTitle = 'answer' | 'kept' | 'denied' | 'proposed' | 'command';

/** Length of a notification's text, which the agent knows. */
export const MAX_SAID_CHARS = 240;

/** What is sent to a remote requester: messages during the turn, open interactions, and the end. */
export type Reply =
  { readonly kind: 'message'; readonly text: string } | WaitingReply | TurnEndReply;

export interface TurnEndReply {
  readonly kind: 'end';
  readonly end: TurnEnd;
  readonly title?: TurnTitle | null;
  /** What the turn did, if nothing that the agent wrote says so. */
  readonly changes?: readonly ChangeNote[];
  /** Notes in which changes wait for the user. */
  readonly toReview?: readonly string[];
}

export interface WaitingReply {
  readonly kind: 'waiting';
  readonly interaction: Interaction;
  /** Whether the approval can be decided by saying so. */
  readonly byVoice: boolean;
  /** What the phrases call its subject; by default, "it". */
  readonly name?: string;
  /** Whether voice may decide nothing at the moment. */
  readonly isVoiceOff?: boolean;
  /** How another approval of the turn was just decided, in a sentence. */
  readonly decided?: string;
  /** Set if it is said again; may be empty. */
  readonly note?: string;
}

/**
 * Phrases that decide an approval by voice. Choices without a phrase can only be made on screen.
 */
export const CHOICE_PHRASES: Readonly<Partial<Record<ApprovalChoice, string>>> = {
  delete: 'delete it',
  keep: 'keep it',
  'allow-once': 'allow it',
  deny: 'deny it',
};
