/** The running agent as a panel, a command or the headless program uses it. Answers arrive as events. */
import type { ActionResult } from '#model/failure';
import type { Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, RequestId, TurnId } from '#model/ids';
import type { Interaction } from '#model/interaction';
import type { ServerStatus } from '#model/mcp-server';
import type { Usage } from '#model/message';
import type { ModelPrice } from '#model/model-cost';
import type { PendingNote } from '#model/pending-edit';
import type { QueuedRequest } from '#model/request';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { ComposerPort } from './composer-port';
import type { ConversationsPort, ListedConversation } from './conversations-port';
import type {
  AuthorshipPort,
  ChangesPort,
  EditRepliesPort,
  EditsPort,
  QuickEditPort,
} from './edits-port';
import type { QueuePort } from './queue-port';
import type { McpServerPort } from './mcp-server-port';
import type { SettingsPort, ToolsPort } from './settings-port';
import type { SourcesPort } from './sources-port';

/** What a screen shows first, as plain data. */
export interface AgentState {
  /** This device. Conversations of other devices are shown, but neither run nor written to. */
  readonly device: DeviceId;
  /** Conversations of all devices, the most recently used one last. */
  readonly conversations: readonly ListedConversation[];
  readonly current: Conversation | null;
  /** The turns that run on this device, except calls of MCP clients. */
  readonly running: readonly { readonly conversation: ConversationId; readonly turn: TurnId }[];
  /** Whether work is going on, or will without the user; an open interaction does not count. */
  readonly busy: boolean;
  readonly interactions: readonly {
    readonly conversation: ConversationId;
    readonly interaction: Interaction;
  }[];
  /** Turns that the user has paused. */
  readonly paused: readonly { readonly conversation: ConversationId; readonly turn: TurnId }[];
  readonly edits: readonly PendingNote[];
  readonly inbox: readonly QueuedRequest[];
  /** Requests in the inbox whose files cannot be written; Parley retries them by itself. */
  readonly stuck: readonly RequestId[];
  /** Status of the connection to SmartHole. */
  readonly connection: SmartHoleStatus;
  readonly problems: readonly string[];
}

/** The MCP servers that the settings list, by their ids. */
export interface McpServersPort {
  /** The status of each server on this device. */
  status(): Promise<ReadonlyMap<string, ServerStatus>>;
  /** Restarts the server and returns its status. */
  test(id: string): Promise<ServerStatus>;
}

/** What one model used on one day, on all devices whose files are in the vault. */
export interface DayUsage {
  /** As YYYY-MM-DD, in the local time zone. */
  readonly date: string;
  readonly model: string;
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars for the calls whose price was known. */
  readonly cost: number;
  /** Number of calls without a known price. */
  readonly unpriced: number;
}

export interface UsagePort {
  /** The model's current price; null if it is unknown. */
  price(model: string): ModelPrice | null;
  /** Usage by day and model, the oldest day first. */
  byDay(): Promise<readonly DayUsage[]>;
}

/** Whether spoken words may decide approvals on this device, and through which connection. */
export type VoiceDecisions =
  | { readonly allowed: false }
  | { readonly allowed: true; readonly port: number; readonly name: string };

/** The connection to SmartHole. */
export interface VoicePort {
  /** Calls back at every change of its status. */
  onStatus(listener: (status: SmartHoleStatus) => void): () => void;
  /** Tries to connect again at once. */
  reconnect(): void;
  decisions(): VoiceDecisions;
  /** Lets the connection that is open now decide approvals on this device, or no connection. */
  allowDecisions(allowed: boolean): ActionResult;
}

export interface Agent {
  readonly conversations: ConversationsPort;
  readonly sources: SourcesPort;
  readonly queue: QueuePort;
  readonly edits: EditsPort;
  readonly changes: ChangesPort;
  readonly authorship: AuthorshipPort;
  readonly quickEdits: QuickEditPort;
  readonly editReplies: EditRepliesPort;
  readonly composer: ComposerPort;
  readonly settings: SettingsPort;
  readonly tools: ToolsPort;
  readonly usage: UsagePort;
  readonly voice: VoicePort;
  /** Parley's own MCP server. */
  readonly mcpServer: McpServerPort;
  /** The MCP servers whose tools the agent may use. */
  readonly mcpServers: McpServersPort;
  state(): Promise<AgentState>;
  /** The lines of the log, the oldest first. They have no text from outside and no secret. */
  log(): readonly string[];
  /** Calls back with every event as it happens, deltas included, and the conversation that includes it. */
  subscribe(listener: (event: Event, conversation: Conversation) => void): () => void;
}
