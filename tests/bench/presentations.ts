/**
 * Measures what each tool presentation costs: the tool list of every request, and a conversation
 * that uses tools of each agent, with tokens as the fake server counts them. Prints numbers;
 * asserts nothing.
 */
import { estimateTokens } from '#agent/token-estimate';
import type { ToolPresentation } from '#model/setting-choices';
import { desktopFetch } from '#obsidian/platform/node-fetch';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { testClock } from '../builders/fake-clock';
import { NODE } from '#tests/builders/node-modules';
import { AFTER, asOffered, CONVERSATION, FILES } from '#tests/builders/all-agents-conversation';
import { PRESENTATIONS, settingsWith } from '#tests/builders/registry';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig } from '../queue/app-on-disk';
import { scripted } from '#workbench/model/scripted';
import { startModelServer } from '#workbench/model/server';
import { promptTokens, type PromptTokens } from './loop';

/** A model that caches prefixes of 1,024 tokens and more. */
const MODEL = 'claude-sonnet-5-5';

interface Cost extends PromptTokens {
  readonly tools: number;
  /** Size of one request's tools as JSON on the wire. */
  readonly bytes: number;
  readonly tokens: number;
  /** Output tokens of the whole conversation. */
  readonly output: number;
  readonly requests: number;
  readonly notes: string;
  readonly violations: readonly string[];
}

async function costOf(toolPresentation: ToolPresentation): Promise<Cost> {
  const server = await startModelServer({ respond: asOffered(scripted(CONVERSATION)) });
  try {
    const clock = testClock();
    const settings = { toolPresentation, model: MODEL, endpoint: server.url };
    const model = new AnthropicProvider({
      settings: () => settingsWith(settings),
      key: () => 'sk-test-1',
      fetch: desktopFetch(NODE, globalThis.fetch).fetch,
      lookAt: async () => null,
      isOffline: () => false,
      clock,
    });
    const vault = tinyVault(FILES, ['Inbox', 'Lists', 'Notes', 'Projects']);
    const disk = { store: memoryStore(), vault, clock, model, settings };
    const { agent, load, idle } = makeRig(disk);
    await load();
    await agent.queue.send({ text: 'Put it in order.' });
    await idle();
    await agent.queue.answer({ text: 'Yes.' });
    await idle();
    const usages = eventsOn(disk, 'step-end').map(({ usage }) => usage);
    const tools = server.requests[0]?.body.tools ?? [];
    const json = JSON.stringify(tools);
    return {
      ...promptTokens(usages),
      tools: tools.length,
      bytes: Buffer.byteLength(json),
      tokens: estimateTokens(json),
      output: usages.reduce((sum, { output }) => sum + output, 0),
      requests: server.requests.length,
      notes: JSON.stringify([...vault.texts].sort()),
      violations: server.violations,
    };
  } finally {
    await server.close();
  }
}

export async function bench(print: (row: string) => void): Promise<void> {
  const number = (value: number) => value.toLocaleString('en').padStart(9);
  print(
    'presentation    tools    bytes  tokens | requests   prompts  uncached   output | notes, requests',
  );
  for (const presentation of PRESENTATIONS) {
    const cost = await costOf(presentation);
    const isRight = cost.notes === JSON.stringify(Object.entries(AFTER).sort());
    print(
      [
        presentation.padEnd(12),
        ...[cost.tools, cost.bytes, cost.tokens].map(number),
        ' |',
        ...[cost.requests, cost.total, cost.uncached, cost.output].map(number),
        ` | ${isRight ? 'as wanted' : 'OTHERS'}, ${cost.violations.length === 0 ? 'valid' : cost.violations.join('; ')}`,
      ].join(''),
    );
  }
}
