/** Past conversations, as tools and screens may look at them. Two implementations: the repository's and one for tests. */
import type { Conversation } from '#model/conversation';
import type { ConversationSummary } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';

export type ListedConversation = ConversationSummary & {
  /** False for one of another device: it can be read here, and is gone on with in a new one. */
  readonly own: boolean;
};

/** Part of a text, in one line, with what was found in it. */
export interface Snippet {
  readonly text: string;
  /** From and to of each find, in order, none touching another. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** One find: in what a conversation is called, or in what was said in it. */
export type SearchHit = {
  readonly conversation: ConversationId;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly snippet: Snippet;
} & (
  | { readonly where: 'title' | 'summary' }
  /** `message`: its id in file, store and screen; words on the way to an answer have their turn's and step's. */
  | { readonly where: 'message'; readonly message: string; readonly role: 'user' | 'agent' }
);

export interface HistorySearchOptions {
  /** Hits at most. Default 100. */
  readonly limit?: number;
  /** Only in these. */
  readonly among?: ReadonlySet<ConversationId>;
  readonly signal?: AbortSignal;
  /** Told each hit as soon as it is found. */
  readonly onHit?: (hit: SearchHit) => void;
}

export interface HistorySearchResult {
  /** Titles and summaries first, then messages; newest first. */
  readonly hits: readonly SearchHit[];
  /** False where there may be more: the limit was reached, or it was stopped. */
  readonly complete: boolean;
  /** How many conversations could not be read. */
  readonly unread: number;
}

export interface ConversationHistory {
  /** The one last written in last; those of other devices too, deleted ones not. */
  list(): Promise<readonly ListedConversation[]>;
  /** Null if there is none with this id. Rejects when it can't be read. */
  read(id: ConversationId): Promise<Conversation | null>;
  /**
   * Messages, titles and summaries that hold every word of the query, wherever in them, whatever the case. A query
   * without a word finds nothing.
   */
  search(query: string, options?: HistorySearchOptions): Promise<HistorySearchResult>;
}
