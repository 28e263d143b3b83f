/** Conversations as a whole: what the screen may ask to find, name, sort, fork, delete and export them. */
import type { Conversation } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Mode } from '#model/settings';
import type { ActionResult } from './agent';
import type { HistorySearchOptions, HistorySearchResult, ListedConversation } from './history';

export interface ForkRequest {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  /** The new text of the message; the old one if left out. */
  readonly text?: string;
}

export interface ConversationsPort {
  create(): Promise<ActionResult<{ conversation: ConversationId }>>;
  /** Null if there is no conversation with this id, or it can't be read, which is reported. */
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
  /** Deleted conversations that can be restored, the most recently used one last. */
  removed(): Promise<readonly ListedConversation[]>;
  /** Asks the message of a turn again, with the same text or another, on a new branch. */
  fork(
    request: ForkRequest,
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>>;
  /** Writes each conversation into a note of its own; `note` is the first of them. */
  export(
    ids: readonly ConversationId[] | 'all',
  ): Promise<ActionResult<{ notes: number; note: string }>>;
  /** Sets how the next turns of a conversation may change notes. */
  setMode(id: ConversationId, mode: Mode): Promise<ActionResult<{ mode: Mode }>>;
}
