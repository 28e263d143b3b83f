/** What is sent to a remote requester, and the phrases with which the user can decide. */
import type { TurnEnd } from './event';
import type { Interaction, ApprovalChoice } from './interaction';

/** `answer`: the turn ended in plain text, which does not say that a task was done. */
export type TurnTitle = 'answer' | 'kept' | 'denied';

/** What is sent to a remote requester: messages during the turn, open interactions, and the end. */
export type Reply =
  { readonly kind: 'message'; readonly text: string } | WaitingReply | TurnEndReply;

export interface TurnEndReply {
  readonly kind: 'end';
  readonly end: TurnEnd;
  readonly title?: TurnTitle | null;
  /** Notes in which changes wait for the user although the turn was to make them. */
  readonly toReview?: readonly string[];
}

export interface WaitingReply {
  readonly kind: 'waiting';
  readonly interaction: Interaction;
  /** Whether the approval can be decided by saying so. */
  readonly byVoice: boolean;
  /** What the phrases call its subject; by default, "it". */
  readonly name?: string;
  /** Why it is said again. */
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
