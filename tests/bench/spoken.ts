/**
 * Speaks "add milk to my shopping list" to the built plugin over a real socket. Prints the times of
 * the acknowledgment, the first model request, the change and the notification, and the cost in
 * prompt bytes, steps and tokens. A fake model answers at once, with the steps of a careful
 * model or of a quick one. Prints last how much later the note changes while three typed turns run.
 */
import { readFileSync, watch } from 'node:fs';
import path from 'node:path';
import type { Usage } from '#model/message';
import { call, reply, type Reply } from '#workbench/model/replies';
import type { ModelServer } from '#workbench/model/server';
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { listVault, tokens, until, untilTrue, voiceStage } from './timing/voice-stage';

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
  const [alone, beside] = [await changeTimes(0), await changeTimes(3)];
  const [one, other] = [median(alone), median(beside)];
  print(
    `note changed after ${one} ms alone and ${other} ms beside three typed turns (median of ${RUNS}): ${other - one} ms later`,
  );
}

/** Parley sends SmartHole at most six ends a minute. */
const RUNS = 5;

/** Milliseconds from the words to the changed note, while this many typed turns wait for the model. */
async function changeTimes(typed: number): Promise<number[]> {
  const setting = await stage(SCRIPTS['two steps (find, then change and report)']!);
  const { agent, vault, smartHole, server } = setting;
  for (let turn = 0; turn < typed; turn += 1) {
    const made = await agent.conversations.create();
    if (made.ok) await agent.queue.send({ text: TYPED, conversation: made.conversation });
  }
  await untilTrue(async () => (await agent.state()).running.length === typed);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    times.push((await timeLine(`${WORDS}, ${run}`, vault, smartHole, server)).changed);
    await untilTrue(async () => (await agent.state()).running.length === typed);
  }
  await setting.close();
  return times;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** A request that the model does not answer before it is stopped. */
const TYPED = 'Write a long essay.';

/** A list, and a model that answers with the script again and again. */
function stage(script: readonly Reply[]) {
  let answered = 0;
  return voiceStage({
    vault: listVault(LIST),
    endless: TYPED,
    next: () => script[answered++ % script.length] ?? reply('Done.'),
  });
}

async function spoken(script: readonly Reply[]): Promise<string[]> {
  const { agent, vault, smartHole, server, wait, close } = await stage(script);
  const usages: Usage[] = [];
  agent.subscribe((event) => {
    if (event.type === 'step-end') usages.push(event.usage);
  });
  const { acked, asked, changed, told } = await timeLine(WORDS, vault, smartHole, server);
  const rows = [
    `acknowledged ${acked} ms, model asked ${asked} ms, note changed ${changed} ms, told ${told} ms`,
    bytes(server),
    tokens(usages.splice(0)),
  ];
  wait(20 * 60_000);
  await timeLine(SECOND, vault, smartHole, server);
  rows.push(`20 minutes later: ${tokens(usages)}`);
  await close();
  return rows;
}

/** Milliseconds after the words. */
type TimeLine = Readonly<Record<'acked' | 'asked' | 'changed' | 'told', number>>;

async function timeLine(
  words: string,
  vault: string,
  smartHole: FakeSmartHole,
  server: ModelServer,
): Promise<TimeLine> {
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
  const since = (time: number) => Math.round(time - at.sent);
  const { acked, asked, told } = at;
  return {
    ...{ acked: since(acked), asked: since(asked), changed: since(changedAt), told: since(told) },
  };
}

function bytes({ requests }: ModelServer): string {
  const body = requests.find(({ body: { tools = [] } }) => tools.length > 0)?.body;
  const size = (part: unknown) => JSON.stringify(part ?? '').length.toLocaleString('en');
  return `system prompt ${size(body?.system)} and tools ${size(body?.tools)} bytes of JSON`;
}
