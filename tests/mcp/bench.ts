/** Tool servers as the plugin has them, with real programs and a clock that is not waited for. */
import { type McpServer, serverIdentity } from '#model/mcp-server';
import { McpServerManager } from '#mcp/client/manager';
import type { ServerOffer } from '#ports/tool-servers';
import { testClock, type TestClock } from '#tests/builders/clock';

export interface ServersBench extends AsyncDisposable {
  readonly servers: McpServerManager;
  readonly clock: TestClock;
  /** What is listed; may be replaced. */
  listed: readonly McpServer[];
  /** What the user has said yes to. */
  readonly allowed: Set<string>;
  readonly secrets: Record<string, string>;
  /** What calls told of how far they were. */
  readonly progress: string[];
  /** With all started. */
  offers(): Promise<readonly ServerOffer[]>;
  /** Names of the tools that are offered then. */
  offered(): Promise<string[]>;
  /** What a call of the first server gives. */
  call(tool: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<string>;
}

/** Milliseconds of real time: far more than anything takes that is not stuck, and soon over for what is. */
const SOON = 400;

export function serversBench(
  listed: readonly McpServer[],
  { runsPrograms = true, start = 20_000, quiet = SOON } = {},
): ServersBench {
  const clock = testClock();
  const allowed = new Set(listed.map(serverIdentity));
  const secrets: Record<string, string> = {};
  const bench: ServersBench = {
    ...{ listed, clock, allowed, secrets, progress: [] },
    servers: new McpServerManager({
      ...{ clock, fetch, runsPrograms, version: '0.0.0' },
      servers: () => bench.listed,
      allowed: () => [...allowed],
      saveAllowed: (identities) => {
        allowed.clear();
        identities.forEach((each) => allowed.add(each));
      },
      secret: (name) => secrets[name] ?? null,
      patience: { ...{ start, quiet }, turn: 10_000, call: 3 * SOON },
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
      // What does not end by itself is told to, and then made to.
      for (let told = 0; told < 3; told += 1) await clock.advance(1_000);
      await closed;
    },
  };
  return bench;
}
