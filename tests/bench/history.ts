/**
 * Measures appending to, listing and searching a thousand conversations with forty thousand
 * messages on disk. Prints numbers with their budgets; asserts nothing.
 */
import { DeviceKey } from '#ports/device-key';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Conversations } from '#conversations/repository';
import { jsonLine } from '#ports/line-file';
import type { EventDraft } from '#model/event';
import {
  type ConversationId,
  type DeviceId,
  type RequestId,
  type MessageId,
  type TurnId,
  callId,
} from '#model/ids';
import { systemClock } from '#obsidian/platform/system-clock';
import { nodeModules } from '#obsidian/platform/node-modules';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { median, shown, watched, type Watched } from './timing/watched';

export const CHATS_FOLDER = 'conversations';
const DEVICE = 'device-bench' as DeviceId;
const CONVERSATIONS = 1_000;
const TURNS = 20;
const SIZES = [10, 1_000, 10_000];
const APPENDS = 200;
/** A frequent word, a rare one, combinations, a word without hits, and a single letter. */
const QUERIES = ['garden', 'quince', 'Zürich tomorrow', 'garden quince list', 'nowhere', 'e'];

export async function bench(print: (row: string) => void): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    mkdirSync(path.join(folder, CHATS_FOLDER));
    const bytes = writeHistory(folder);
    print(
      `${CONVERSATIONS} conversations with ${CONVERSATIONS * TURNS * 2} messages, ${(bytes / 1e6).toFixed(0)} MB`,
    );
    await benchListing(folder, print);
    await benchSearch(folder, print);
    await benchAppend(folder, print);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchListing(folder: string, print: (row: string) => void): Promise<void> {
  const rebuilt = await watched(() => openChats(folder).list());
  print(`list without an index, every file read: ${shown(rebuilt)} (block: budget 16 ms)`);
  const times: Watched<unknown>[] = [];
  for (let at = 0; at < 5; at += 1) times.push(await watched(() => openChats(folder).list()));
  print(
    `list after a start, nothing read but the index: ${shown(middle(times))} (panel: budget 100 ms; block: 16 ms)`,
  );
  const loaded = openChats(folder);
  await loaded.list();
  const again = await watched(() => loaded.list());
  print(`list again: ${shown(again)}`);
}

async function benchSearch(folder: string, print: (row: string) => void): Promise<void> {
  const all = openChats(folder);
  await all.list();
  const began = performance.now();
  let first = 0;
  const reading = await watched(() =>
    all.search('quince', { limit: 10_000, onHit: () => (first ||= performance.now() - began) }),
  );
  print(
    `first search: first of ${reading.value.hits.length} hits after ${first.toFixed(1)} ms, all read after ${shown(reading)} (block: budget 16 ms)`,
  );
  for (const query of QUERIES) {
    const runs: Watched<{ hits: readonly unknown[] }>[] = [];
    for (let at = 0; at < 7; at += 1) runs.push(await watched(() => all.search(query)));
    const run = middle(runs);
    print(
      `search "${query}" from the second on: ${shown(run)}, ${run.value.hits.length} hits (budget 50 ms; block: 16 ms)`,
    );
  }
}

/** Alternates between the sizes, so that other load on the machine affects all of them alike. */
async function benchAppend(folder: string, print: (row: string) => void): Promise<void> {
  const turn = 'turn-bench' as TurnId;
  const rows = await Promise.all(
    SIZES.map(async (messages) => {
      const id = `conversation-append-${messages}` as ConversationId;
      const file = path.join(folder, CHATS_FOLDER, `${id}.jsonl`);
      writeFileSync(file, conversationText(id, messages / 2, Date.now()));
      const all = openChats(folder);
      await all.list();
      const log = await all.open(id);
      if (!log) throw new Error('It was just written.');
      await log.append(turnStart(id, turn, 'A message.', Date.now()));
      return { messages, file, log, plain: [] as number[], flushed: [] as number[] };
    }),
  );
  for (let at = 0; at < APPENDS; at += 1) {
    for (const { log, plain, flushed } of rows) {
      plain.push(await timed(() => log.append(answerEnd(turn, at))));
      if (at % 4 > 0) continue;
      flushed.push(await timed(() => log.append(answerEnd(turn, at), { flush: true })));
    }
  }
  const first = median(rows[0]?.plain ?? []);
  for (const { messages, file, plain, flushed } of rows) {
    const size = Math.round(statSync(file).size / 1024);
    const time = median(plain);
    print(
      `append with ${messages} messages there (${size} KB): ${time.toFixed(3)} ms (budget 1 ms), ${(time / first).toFixed(2)} times the first row; flushed to disk ${median(flushed).toFixed(3)} ms`,
    );
  }
}

