/** Creates Parley's MCP server and the calls of its clients. */
import { McpCalls } from '#queue/mcp-calls';
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import { saveSecret } from '#obsidian/platform/secrets';
import { MCP_PATH, McpServing } from './mcp-serving';
import { randomLetters, type AppContext } from './app-context';
import type { AppAgent } from './app-agent';

/** Name of the clients' token in Obsidian's secret storage. */
const TOKEN_NAME = 'parley-tool-server-token';

export interface AppMcp {
  readonly server: McpServing;
  readonly calls: McpCalls;
}

export function createMcpServer(
  { plugin, machine, mint, settings, secret }: AppContext,
  { tools, turns }: AppAgent,
  conversations: Conversations,
  inbox: Inbox,
): AppMcp {
  const { app, manifest } = plugin;
  const { clock, loopback } = machine;
  const calls = new McpCalls({
    ...tools,
    clock,
    mint,
    conversations,
    turns,
    isAsked: (id) => inbox.hasUnanswered(id),
  });
  const server = new McpServing({
    settings,
    clock,
    loopback,
    calls,
    token: {
      get: () => secret(TOKEN_NAME),
      set: (token) => saveSecret(app, TOKEN_NAME, token),
      make: () => Array.from({ length: 4 }, randomLetters).join(''),
    },
    onTools: (listener) => tools.registry.onChange(listener),
    serve: async (how) => {
      const { McpHttpServer } = await import('#mcp/server/http-server');
      const { version } = manifest;
      return new McpHttpServer({ ...how, tools: calls, clock, version, path: MCP_PATH });
    },
  });
  plugin.register(() => server.close());
  return { server, calls };
}
