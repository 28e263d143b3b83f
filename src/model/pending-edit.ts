/** Changes of notes as a screen lists them: those that wait for the user, and those that were made. */
import type { ChangeFate } from './change';
import type { ChangeId, ConversationId, ProposalId, TurnId } from './ids';
import type { RequestSource } from './request';

/** One part of a proposal that nobody has decided yet. */
export interface PendingEdit {
  /** A held one has the id of its change. */
  readonly id: ProposalId | ChangeId;
  readonly type: 'add' | 'delete' | 'replace';
  readonly before: string;
  readonly after: string;
  /** Where its block begins in the note, from 1; null where the note does not hold it. */
  readonly line: number | null;
  /** Where it was proposed; null where that is not known. */
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
}

/** All that is pending in one note, from its top. */
export interface PendingNote {
  readonly path: string;
  /** The note is there for the proposal only: rejecting it removes the note. */
  readonly isNew: boolean;
  readonly edits: readonly PendingEdit[];
}

/** Which pending edits are meant; `note`: only those of this path. */
export interface EditChoice {
  readonly edit: ProposalId | ChangeId | 'all';
  readonly note?: string;
}

/** Why something was left as it is, in a sentence for the user. */
export interface UnappliedEdit {
  readonly path: string;
  readonly why: string;
  /** Where two texts clash: what stands there now, and what the undo or the proposal would have put there. */
  readonly conflict?: { readonly now: string; readonly wanted: string };
}

/** What became of deciding. */
export interface DecideReport {
  /** How many parts were decided. */
  readonly decided: number;
  readonly unapplied: readonly UnappliedEdit[];
}

/** What became of taking back. */
export interface UndoReport {
  /** The changes that took it back, each of which can be undone again. */
  readonly undos: readonly ChangeId[];
  /** Paths that are as they were, but for what the user did since. */
  readonly undone: readonly string[];
  readonly unapplied: readonly UnappliedEdit[];
}

/** What is to be undone: one change, all of a turn, or all that was ever done to a note. */
export type UndoChoice =
  { readonly change: ChangeId } | { readonly turn: TurnId } | { readonly note: string };

/** One change in the history of a note. */
export interface NoteChange {
  readonly change: ChangeId;
  readonly kind: 'create' | 'write' | 'hold' | 'delete' | 'move' | 'folder';
  /** What it was: the agent's own change or proposal, or what the user did with one. */
  readonly act: 'change' | 'propose' | 'decide' | 'undo';
  /** How all of it was decided; null where that differs, and for every other act. */
  readonly choice: 'accept' | 'reject' | 'amend' | null;
  readonly path: string;
  readonly to: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  readonly tool: string;
  readonly source: RequestSource;
  /** Whole lines that differ. */
  readonly added: number;
  readonly removed: number;
  readonly fate: ChangeFate | null;
  readonly undone: boolean;
}

/** The texts of one change, to look at. */
export interface ChangeTexts {
  readonly before: string | null;
  readonly after: string | null;
}
