import type { Attachment } from './attachment';
import type { CallId, TurnId, InteractionId } from './ids';
import type { RequestSource } from './request';

/**
 * Choices of an approval: `delete` and `keep` for deletions, the others for tools that are set to
 * ask.
 */
export type ApprovalChoice = 'allow-once' | 'always' | 'deny' | 'delete' | 'keep';

interface InteractionBase {
  readonly id: InteractionId;
  readonly turn: TurnId;
  /** Milliseconds since 1970. */
  readonly asked: number;
  /** When the turn ends without an answer; null if it waits forever. */
  readonly expires: number | null;
}

export interface Question extends InteractionBase {
  readonly kind: 'question';
  /** Null for a question in plain text. */
  readonly call: CallId | null;
  readonly text: string;
  readonly choices: readonly string[];
  readonly allowFreeText: boolean;
}

export interface Approval extends InteractionBase {
  readonly kind: 'approval';
  readonly call: CallId;
  readonly tool: string;
  /**
   * Identifies the tool if its name alone is ambiguous: approving one tool does not approve
   * another.
   */
  readonly key?: string;
  readonly title: string;
  /** Path of the one file or folder that it is about, which tells it apart in speech. */
  readonly subject?: string;
  /** What will happen, one line each, in words for the user. */
  readonly lines: readonly string[];
  /** What a listener hears instead of the title and the lines. */
  readonly said?: SaidApproval;
  readonly choices: readonly ApprovalChoice[];
  /** What it does to each of many notes, one line each; `lines` then say what they have in common. */
  readonly items?: readonly string[];
  /** Arguments of the call that neither the title nor the changes say, in full. */
  readonly input?: readonly ApprovalInput[];
  /** Texts that the call would change, without lines at both ends that stay the same. */
  readonly changes?: readonly ApprovalChange[];
  /** Identifies the changes that an approval allows; it permits no others. */
  readonly allows?: readonly string[];
}

export interface SaidApproval {
  readonly title: string;
  /** Sentences. */
  readonly about: readonly string[];
}

export interface ApprovalInput {
  readonly name: string;
  readonly text: string;
}

/** A text that the call would write. `before` is null for a new file. */
export interface ApprovalChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** What a turn waits for: a question from the agent, or an approval required by the policy. */
export type Interaction = Question | Approval;

/** An interaction from a tool or the policy, before it gets an id and a time. */
export type InteractionDraft =
  | Pick<Question, 'kind' | 'text' | 'choices' | 'allowFreeText'>
  | Omit<Approval, keyof InteractionBase | 'call'>;

/**
 * How an interaction ended. `closed`: another answer, or a stop, made it obsolete without a
 * decision.
 */
export type Resolution =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly via: 'click' | RequestSource;
      /** The spoken words sound like a new request. */
      readonly soundsLikeRequest?: true;
      /** Attachments of the message. */
      readonly attachments?: readonly Attachment[];
    }
  | {
      readonly kind: 'choice';
      readonly choice: ApprovalChoice;
      readonly reason?: string;
      /** Source of the message that the user sent instead of deciding; `reason` is its text. */
      readonly via?: RequestSource;
      /** Attachments of that message. */
      readonly attachments?: readonly Attachment[];
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'closed' };

/** Longer texts of an approval are folded at first. */
export const MAX_UNFOLDED_CHARS = 600;

/** Whether it has more to read than words that are spoken or typed can be about. */
export function isLong({ input = [], changes = [], items = [] }: Approval): boolean {
  const texts = [
    items.join('\n'),
    ...input.map(({ text }) => text),
    ...changes.flatMap(({ before, after }) => [before ?? '', after]),
  ];
  return texts.some(({ length }) => length > MAX_UNFOLDED_CHARS);
}

/** A deletion of several files or folders is decided on screen only, never by spoken words. */
export function isDeletionOfSeveral({ allows = [], items = [] }: Approval): boolean {
  const deletions = allows.filter((each) => each.startsWith('delete\n')).length;
  // A folder is deleted with all files in it, which are listed.
  return deletions > 1 || (deletions === 1 && items.length > 1);
}

/** The choice that leaves the vault unchanged. */
export function declineChoice({ choices }: Approval): ApprovalChoice {
  return choices.includes('keep') ? 'keep' : 'deny';
}

/** The choice that permits only this one call; null if there is none. */
export function grantChoice({ choices }: Approval): ApprovalChoice | null {
  return choices.find((choice) => choice === 'allow-once' || choice === 'delete') ?? null;
}

export function isGrant(choice: ApprovalChoice): boolean {
  return choice !== 'keep' && choice !== 'deny';
}

export function allows(resolution: Resolution): boolean {
  return resolution.kind === 'choice' && isGrant(resolution.choice);
}
