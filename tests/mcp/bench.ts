/** The plugin's MCP client manager, wired to real server processes and a test clock. */
import type { McpServer } from '#model/mcp-server';
import { McpServerManager } from '#mcp/client/manager';
import type { ServerOffer } from '#ports/mcp-servers';
import { testClock, type TestClock } from '../builders/fake-clock';

export interface ServersBench extends AsyncDisposable {
  readonly servers: McpServerManager;
  readonly clock: TestClock;
  /** The servers in the settings; a test may replace them. */
  listed: readonly McpServer[];
  readonly secrets: Record<string, string>;
  /** Progress messages reported by calls. */
  readonly progress: string[];
  /** Starts all servers and returns their offers. */
  offers(): Promise<readonly ServerOffer[]>;
  /** Starts all servers and returns the names of their tools. */
  offered(): Promise<string[]>;
  /** Calls a tool of the first server and returns its text. */
  call(tool: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<string>;
}

/**
 * Milliseconds of real time: long enough for every call that is not stuck, short enough to wait for
 * one that is.
 */
const PATIENCE_MS = 400;

export function serversBench(
  listed: readonly McpServer[],
  { start = 20_000, quiet = PATIENCE_MS } = {},
): ServersBench {
  const clock = testClock();
  const secrets: Record<string, string> = {};
  const bench: ServersBench = {
    ...{ listed, clock, secrets, progress: [] },
    servers: new McpServerManager({
      ...{ clock, fetch, version: '0.0.0' },
      servers: () => bench.listed,
      secret: (name) => secrets[name] ?? null,
      timeouts: { ...{ start, quiet }, turn: 10_000, call: 3 * PATIENCE_MS },
    }),
    async offers() {
      await bench.servers.start(new AbortController().signal);
      return bench.servers.offers();
    },
    offered: async () =>
      (await bench.offers()).flatMap(({ tools }) => (tools ?? []).map(({ name }) => name)),
    async call(tool, input = {}, signal = new AbortController().signal) {
      const answer = await bench.servers.call(bench.listed[0]!.id, tool, input, {
        signal,
        progress: (words) => void bench.progress.push(words),
      });
      return [answer.text, answer.theirs ?? ''].filter((each) => each !== '').join('\n');
    },
    async [Symbol.asyncDispose]() {
      const closed = bench.servers.close();
      // Each advance moves a process that ignores its shutdown one step closer to being killed.
      for (let told = 0; told < 3; told += 1) await clock.advance(1_000);
      await closed;
    },
  };
  return bench;
}
