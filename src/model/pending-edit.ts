/** Pending edits and the change history, as the UI shows them. */
import type { ChangeFate } from './change';
import type { EditPart } from './edit/edit-parts';
import type { OwnEdits } from './edit/note-edits';
import type { ChangeId, ConversationId, ProposalId, TurnId } from './ids';
import type { RequestSource } from './request';

/** An edit that waits for the user. */
export interface PendingEdit {
  /** Unique in its note. For a detached change, the id of the change. */
  readonly id: ProposalId | ChangeId;
  readonly type: 'add' | 'delete' | 'replace';
  /** Set if its lines were changed in the same words, or are gone. */
  readonly isStale?: true;
  /** Set if another device has proposed it, or it is a copy. */
  readonly isForeign?: true;
  /** Its lines as they are now. */
  readonly before: string;
  /** What accepting puts in their place; for a stale edit what was proposed. */
  readonly after: string;
  /** Line in the note where its block starts, from 1; null if the note does not contain it. */
  readonly line: number | null;
  /** Where it was proposed; null if unknown. */
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  /** Other conversations that have changed what it proposes. A decision is for all of them. */
  readonly others?: readonly ConversationId[];
  /** Set if it has proposed more than one text, so that there are versions to choose from. */
  readonly isRevised?: true;
  /** Its parts, if there are several that can be decided alone. */
  readonly parts?: readonly EditPart[];
}

/** One text that an edit proposes or proposed. */
export interface EditVersion {
  /** As it would be proposed in the note as it is now. */
  readonly after: string;
  readonly isCurrent: boolean;
  /** Where it was proposed; null if unknown, or if the user wrote it into the note. */
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
}

/** All pending edits of one note, from the top. */
export interface PendingNote {
  readonly path: string;
  /** The note exists only for the proposal; rejecting it deletes the note. */
  readonly isNew: boolean;
  readonly edits: readonly PendingEdit[];
  /** Number of blocks of which only a part is left; omitted if there are none. */
  readonly damaged?: number;
}

/** The edits of this device that are pending in a note. */
export function ownEditsOf(notes: readonly PendingNote[], path: string): OwnEdits {
  const edits = notes.find((note) => note.path === path)?.edits ?? [];
  return (id) => edits.some((edit) => edit.id === id && !edit.isForeign);
}

/** Selects pending edits; `note` limits the selection to one path. */
export interface EditChoice {
  readonly edit: ProposalId | ChangeId | 'all';
  readonly note?: string;
  /** Limits `all` to these. */
  readonly among?: readonly (ProposalId | ChangeId)[];
  /** Whether `all` includes edits of other devices. */
  readonly withForeign?: boolean;
}

/** An edit that could not be applied. `why` is a sentence for the user. */
export interface UnappliedEdit {
  readonly path: string;
  readonly why: string;
  /**
   * For a conflict: the current text, and the text that the undo or the proposal would have
   * written.
   */
  readonly conflict?: { readonly now: string; readonly wanted: string };
}

/** Result of deciding pending edits. */
export interface DecideReport {
  /** Number of decided hunks. */
  readonly decided: number;
  /** The changes that decided them. */
  readonly changes: readonly ChangeId[];
  readonly unapplied: readonly UnappliedEdit[];
}

/** Result of an undo. */
export interface UndoReport {
  /** The changes that performed the undo, each of which can itself be undone. */
  readonly undos: readonly ChangeId[];
  /** Restored paths; later edits by the user are kept. */
  readonly undone: readonly string[];
  readonly unapplied: readonly UnappliedEdit[];
}

/** What to undo: some changes, all changes of a turn, or all changes to a note. */
export type UndoChoice =
  | { readonly change: ChangeId }
  | { readonly changes: readonly ChangeId[] }
  | { readonly turn: TurnId }
  | { readonly note: string };

/** One change in the history of a note. */
export interface NoteChange {
  readonly change: ChangeId;
  readonly kind: 'create' | 'write' | 'hold' | 'delete' | 'move' | 'folder';
  /** `change` and `propose` are the agent's; the others are the user's, but for `isByAgent`. */
  readonly act: 'change' | 'propose' | 'decide' | 'choose' | 'undo';
  /** Set for an undo by the agent. */
  readonly isByAgent?: true;
  /** The decision, if it was the same for all hunks; null otherwise, and for other acts. */
  readonly choice: 'accept' | 'reject' | 'amend' | null;
  readonly path: string;
  readonly to: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  readonly tool: string;
  readonly source: RequestSource;
  /** Number of whole lines that differ. */
  readonly added: number;
  readonly removed: number;
  readonly fate: ChangeFate | null;
  readonly undone: boolean;
}

/** Texts of one change, for display. */
export interface ChangeTexts {
  readonly before: string | null;
  readonly after: string | null;
}

/** Characters of a note that the agent wrote, and which change and request they come from. */
export interface AuthoredRange {
  readonly from: number;
  readonly to: number;
  readonly change: ChangeId;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
}