export function openChats(folder: string): Conversations {
  const node = nodeModules(createRequire(import.meta.url));
  return new Conversations({
    ...{
      store: nodeStorage(node, folder),
      folder: CHATS_FOLDER,
      device: DEVICE,
      clock: systemClock(node),
    },
    signer: new DeviceKey({ get: () => 'key', set: () => undefined, unavailable: () => undefined }),
    report: (sentence) => {
      throw new Error(sentence);
    },
  });
}

function middle<Value>(runs: Watched<Value>[]): Watched<Value> {
  runs.sort((a, b) => a.milliseconds - b.milliseconds);
  const run = runs[Math.floor(runs.length / 2)];
  if (!run) throw new Error('Nothing was run.');
  return { ...run, block: Math.max(...runs.map(({ block }) => block)) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Writes conversations of an hour each, the last of which ends now. Returns their size in bytes. */
export function writeHistory(folder: string, conversations = CONVERSATIONS, turns = TURNS): number {
  let bytes = 0;
  const end = Date.now();
  for (let at = 0; at < conversations; at += 1) {
    const id = `conversation-${String(at).padStart(6, '0')}` as ConversationId;
    const text = conversationText(id, turns, end - (conversations - at) * 3_600_000);
    writeFileSync(path.join(folder, CHATS_FOLDER, `${id}.jsonl`), text);
    bytes += text.length;
  }
  return bytes;
}

function conversationText(id: ConversationId, turns: number, start: number): string {
  const lines: string[] = [];
  let time = start;
  const add = (draft: EventDraft) => {
    time += 100;
    lines.push(jsonLine({ ...draft, conversation: id, time }));
  };
  add({ type: 'conversation-start', version: 1, device: DEVICE });
  for (let at = 0; at < turns; at += 1) addTurn(add, id, `turn-${id}-${at}` as TurnId, time);
  add({ type: 'summary-set', summary: words(40) });
  add({ type: 'conversation-end', reason: 'idle' });
  return lines.join('');
}

const USAGE = { input: 900, output: 200, cacheRead: 4_000, cacheWrite: 0 };

function addTurn(
  add: (draft: EventDraft) => void,
  id: ConversationId,
  turn: TurnId,
  time: number,
): void {
  add(turnStart(id, turn, words(40), time));
  add({ type: 'step-start', turn, step: 1, number: 1, of: 10 });
  add({ type: 'part-end', turn, step: 1, index: 0, part: { type: 'text', text: words(12) } });
  const input = { path: 'Lists/Shopping.md' };
  const part = { type: 'call', wireId: 'toolu_1', name: 'read_file', input } as const;
  add({ type: 'part-end', turn, step: 1, index: 1, part });
  add({ type: 'step-end', turn, step: 1, stop: 'calls', usage: USAGE });
  const call = callId(turn, 1, 1);
  add({ type: 'call-start', turn, call });
  const result = { text: words(150), failed: false };
  add({ type: 'call-end', turn, call, result });
  add({ type: 'step-start', turn, step: 2, number: 2, of: 10 });
  const reply = words(90);
  add({ type: 'part-end', turn, step: 2, index: 0, part: { type: 'text', text: reply } });
  add({ type: 'step-end', turn, step: 2, stop: 'end', usage: USAGE });
  const end = { kind: 'completed', outcome: 'done', reply } as const;
  add({ type: 'turn-end', turn, end, usage: USAGE });
}

function turnStart(id: ConversationId, turn: TurnId, text: string, time: number): EventDraft {
  const entry = `request-${turn}` as RequestId;
  return {
    ...{
      type: 'turn-start',
      turn,
      requestId: entry,
      attempt: 1,
      mode: 'apply',
      model: 'claude-haiku-4-5',
    },
    message: `message-${turn}` as MessageId,
    context: '<context>\nNow: Thursday, 12 November 2026\n</context>',
    activeNote: null,
    request: {
      ...{ id: entry, time, text, source: 'typed', conversation: id, attachments: [] },
      reply: { to: 'chat' },
    },
  };
}

function answerEnd(turn: TurnId, at: number): EventDraft {
  return {
    ...{ type: 'answer-end', turn, message: `message-${at}` as MessageId, requestId: null },
    text: 'A message of some ordinary length, as people write them. '.repeat(4),
    ...{ source: 'typed', reply: { to: 'chat' } },
  };
}

const WORDS =
  'milk bread list garden note project weekly review meeting people plans today tomorrow the and of with about for added changed found Zürich – “quoted” 12 tasks tags links folder journal recipe'.split(
    ' ',
  );
let seed = 1;

/** Pseudo-random words, the same in each run; one in ten thousand is rare. */
function words(count: number): string {
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: count }, () =>
    next() % 10_000 === 0 ? 'quince' : WORDS[seed % WORDS.length],
  ).join(' ');
}
