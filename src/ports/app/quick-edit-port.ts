/** Quick edits: requests that the user makes at a place in a note. */
import type { EditTarget } from '#model/attachment';
import type { ConversationId, RequestId } from '#model/ids';
import type { Mode } from '#model/settings';
import type { ActionResult } from './agent';

export interface QuickEditRequest {
  readonly text: string;
  readonly target: EditTarget;
}

export interface QuickEditPort {
  /** The mode for the quick edits of a note; refuses if the agent may not edit it. */
  check(note: string): Promise<ActionResult<{ mode: Exclude<Mode, 'read-only'> }>>;
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
  readonly isIdle: boolean;
  focus(): void;
  remove(): void;
}
