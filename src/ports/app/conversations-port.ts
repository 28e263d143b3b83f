/** Conversations for the screen: find, rename, pin, archive, fork, delete and export them. */
import type { Conversation } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Mode } from '#model/settings';
import type { ActionResult } from './agent';
import type {
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
} from './conversation-history';

export interface ForkRequest {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  /** The new text of the message. Defaults to the old one. */
  readonly text?: string;
}

export interface ConversationsPort {
  create(): Promise<ActionResult<{ conversation: ConversationId }>>;
  /** Null if there is no conversation with this id, or if it cannot be read, which is reported. */
  read(id: ConversationId): Promise<Conversation | null>;
  /** Searches titles, summaries and every message. */
  search(query: string, options?: HistorySearchOptions): Promise<ActionResult<HistorySearchResult>>;
  rename(id: ConversationId, title: string): Promise<ActionResult<{ title: string }>>;
  pin(id: ConversationId, pinned: boolean): Promise<ActionResult<{ pinned: boolean }>>;
  archive(id: ConversationId, archived: boolean): Promise<ActionResult<{ archived: boolean }>>;
  /** Refuses while a request or interaction of one of them is open. They can be restored for a day. */
  remove(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>>;
  restore(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>>;
  /** Deleted conversations that can be restored, the most recently used last. */
  removed(): Promise<readonly ListedConversation[]>;
  /**
   * Sends the message of a turn again, with the same or a new text, in a fork of the conversation.
   */
  fork(
    request: ForkRequest,
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>>;
  /** Writes each conversation to a note of its own. `note` is the first of them. */
  export(
    ids: readonly ConversationId[] | 'all',
  ): Promise<ActionResult<{ notes: number; note: string }>>;
  /** Sets how the next turns of a conversation may change notes. */
  setMode(id: ConversationId, mode: Mode): Promise<ActionResult<{ mode: Mode }>>;
}
