/** Creates Parley's MCP server. */
import { McpCalls } from '#queue/mcp-calls';
import { MCP_PATH, McpServing } from './mcp-serving';
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import { LazyMcpServer } from './lazy-mcp-server';
import { randomLetters, type AppContext } from './app-context';
import type { AppAgent } from './app-agent';

/** Key in local storage, which does not sync. */
const ALLOWED_TERMS_KEY = 'parley-serves-programs';
/** Name of the clients' token in Obsidian's secret storage. */
const TOKEN_NAME = 'parley-tool-server-token';

/** @param ended called when a call has ended, so that requests in its conversation can run */
export function createMcpServer(
  { plugin, machine, mint, settings, secret }: AppContext,
  turning: AppAgent,
  conversations: Conversations,
  inbox: Inbox,
  ended: () => void,
): LazyMcpServer {
  const { app } = plugin;
  const { clock } = machine;
  const yes = {
    get: () => app.loadLocalStorage(ALLOWED_TERMS_KEY) as string | null,
    set: (terms: string | null) => app.saveLocalStorage(ALLOWED_TERMS_KEY, terms),
  };
  const serving = new LazyMcpServer(settings, yes, async (from) => {
    const { McpHttpServer } = await import('#mcp/server/http-server');
    const { tools } = turning;
    return new McpServing({
      ...from,
      settings,
      clock,
      loopback: machine.loopback,
      token: {
        get: () => secret(TOKEN_NAME),
        set: (token) => app.secretStorage.setSecret(TOKEN_NAME, token),
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
          end: turning.turns.end,
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
