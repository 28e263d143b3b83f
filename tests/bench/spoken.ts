/**
 * Speaks "add milk to my shopping list" to the built plugin over a real socket. Prints the times of
 * the acknowledgment, the first model request, the change and the notification, and the cost in
 * prompt bytes, steps and tokens. A fake model answers at once, with the steps of a careful
 * model or of a quick one.
 */
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addUsage, NO_USAGE, type Usage } from '#model/message';
import { callCost } from '#model/model-cost';
import type { Agent } from '#ports/app/agent';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { bootHeadless } from '#workbench/boot-headless';
import { call, reply, type Reply } from '#workbench/model/replies';
import { startModelServer, type ModelServer } from '#workbench/model/server';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';
import { temporaryFolder } from '../builders/temporary-folder';

type Print = (row: string) => void;

const LIST = 'Lists/Shopping.md';
const WORDS = 'add milk to my shopping list';
const SECOND = 'add eggs to my shopping list';

const FIND = call('list_files', { pattern: '*shopping*' });
const READ = call('read_file', { path: LIST });
const EDIT = call('edit_file', { path: LIST, edits: [{ position: 'end', content: '- milk' }] });
const DONE = call('done', { summary: 'Milk is on the shopping list.', outcome: 'done' });

/** Each step is what the model answers to one request. */
const SCRIPTS: Readonly<Record<string, readonly Reply[]>> = {
  'four steps (find, read, change, report)': [
    reply('I look for the list.', FIND),
    reply('I read it.', READ),
    reply('I add milk.', EDIT),
    reply(DONE),
  ],
  'two steps (find, then change and report)': [
    reply('I look for the list.', FIND),
    reply('I add milk.', EDIT, DONE),
  ],
};

export async function bench(print: Print): Promise<void> {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    print(name);
    for (const row of await spoken(script)) print(`  ${row}`);
  }
}

interface Plugin {
  readonly agent: Promise<Agent>;
  readonly ready: Promise<void>;
  overrideSettings(changes: Record<string, unknown>): void;
}

async function spoken(script: readonly Reply[]): Promise<string[]> {
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('spoken');
  mkdirSync(path.join(vault, 'Lists'));
  writeFileSync(path.join(vault, LIST), '- bread\n');
  const smartHole = await FakeSmartHole.start();
  /** Moves the server's clock, by which its cache expires. */
  let later = 0;
  let answered = 0;
  const server = await startModelServer({
    now: () => performance.timeOrigin + performance.now() + later,
    respond: ({ tools = [] }) => {
      if (tools.length === 0) return reply('Shopping');
      return script[answered++ % script.length] ?? reply('Done.');
    },
  });
  const host = await bootHeadless({
    vault,
    pluginDir,
    secrets: { 'parley-api-key': 'sk-test-1' },
    onLoaded: (plugin) =>
      (plugin as unknown as Plugin).overrideSettings({
        endpoint: server.url,
        model: 'claude-haiku-5-5',
        smartHole: true,
        smartHolePort: smartHole.port,
      }),
  });
  const plugin = host.plugin as unknown as Plugin;
  await plugin.ready;
  const usages: Usage[] = [];
  (await plugin.agent).subscribe((event) => {
    if (event.type === 'step-end') usages.push(event.usage);
  });
  await until(() => smartHole.clients.length > 0);
  const rows = [await timeLine(WORDS, vault, smartHole, server)];
  rows.push(bytes(server), tokens(usages.splice(0)));
  later = 20 * 60_000;
  await timeLine(SECOND, vault, smartHole, server);
  rows.push(`20 minutes later: ${tokens(usages)}`);
  await host.close();
  await server.close();
  await smartHole.close();
  return rows;
}

async function timeLine(
  words: string,
  vault: string,
  smartHole: FakeSmartHole,
  server: ModelServer,
): Promise<string> {
  const file = path.join(vault, LIST);
  const text = readFileSync(file, 'utf8');
  const now = () => performance.timeOrigin + performance.now();
  let changedAt = 0;
  const watcher = watch(path.dirname(file), () => {
    if (changedAt === 0 && readFileSync(file, 'utf8') !== text) changedAt = now();
  });
  const seen = { asked: server.requests.length, shown: smartHole.shown.length };
  const at = { sent: now(), acked: 0, asked: 0, told: 0 };
  const lines = smartHole.log.length;
  smartHole.say(words);
  await until(() => {
    const isAcked = smartHole.log.slice(lines).some(({ frame }) => frame.includes('"ack"'));
    if (at.acked === 0 && isAcked) at.acked = now();
    if (at.asked === 0 && server.requests.length > seen.asked) at.asked = now();
    if (at.told === 0 && smartHole.shown.length > seen.shown) at.told = now();
    return at.told > 0;
  });
  watcher.close();
  const since = (time: number) => `${Math.round(time - at.sent)} ms`;
  return `acknowledged ${since(at.acked)}, model asked ${since(at.asked)}, note changed ${since(changedAt)}, told ${since(at.told)}`;
}

function bytes({ requests }: ModelServer): string {
  const body = requests.find(({ body: { tools = [] } }) => tools.length > 0)?.body;
  const size = (part: unknown) => JSON.stringify(part ?? '').length.toLocaleString('en');
  return `system prompt ${size(body?.system)} and tools ${size(body?.tools)} bytes of JSON`;
}

function tokens(usages: readonly Usage[]): string {
  const { input, cacheRead, cacheWrite, output } = usages.reduce(addUsage, NO_USAGE);
  const price = priceOf('claude-haiku-5-5', { prices: {} });
  const cost = price ? usages.reduce((sum, each) => sum + callCost(each, price), 0) : NaN;
  return `${usages.length} model calls, ${cacheRead} prompt tokens from the cache, ${cacheWrite} written to it, ${input} others, ${output} out: $${cost.toFixed(5)}`;
}

/** Polls in the event loop, as fast as it turns. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
