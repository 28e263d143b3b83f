/** Conversations for screens and tools: read, search, rename, pin, archive, fork, delete and export them. */
import type { Conversation, Turn } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Mode } from '#model/setting-choices';
import type { ActionResult } from '#model/failure';
import type { ConversationSummary } from '#model/conversation-summary';

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
  /** How many words of the query are in it; omitted if all had to be. */
  readonly found?: { readonly words: number; readonly of: number };
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
  /**
   * Finds texts with some of the words, too, and gives those with the most and rarest words first.
   * Their excerpts have `excerptChars`.
   */
  readonly best?: { readonly excerptChars: number };
  /** Milliseconds since 1970; `to` is exclusive. Only for `best`. */
  readonly range?: { readonly from: number; readonly to: number };
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
  /** The turns with only the events that this device signed; others may have come with the vault. */
  signedTurns(id: ConversationId): Promise<readonly Turn[]>;
  /**
   * Finds messages, titles and summaries that contain every word of the query, in any order and
   * case, or the best ones of those with some. An empty query finds nothing.
   */
  search(query: string, options?: HistorySearchOptions): Promise<HistorySearchResult>;
}

export interface ForkRequest {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  /** The new text of the message. Defaults to the old one. */
  readonly text?: string;
}

/** What an export of all conversations would write. */
export interface ExportPlan {
  /** A new folder in the vault. */
  readonly folder: string;
  readonly notes: number;
}

export interface ExportControl {
  /** Stops before the next conversation; notes that were written stay. */
  readonly signal: AbortSignal;
  progress(done: number, all: number): void;
}

export interface ExportReport {
  /** Number of notes that were written. */
  readonly notes: number;
  readonly all: number;
  readonly failed: readonly { readonly title: string; readonly reason: string }[];
  /** Why the rest was not tried; null if everything was. */
  readonly stoppedBy: 'user' | 'full disk' | null;
}

export interface ConversationsPort {
  /** @param carried a conversation whose text starts the new one */
  create(carried?: ConversationId): Promise<ActionResult<{ conversation: ConversationId }>>;
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
  /** Writes a conversation to a new note in a folder, which need not exist; '' is the root. */
  export(id: ConversationId, folder: string): Promise<ActionResult<{ note: string }>>;
  exportPlan(): Promise<ActionResult<ExportPlan>>;
  /** Writes each conversation to a note of its own in the folder. Existing notes stay as they are. */
  exportAll(folder: string, control: ExportControl): Promise<ActionResult<ExportReport>>;
  /** Sets how the next turns of a conversation may change notes. */
  setMode(id: ConversationId, mode: Mode): Promise<ActionResult<{ mode: Mode }>>;
}
