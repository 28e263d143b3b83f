/** What a panel, a command or headless may ask of the running agent. Answers come as events. */
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { Conversation } from '#model/conversation';
import type {
  ChangeTexts,
  DecideReport,
  EditChoice,
  NoteChange,
  PendingNote,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { Event } from '#model/event';
import type {
  ChangeId,
  ConversationId,
  DeviceId,
  RequestId,
  TurnId,
  InteractionId,
} from '#model/ids';
import type { Attachment } from '#model/attachment';
import type { QueuedRequest, RequestSource } from '#model/request';
import type { Failure } from '#model/failure';
import type { CallResult, Usage } from '#model/message';
import type { Mode, Permission, Settings } from '#model/settings';
import type { ModelPrice } from '#model/model-price';
import type { ServerStatus, McpServer } from '#model/mcp-server';
import type { Approval, ApprovalChoice, Interaction } from '#model/interaction';
import type { ComposerApi } from './composing';
import type { HistorySearchOptions, HistorySearchResult, ListedConversation } from './history';
import type { ModelInfo } from './model-provider';
import type { McpServerApi } from './serving';

/** Done, or why not, in a sentence for the user. */
export type ActionResult<Value = unknown> =
  ({ readonly ok: true } & Value) | { readonly ok: false; readonly problem: string };

export interface SendRequest {
  readonly text: string;
  readonly source?: Exclude<RequestSource, 'mcp'>;
  /** Left out: the current conversation, or a new one if there is none. */
  readonly conversation?: ConversationId;
  readonly attachments?: readonly Attachment[];
  /** Null: of none is told. Left out: the one that is open when its turn begins. */
  readonly activeNote?: string | null;
}

export interface ForkRequest {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  /** Left out: as it was. */
  readonly text?: string;
}

export type ToolAnswer =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly needs: 'approval'; readonly approval: Approval }
  | { readonly ok: false; readonly problem: string; readonly result?: CallResult };

/** What a screen shows first, as plain data. */
export interface AgentState {
  /** This one. What another device owns is shown, and neither run nor written to. */
  readonly device: DeviceId;
  /** The one last written in last; those of other devices too. */
  readonly conversations: readonly ListedConversation[];
  readonly current: Conversation | null;
  /** The turn that holds the runner, if one does. */
  readonly running: { readonly conversation: ConversationId; readonly turn: TurnId } | null;
  /** Something is being done, or will be without anybody's doing; what waits for a user is not. */
  readonly busy: boolean;
  readonly interactions: readonly {
    readonly conversation: ConversationId;
    readonly interaction: Interaction;
  }[];
  /** Turns that the user holds. */
  readonly paused: readonly { readonly conversation: ConversationId; readonly turn: TurnId }[];
  readonly edits: readonly PendingNote[];
  readonly inbox: readonly QueuedRequest[];
  /** How things stand with SmartHole. */
  readonly connection: SmartHoleStatus;
  readonly problems: readonly string[];
}

/** What a small request to the endpoint showed. `way`: who made the connection, Node or the window. */
export type ConnectionCheck =
  | { readonly ok: true; readonly models: number; readonly transport: 'node' | 'window' }
  | { readonly ok: false; readonly failure: Failure; readonly transport: 'node' | 'window' };

/** A group of tools as the settings show it. */
export interface ListedAgent {
  readonly name: string;
  /** Among the settings, where it may be disabled. */
  readonly key: string;
  readonly description: string;
  readonly tools: readonly ListedTool[];
}

/** A tool as the settings show it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** Of its permission among the settings. */
  readonly key: string;
  /** While the user has set nothing else. */
  readonly permission: Permission;
  /** Can't be changed. */
  readonly fixed: boolean;
}

/** A note that is a tool, or is meant to be one, and what is wrong with it, in a sentence for the user. */
export type CustomToolNote =
  | { readonly path: string; readonly tool: string }
  | { readonly path: string; readonly problem: string };

/** The tool servers that the settings list, by their ids. */
export interface McpServersApi {
  /** How each stands on this device. */
  status(): Promise<ReadonlyMap<string, ServerStatus>>;
  /** The user's yes on this device to exactly this; to nothing, where it is listed otherwise by now. */
  allow(server: McpServer): Promise<void>;
  /** Starts it anew, and tells how it stands then. */
  test(id: string): Promise<ServerStatus>;
}

/** What one model has used up on one day, on this device and those whose files have come here. */
export interface DayUsage {
  /** As YYYY-MM-DD, in the local time zone. */
  readonly date: string;
  readonly model: string;
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars for the calls whose price was known. */
  readonly cost: number;
  /** How many calls had no known price. */
  readonly unpriced: number;
}

