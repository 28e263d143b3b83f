import type { Attachment } from './attachment';
import type { CallId, TurnId, InteractionId } from './ids';
import type { RequestSource } from './request';

/** What a card offers. `allow`/`deny` for a tool set to ask, `delete`/`keep` for a deletion. */
export type ApprovalChoice = 'allow-once' | 'always' | 'deny' | 'delete' | 'keep';

interface InteractionBase {
  readonly id: InteractionId;
  readonly turn: TurnId;
  readonly call: CallId;
  /** Milliseconds since 1970. */
  readonly asked: number;
  readonly expires: number;
}

export interface Question extends InteractionBase {
  readonly kind: 'question';
  readonly text: string;
  readonly choices: readonly string[];
  readonly allowFreeText: boolean;
}

export interface Approval extends InteractionBase {
  readonly kind: 'approval';
  readonly tool: string;
  /** Which tool of that name, where the name alone does not say it: a yes to one is none to another. */
  readonly key?: string;
  readonly title: string;
  /** What will happen, line by line, in words for the user. */
  readonly lines: readonly string[];
  readonly choices: readonly ApprovalChoice[];
  /** The texts it would change, as far as they are not too long to be shown. */
  readonly changes?: readonly ApprovalChange[];
  /** Names the changes that a yes allows; no other is made on its strength. */
  readonly allows?: readonly string[];
}

/** A text that would be written. `before` is null for a new file. */
export interface ApprovalChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** A turn that cannot go on without a user: a question of the agent's, or a decision the policy asks for. */
export type Interaction = Question | Approval;

/** What a tool or the policy asks, before it has an id and a time. */
export type InteractionDraft =
  | Pick<Question, 'kind' | 'text' | 'choices' | 'allowFreeText'>
  | Pick<Approval, 'kind' | 'tool' | 'key' | 'title' | 'lines' | 'choices' | 'changes' | 'allows'>;

/** How it ended. `closed`: somebody else's answer, or a stop, made it pointless; the card was not decided. */
export type Resolution =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly via: 'click' | RequestSource;
      /** What went with the message. */
      readonly attachments?: readonly Attachment[];
    }
  | {
      readonly kind: 'choice';
      readonly choice: ApprovalChoice;
      readonly reason?: string;
      /** The user did not decide but said something else, which is the reason, by this source. */
      readonly via?: RequestSource;
      /** What went with that message. */
      readonly attachments?: readonly Attachment[];
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'closed' };

export function allows(resolution: Resolution): boolean {
  return (
    resolution.kind === 'choice' && resolution.choice !== 'deny' && resolution.choice !== 'keep'
  );
}
