/** The built plugin with a voice and a model that answers at once, for benchmarks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addUsage, NO_USAGE, type Usage } from '#model/message';
import { callCost } from '#model/model-cost';
import type { Agent } from '#ports/app/agent';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { bootHeadless } from '#workbench/boot-headless';
import { reply, type Reply } from '#workbench/model/replies';
import { startModelServer } from '#workbench/model/server';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { temporaryFolder } from '../../builders/temporary-folder';
import { ensureBuilt } from '../../workbench/build/ensure-built.mjs';

/** The newest small model. */
export const MODEL = 'claude-haiku-5-5';

interface Plugin {
  readonly agent: Promise<Agent>;
  readonly ready: Promise<void>;
  overrideSettings(changes: Record<string, unknown>): void;
}

export interface StageOptions {
  readonly vault: string;
  /** What the model answers to the requests with tools, one after the other. */
  next(): Reply;
  /** The model does not answer requests with these words before they are stopped. */
  readonly endless?: string;
}

/** A vault with one note. */
export function listVault(list: string): string {
  const vault = temporaryFolder('spoken');
  mkdirSync(path.dirname(path.join(vault, list)), { recursive: true });
  writeFileSync(path.join(vault, list), '- bread\n');
  return vault;
}

export async function voiceStage({ vault, next, endless }: StageOptions) {
  const { pluginDir } = await ensureBuilt();
  const smartHole = await FakeSmartHole.start();
  /** Moves the server's clock, by which its cache expires. */
  let later = 0;
  const server = await startModelServer({
    now: () => performance.timeOrigin + performance.now() + later,
    respond: async ({ tools = [], messages }, { signal }) => {
      if (tools.length === 0) return reply('Shopping');
      if (endless && JSON.stringify(messages[0]).includes(endless)) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }
      return next();
    },
  });
  const host = await bootHeadless({
    vault,
    pluginDir,
    secrets: { 'parley-api-key': 'sk-test-1' },
    onLoaded: (plugin) =>
      (plugin as unknown as Plugin).overrideSettings({
        endpoint: server.url,
        model: MODEL,
        smartHole: true,
        smartHolePort: smartHole.port,
      }),
  });
  const plugin = host.plugin as unknown as Plugin;
  await plugin.ready;
  await until(() => smartHole.clients.length > 0);
  return {
    ...{ agent: await plugin.agent, vault, smartHole, server },
    wait: (milliseconds: number) => (later += milliseconds),
    async close() {
      await host.close();
      await server.close();
      await smartHole.close();
    },
  };
}

/** In dollars. */
export function costOf(usages: readonly Usage[]): number {
  const price = priceOf(MODEL, { prices: {} });
  return price ? usages.reduce((sum, each) => sum + callCost(each, price), 0) : NaN;
}

export function tokens(usages: readonly Usage[]): string {
  const { input, cacheRead, cacheWrite, output } = usages.reduce(addUsage, NO_USAGE);
  return `${usages.length} model calls, ${cacheRead} prompt tokens from the cache, ${cacheWrite} written to it, ${input} others, ${output} out: $${costOf(usages).toFixed(5)}`;
}

export async function untilTrue(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Polls in the event loop, as fast as it turns. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
