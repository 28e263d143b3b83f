/** What the user says about a pending edit, by text or by voice. */
import type { ConversationId, RequestId } from '#model/ids';
import type { PendingEdit } from '#model/pending-edit';
import type { ActionResult } from './agent';

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