export interface Agent {
  /** For what is being written. */
  readonly composer: ComposerApi;
  /** The tools, handed to programs on this computer. */
  readonly mcpServer: McpServerApi;
  /** Resolves once the request is safely on disk; the answer comes as events. */
  send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>>;
  newConversation(): Promise<ActionResult<{ conversation: ConversationId }>>;
  /** One conversation as it stands; null if there is none with this id, or it can't be read, which is told. */
  conversation(id: ConversationId): Promise<Conversation | null>;
  /** What conversations are called, what they are about, and every message in them. */
  search(query: string, options?: HistorySearchOptions): Promise<ActionResult<HistorySearchResult>>;
  renameConversation(id: ConversationId, title: string): Promise<ActionResult<{ title: string }>>;
  pinConversation(id: ConversationId, pinned: boolean): Promise<ActionResult<{ pinned: boolean }>>;
  archiveConversation(
    id: ConversationId,
    archived: boolean,
  ): Promise<ActionResult<{ archived: boolean }>>;
  /** Not while something in one of them is open. For a day they can be restored. */
  removeConversations(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>>;
  restoreConversations(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>>;
  /** What was deleted and can be restored, the one last written in last. */
  removedConversations(): Promise<readonly ListedConversation[]>;
  /** Asks the message of one turn anew, with another text or the same, in a conversation that parts there. */
  fork(
    request: ForkRequest,
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>>;
  /** Writes each into a note of its own; `note` is the first, or the only one. `all`: whatever there is. */
  exportConversations(
    ids: readonly ConversationId[] | 'all',
  ): Promise<ActionResult<{ notes: number; note: string }>>;
  /** How the next turns of this conversation may change notes. */
  setMode(id: ConversationId, mode: Mode): Promise<ActionResult<{ mode: Mode }>>;
  /** A click on a question. Without `question`, the one that is open; an error if there are several. */
  answer(answer: {
    text?: string;
    choice?: string;
    question?: InteractionId;
  }): Promise<ActionResult<{ question: InteractionId }>>;
  approve(decision: {
    approval: InteractionId;
    choice: ApprovalChoice;
    reason?: string;
  }): Promise<ActionResult<{ result?: CallResult }>>;
  /**
   * Stops the running turn, or the one that waits in the current conversation; with `conversation` only that one's.
   * What was typed behind it in the same conversation leaves the queue and comes back, for the composer.
   */
  stop(
    conversation?: ConversationId,
  ): Promise<
    ActionResult<{ turn: TurnId; returned: readonly string[]; attached: readonly Attachment[] }>
  >;
  /** Holds the running turn before its next call or model call, also over a restart. */
  pause(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  resume(
    conversation?: ConversationId,
  ): Promise<ActionResult<{ conversation: ConversationId; turn: TurnId }>>;
  retry(entry: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  discard(entry: RequestId): Promise<ActionResult<{ request: RequestId }>>;
  /** All edits that wait for the user, by note; empty until those of the last run have been found again. */
  edits(): readonly PendingNote[];
  /** Calls back when `edits()` gives others. */
  onEdits(listener: () => void): () => void;
  accept(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  reject(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  /** Accepts one with another text. */
  amend(edit: EditChoice & { after: string }): Promise<ActionResult<DecideReport>>;
  /** Takes back what the agent did, and leaves what the user did since. An undo can be undone by its own id. */
  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>>;
  /** What was done to the note that is at this path now, the newest first. */
  noteHistory(path: string): Promise<readonly NoteChange[]>;
  /** Null where the ledger no longer has it. */
  changeTexts(change: ChangeId): Promise<ChangeTexts | null>;
  /** The texts of these notes, joined, as far as the agent may read them by now. */
  textOf(paths: readonly string[]): Promise<ActionResult<{ text: string }>>;
  /** Which of these changes are undone at present. */
  undoneAmong(changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>>;
  /** With their tools; those of servers once these were up. */
  agents(): Promise<readonly ListedAgent[]>;
  /** The notes of the folder for them. */
  customTools(): Promise<readonly CustomToolNote[]>;
  readonly mcpServers: McpServersApi;
  /** One tool through validation, policy and ledger, without a model. */
  tool(name: string, input: unknown): Promise<ToolAnswer>;
  set(changes: Record<string, unknown>): Promise<ActionResult<{ settings: Settings }>>;
  settings(): Settings;
  models(): Promise<readonly ModelInfo[]>;
  /** Whether key and endpoint work, by asking for the list of models. */
  check(): Promise<ConnectionCheck>;
  /**
   * Embeds all that is missing to search notes by what they mean.
   *
   * @param tell how many passages are done, of how many
   */
  embedNotes(
    tell: (done: number, all: number) => void,
    signal: AbortSignal,
  ): Promise<ActionResult<{ notes: number }>>;
  /** What the model costs at present; null where it is not known. */
  price(model: string): ModelPrice | null;
  /** What has been used up, the oldest day first. */
  usage(): Promise<readonly DayUsage[]>;
  /** A routing description for SmartHole made by the model from the information architecture; nothing is set. */
  describeRouting(): Promise<ActionResult<{ description: string }>>;
  state(): Promise<AgentState>;
  /** Calls back at every change of how things stand with SmartHole. */
  onConnection(listener: (state: SmartHoleStatus) => void): () => void;
  /** Tries SmartHole again now. */
  reconnect(): void;
  /** Calls back when inbox or problems of the state are others, which no event tells. */
  onInbox(listener: () => void): () => void;
  /** Every event as it happens, deltas too. */
  subscribe(listener: (event: Event) => void): () => void;
}
