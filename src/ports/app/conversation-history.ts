/** Read access to past conversations, for tools and screens. */
import type { Conversation } from '#model/conversation';
import type { ConversationSummary } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';

export type ListedConversation = ConversationSummary & {
  /**
   * False for a conversation of another device: it is read-only here and continues in a new one.
   */
  readonly own: boolean;
};

/** A one-line excerpt with its matches. */
export interface Snippet {
  readonly text: string;
  /** Start and end of each match, in order and not overlapping. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** A match in the title, the summary or a message of a conversation. */
export type SearchHit = {
  readonly conversation: ConversationId;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly snippet: Snippet;
} & (
  | { readonly where: 'title' | 'summary' }
  /** `message` is the id of the message; text before the final answer has the ids of its turn and step. */
  | { readonly where: 'message'; readonly message: string; readonly role: 'user' | 'agent' }
);

export interface HistorySearchOptions {
  /** Maximum number of hits. Default 100. */
  readonly limit?: number;
  /** Searches only these conversations. */
  readonly among?: ReadonlySet<ConversationId>;
  readonly signal?: AbortSignal;
  /** Called with each hit as soon as it is found. */
  readonly onHit?: (hit: SearchHit) => void;
}

export interface HistorySearchResult {
  /** Titles and summaries first, then messages; newest first. */
  readonly hits: readonly SearchHit[];
  /** False if there may be more hits because the limit was reached or the search was aborted. */
  readonly complete: boolean;
  /** Number of conversations that could not be read. */
  readonly unread: number;
}

export interface ConversationHistory {
  /**
   * All conversations except deleted ones, including those of other devices. The most recently used
   * is last.
   */
  list(): Promise<readonly ListedConversation[]>;
  /** Null if there is no conversation with this id. Rejects if it cannot be read. */
  read(id: ConversationId): Promise<Conversation | null>;
  /**
   * Finds messages, titles and summaries that contain every word of the query, in any order and
   * case. An empty query finds nothing.
   */
  search(query: string, options?: HistorySearchOptions): Promise<HistorySearchResult>;
}
