/**
 * Pending edits and changes for the screen: accept, reject, amend, undo and look them up. Quick
 * edits are requests that the user makes at a place in a note, and replies are requests about one
 * pending edit.
 */
import type { ChangeId, ConversationId, ProposalId, RequestId } from '#model/ids';
import type {
  AuthoredRange,
  ChangeTexts,
  DecideReport,
  EditChoice,
  EditVersion,
  NoteChange,
  PendingEdit,
  PendingNote,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { EditTarget } from '#model/attachment';
import type { Mode } from '#model/setting-choices';
import type { ActionResult } from '#model/failure';

export interface EditsPort {
  /** Pending edits by note; empty until those of the last session have been found again. */
  pending(): readonly PendingNote[];
  /** Calls back when `pending()` changes. */
  onChange(listener: () => void): () => void;
  /** Reads the edits of a note again, whose text in an editor has changed. */
  look(note: string): Promise<void>;
  accept(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  reject(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  /** Accepts one edit with another text. */
  amend(edit: EditChoice & { after: string }): Promise<ActionResult<DecideReport>>;
  /** Accepts or rejects a part of an edit, which stays pending with its other parts. */
  decidePart(choice: PartChoice): Promise<ActionResult<DecideReport>>;
  /** Removes what is left of damaged blocks from a note, without any other text. */
  removeDamaged(note: string): Promise<ActionResult<DecideReport>>;
  /** The texts that the edit has proposed so far, oldest first; empty if it is not pending. */
  versions(edit: ProposalId | ChangeId, note: string): Promise<readonly EditVersion[]>;
  /** Lets the edit propose one of its versions again, by its place among them from 0. */
  chooseVersion(choice: {
    readonly edit: ProposalId | ChangeId;
    readonly note: string;
    readonly version: number;
  }): Promise<ActionResult>;
}

/** The agent's changes: undo them, and look them up. */
export interface ChangesPort {
  /**
   * Undoes changes of the agent but keeps what the user changed since. An undo has an id and can
   * itself be undone.
   */
  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>>;
  /** Changes of the note that has this path now, newest first. */
  noteHistory(path: string): Promise<readonly NoteChange[]>;
  /** Null if the change log no longer has the texts. */
  changeTexts(change: ChangeId): Promise<ChangeTexts | null>;
  /** The changes among these that are currently undone. */
  undoneAmong(changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>>;
}

/** Whose words are whose. */
export interface AuthorshipPort {
  /**
   * What the agent wrote of the note, from the top. Words that the user typed or changed are not in
   * it.
   *
   * @param text the note's current text with LF line endings, as an editor has it
   */
  ranges(path: string, text: string): Promise<readonly AuthoredRange[]>;
}

/**
 * A part of a pending edit, by its place among those of `partsOfEdit`, with the words that the user
 * has seen. It is refused if they are others by now.
 */
export interface ChosenPart {
  readonly part: number;
  /** How many parts the edit had then. */
  readonly of: number;
  readonly removed: string;
  readonly added: string;
  readonly choice: 'accept' | 'reject';
}

export type PartChoice = EditPlaceRef & ChosenPart;

/** The modes in which a quick edit can be made. */
export type QuickEditMode = Exclude<Mode, 'read-only'>;

export interface QuickEditRequest {
  readonly text: string;
  readonly target: EditTarget;
  /** The mode that the user sees; by default that of `check`. */
  readonly mode?: QuickEditMode;
}

export interface QuickEditPort {
  /**
   * The mode for the quick edits of a note: the one set for them, or else that of the current chat.
   * Refuses if the agent may not edit the note.
   */
  check(note: string): Promise<ActionResult<{ mode: QuickEditMode }>>;
  /** Sets the mode for the quick edits of a note. */
  setMode(note: string, mode: QuickEditMode): Promise<ActionResult<{ mode: QuickEditMode }>>;
  /**
   * Sends a request to the conversation for the quick edits of the note, which is created at the
   * first one. Resolves once the request is safely on disk.
   */
  send(
    request: QuickEditRequest,
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>>;
}

/** The place in an editor where the field of a quick edit is. */
export interface QuickEditHost {
  /** Path of the note. */
  readonly note: string;
  /**
   * The lines of the place as they are now, or a sentence if there is nothing to edit.
   *
   * @param isWhole whole lines, even if the user selected a part of them
   */
  target(isWhole: boolean): EditTarget | string;
  /** Removes the field and moves the focus to the editor. */
  close(): void;
}

/** The field of a quick edit on screen. */
export interface QuickEditField {
  /** Whether closing it loses nothing: no text, and no request that is not finished. */
  isIdle(): boolean;
  focus(): void;
  close(): void;
}

/** The place of the bar above the text of a note with pending edits. */
export interface NoteBarHost {
  /** Path of the note. */
  readonly note: string;
  /** Shows another edit. */
  move(way: 'next' | 'previous'): void;
  onresize(): void;
  /** Nothing is left to show: no edit of the note, and no decision that can be undone. */
  onempty(): void;
}

/** The bar of a note on screen. */
export interface MountedNoteBar {
  /** Shows another note, or the same one at another path. */
  show(note: string): void;
  /** Marks the edit that the user is at. */
  showAt(edit: string): void;
  close(): void;
}

/** A pending edit, and the note that it is in. */
export interface EditPlaceRef {
  readonly edit: PendingEdit['id'];
  readonly note: string;
}

export interface EditRepliesPort {
  /** The conversation in which the edit is talked about; null before the first reply. */
  conversationOf(place: EditPlaceRef): Promise<ConversationId | null>;
  /**
   * Sends a request about the edit, whose turn may change only this edit. Resolves once the request
   * is safely on disk.
   */
  send(
    reply: EditPlaceRef & { readonly text: string },
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>>;
  /** Spoken requests are about this edit from now on. */
  listen(place: EditPlaceRef): void;
  /** They stop being so: at once, or some time after the field has lost the focus. */
  stopListening(place: EditPlaceRef, when: 'now' | 'soon'): void;
}
