/** Pending edits and changes for the screen: accept, reject, amend, undo and look them up. */
import type { ChangeId, ProposalId } from '#model/ids';
import type {
  AuthoredRange,
  ChangeTexts,
  DecideReport,
  EditChoice,
  EditVersion,
  NoteChange,
  PendingNote,
  RecentChange,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { ActionResult } from './agent';

export interface EditsPort {
  /** Pending edits by note; empty until those of the last session have been found again. */
  pending(): readonly PendingNote[];
  /** Calls back when `pending()` changes. */
  onChange(listener: () => void): () => void;
  accept(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  reject(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  /** Accepts one edit with another text. */
  amend(edit: EditChoice & { after: string }): Promise<ActionResult<DecideReport>>;
  /** The texts that the edit has proposed so far, oldest first; empty if it is not pending. */
  versions(edit: ProposalId | ChangeId, note: string): Promise<readonly EditVersion[]>;
  /** Lets the edit propose one of its versions again, by its place among them from 0. */
  chooseVersion(choice: {
    readonly edit: ProposalId | ChangeId;
    readonly note: string;
    readonly version: number;
  }): Promise<ActionResult>;
  /**
   * Undoes changes of the agent but keeps what the user changed since. An undo has an id and can
   * itself be undone.
   */
  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>>;
  /** Changes of the note that has this path now, newest first. */
  noteHistory(path: string): Promise<readonly NoteChange[]>;
  /** Null if the change log no longer has the texts. */
  changeTexts(change: ChangeId): Promise<ChangeTexts | null>;
  /**
   * What the agent wrote of the note, from the top. Words that the user typed or changed are not in
   * it.
   *
   * @param text the note's current text with LF line endings, as an editor has it
   */
  authorship(path: string, text: string): Promise<readonly AuthoredRange[]>;
  /** Changes that the agent made after this time without review, newest first, unless undone. */
  changesSince(time: number): Promise<readonly RecentChange[]>;
  /** When the user last opened the list of recent changes on this device, or null. */
  lastLook(): number | null;
  setLastLook(time: number): void;
  /** The changes among these that are currently undone. */
  undoneAmong(changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>>;
}
