/**
 * Measures the agent loop against a server: the time from the last byte of a reply to the next
 * request, and the share of a ten-step turn's prompt that is not read from the cache. Prints
 * numbers; asserts nothing.
 */
import { systemPrompt } from '#agent/prompt/system-prompt';
import type { Usage } from '#model/message';
import { DEFAULT_SETTINGS } from '#model/settings';
import { desktopFetch } from '#obsidian/platform/node-fetch';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { testClock } from '../builders/fake-clock';
import { NODE } from '#tests/builders/node-modules';
import { beginTurn } from '#tests/builders/turns';
import { ALL_TOOLS } from '#tools/all-tools';
import { toolSchemas } from '#tools/presentation/presentation';
import { ToolRegistry } from '#tools/registry';
import { call, reply } from '#workbench/model/replies';
import { startModelServer, type ModelServerOptions } from '#workbench/model/server';

/** A result of a thousand tokens, at four characters per token. */
const THOUSAND_TOKENS = 'A line of a note, forty characters long.'.repeat(100);

export interface LongTurn {
  /** Usage of each step, as counted by the server. */
  readonly usages: readonly Usage[];
  /** Milliseconds from the last byte of a reply to the next request, measured at the server. */
  readonly gaps: readonly number[];
  readonly violations: readonly string[];
}

interface LongTurnOptions extends Pick<ModelServerOptions, 'validate'> {
  /** Calls that share the work of a step, 1 by default. */
  readonly calls?: number;
}

/**
 * Runs a turn whose steps each read a thousand tokens, with the system prompt and tools of a new
 * vault.
 */
export async function longTurn(
  steps: number,
  { calls = 1, ...options }: LongTurnOptions = {},
): Promise<LongTurn> {
  const gaps: number[] = [];
  let lastByte: number | null = null;
  const text = THOUSAND_TOKENS.slice(0, Math.ceil(THOUSAND_TOKENS.length / calls));
  const server = await startModelServer({
    ...options,
    now: () => performance.now(),
    respond: (_request, { index, requests, signal }) => {
      const arrived = requests[index]?.at;
      if (lastByte !== null && arrived !== undefined) gaps.push(arrived - lastByte);
      signal.addEventListener('abort', () => (lastByte = performance.now()), { once: true });
      if (index + 1 >= steps) return reply('That is all of it.');
      const reads = Array.from({ length: calls }, (_, at) =>
        call('read_file', { path: `${index}-${at}.md` }),
      );
      return reply(`I read on, part ${index + 1}.`, ...reads);
    },
  });
  try {
    const registry = new ToolRegistry();
    for (const tool of ALL_TOOLS) registry.register(tool);
    const clock = testClock();
    const model = new AnthropicProvider({
      settings: () => ({ ...DEFAULT_SETTINGS, endpoint: server.url }),
      key: () => 'sk-test-1',
      fetch: desktopFetch(NODE, globalThis.fetch).fetch,
      lookAt: async () => null,
      isOffline: () => false,
      clock,
    });
    const turn = await beginTurn({
      model,
      clock,
      // A model that caches prefixes of 1,024 tokens and more.
      modelId: 'claude-sonnet-5-5',
      prompt: {
        system: systemPrompt(DEFAULT_SETTINGS, null),
        tools: toolSchemas(registry, DEFAULT_SETTINGS),
      },
      limits: { steps: 100, tokens: 10_000_000 },
      tools: {
        read_file: { effect: 'read', run: () => ({ text, failed: false }) },
      },
    });
    const end = await turn.run();
    if (end?.kind !== 'completed') throw new Error(`The turn ended as ${JSON.stringify(end)}.`);
    const usages = turn.turn.steps.map(({ usage }) => usage);
    return { usages, gaps, violations: server.violations };
  } finally {
    await server.close();
  }
}

export interface PromptTokens {
  /** Tokens of all prompts together, cached or not. */
  readonly total: number;
  /** Tokens that were not read from the cache, including those written to it. */
  readonly uncached: number;
}

export function promptTokens(usages: readonly Usage[]): PromptTokens {
  let total = 0;
  let uncached = 0;
  for (const { input, cacheRead, cacheWrite } of usages) {
    total += input + cacheRead + cacheWrite;
    uncached += input + cacheWrite;
  }
  return { total, uncached };
}

export async function bench(print: (row: string) => void): Promise<void> {
  // The first turn warms up the JIT compiler. The validator is off, because its time would count as
  // ours.
  await longTurn(10, { validate: false });
  const { gaps } = await longTurn(41, { validate: false });
  const sorted = [...gaps].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
  print(
    `loop: reply's last byte to next request, ${gaps.length} steps of 1,000 tokens: median ${at(0.5)} ms, p95 ${at(0.95)} ms (budget 10 ms)`,
  );
  const { usages } = await longTurn(10);
  const { total, uncached } = promptTokens(usages);
  const share = ((100 * uncached) / total).toFixed(1);
  print(
    `loop: ten steps with a cache: ${uncached.toLocaleString('en')} of ${total.toLocaleString('en')} prompt tokens uncached, ${share} % (budget 20 %)`,
  );
}
