/** Parley's MCP server: created when it is first needed. */
import { McpCalls } from '#queue/mcp-calls';
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import type { ConversationId } from '#model/ids';
import type { Settings } from '#model/settings';
import { saveSecret } from '#obsidian/platform/secrets';
import type { McpServerPort, McpServerStatus } from '#ports/app/mcp-server-port';
import { MCP_PATH, McpServing, type McpServingDeps } from './mcp-serving';
import { randomLetters, type AppContext } from './app-context';
import type { AppAgent } from './app-agent';

/** Name of the clients' token in Obsidian's secret storage. */
const TOKEN_NAME = 'parley-tool-server-token';

/** @param ended called when a call has ended, so that requests in its conversation can run */
export function createMcpServer(
  { plugin, machine, mint, settings, secret }: AppContext,
  agent: AppAgent,
  conversations: Conversations,
  inbox: Inbox,
  ended: () => void,
): LazyMcpServer {
  const { app } = plugin;
  const { clock } = machine;
  const serving = new LazyMcpServer(settings, async (from) => {
    const { McpHttpServer } = await import('#mcp/server/http-server');
    const { tools } = agent;
    return new McpServing({
      ...from,
      settings,
      clock,
      loopback: machine.loopback,
      token: {
        get: () => secret(TOKEN_NAME),
        set: (token) => saveSecret(app, TOKEN_NAME, token),
        make: () => Array.from({ length: 4 }, randomLetters).join(''),
      },
      onTools: (listener) => tools.registry.onChange(listener),
      calls: () =>
        new McpCalls({
          ...tools,
          clock,
          mint,
          conversations,
          ended,
          end: agent.turns.end,
          isAsked: (id) => inbox.isAsked(id),
        }),
      serve: (calls, how) => {
        const { version } = plugin.manifest;
        return new McpHttpServer({ ...how, tools: calls, clock, version, path: MCP_PATH });
      },
    });
  });
  plugin.register(() => serving.close());
  return serving;
}

type ServingFrom = Pick<McpServingDeps, 'mayOpen' | 'changed'>;

export class LazyMcpServer implements McpServerPort {
  readonly #settings: () => Settings;
  readonly #make: (from: ServingFrom) => Promise<McpServing>;
  readonly #listeners = new Set<() => void>();
  #making: Promise<McpServing> | null = null;
  #made: McpServing | null = null;
  /** Only the leader opens the port. */
  #isLeader = false;
  #closed = false;

  constructor(settings: () => Settings, make: (from: ServingFrom) => Promise<McpServing>) {
    this.#settings = settings;
    this.#make = make;
  }

  get state(): McpServerStatus {
    const { mcpServerEnabled } = this.#settings();
    if (!this.#isLeader) return { kind: mcpServerEnabled ? 'elsewhere' : 'off' };
    return this.#made?.state ?? { kind: 'off' };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async access(): ReturnType<McpServerPort['access']> {
    return (await this.#get()).access();
  }

  async renewToken(): Promise<void> {
    await (await this.#get()).renewToken();
  }

  lead(): Promise<void> {
    this.#isLeader = true;
    return this.update();
  }

  /** Adapts to the current settings. */
  async update(): Promise<void> {
    if (this.#isLeader && (this.#made || this.#settings().mcpServerEnabled)) {
      await (await this.#get()).update();
    }
    this.#notify();
  }

  /** Takes effect at once: after this, no call is answered and nothing recorded. */
  close(): void {
    this.#closed = true;
    this.#isLeader = false;
    this.#made?.close();
  }

  isOpen(conversation: ConversationId): boolean {
    return this.#made?.isOpen(conversation) ?? false;
  }

  interactions(): ReturnType<McpServing['interactions']> {
    return this.#made?.interactions() ?? [];
  }

  async resolve(...args: Parameters<McpServing['resolve']>): ReturnType<McpServing['resolve']> {
    return this.#made?.resolve(...args) ?? false;
  }

  async stop(conversation: ConversationId): ReturnType<McpServing['stop']> {
    return this.#made?.stop(conversation) ?? [];
  }

  #get(): Promise<McpServing> {
    return (this.#making ??= this.#make({
      mayOpen: () => this.#isLeader,
      changed: () => this.#notify(),
    }).then((made) => {
      if (this.#closed) made.close();
      return (this.#made = made);
    }));
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
