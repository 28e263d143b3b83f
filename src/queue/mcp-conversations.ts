/** The conversations that hold the calls of MCP clients, one for each client. */
import { callsBy } from '#messages/mcp-messages';
import type { TurnRunner } from './turn-runner';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Conversations } from '#conversations/repository';
import type { EventDraft } from '#model/event';
import type { ConversationId, MintId } from '#model/ids';
import type { Clock } from '#ports/clock';
import type { McpClient } from '#ports/app/mcp-server-port';
import { SerialQueues } from '#ports/serial-queue';
import type { ToolExecutorDeps } from '#tools/tool-executor';

export interface McpConversationsDeps extends Pick<ToolExecutorDeps, 'settings'> {
  readonly clock: Clock;
  readonly mint: MintId;
  readonly conversations: Conversations;
  /** Whether a request of the user in this conversation is still unanswered. */
  isAsked(conversation: ConversationId): boolean;
  /** Whether a call in this conversation is open. */
  isOpen(conversation: ConversationId): boolean;
  record(log: ConversationLog, event: EventDraft): Promise<void>;
}

export class McpConversations {
  readonly #deps: McpConversationsDeps;
  readonly #ids = new Map<string, ConversationId>();
  /** By client, so that two calls do not begin two conversations. */
  readonly #choices = new SerialQueues<string>();

  constructor(deps: McpConversationsDeps) {
    this.#deps = deps;
  }

  /**
   * The client's conversation. A new one begins if it has ended, has become idle, or the user has
   * written in it.
   */
  logOf(client: McpClient): Promise<ConversationLog> {
    return this.#choices.run(client.id, () => this.#choose(client));
  }

  /** Resolves once the client's pending choice is made. */
  chosen(client: McpClient): Promise<void> {
    return this.#choices.finished(client.id);
  }

  /** Returns the id of the client's conversation, if it has one. Its next call begins a new one. */
  forget(client: McpClient): ConversationId | undefined {
    const id = this.#ids.get(client.id);
    this.#ids.delete(client.id);
    return id;
  }

  async #choose(client: McpClient): Promise<ConversationLog> {
    const { conversations, mint } = this.#deps;
    const known = this.#ids.get(client.id);
    const log = known === undefined ? null : await conversations.open(known);
    if (log && (await this.#isUsable(log))) return log;
    const begun = await conversations.begin(mint('conversation'), [
      { type: 'title-set', title: callsBy(client.name), by: 'client' },
    ]);
    this.#ids.set(client.id, begun.state.id);
    return begun;
  }

  async #isUsable(log: ConversationLog): Promise<boolean> {
    const { clock, settings, isAsked, isOpen, record } = this.#deps;
    const { id, ended, turns, updated } = log.state;
    if (ended !== null || !hasOnlyCalls(log) || isAsked(id)) return false;
    const isSilent = clock.now() - updated > settings().idleMinutes * 60_000;
    if (!isSilent || turns.length === 0 || isOpen(id)) return true;
    await record(log, { type: 'conversation-end', reason: 'idle' });
    return false;
  }
}

/** Whether all turns of the conversation are calls of MCP clients. */
export function hasOnlyCalls({ state }: ConversationLog): boolean {
  return state.turns.every(({ request }) => request.source === 'mcp');
}

/**
 * Ends MCP calls that were open at a crash, since their clients can no longer receive the result.
 */
export async function endInterruptedMcpCalls(
  conversations: Pick<Conversations, 'list' | 'open'>,
  turns: Pick<TurnRunner, 'end'>,
): Promise<void> {
  for (const { id, own, openTurn, sources } of await conversations.list()) {
    if (!own || openTurn === null || !sources.includes('mcp')) continue;
    const log = await conversations.open(id);
    for (const { id: turn, end, request } of log?.state.turns ?? []) {
      if (log && !end && request.source === 'mcp') {
        await turns.end(log, turn, { kind: 'stopped', by: 'closing' });
      }
    }
  }
}
