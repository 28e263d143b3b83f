/**
 * Soak test: spoken requests through the built program over real sockets, with faults in the
 * connection, SmartHole, the model, and the process. Every acked request is done exactly once. `npm
 * run soak` sends 500 requests; the environment variables MESSAGES and SEED override the defaults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RequestId } from '#model/ids';
import { cut, errorEvent, noAnswer, overloaded, rateLimited, stall } from '#workbench/model/faults';
import { reply, type Reply } from '#workbench/model/replies';
import { persistent } from '#workbench/model/scripted';
import type { Answer, Respond } from '#workbench/model/server';
import { lastSaid, userWords, type ModelRequest } from '#workbench/model/wire';
import type { PendingReply } from '#voice/outbox';
import { FakeSmartHole } from '#workbench/smarthole/pretend';
import {
  Headless,
  INBOX,
  linesOf,
  namesIn,
  openStage,
  readFileIn,
  recordedOf,
  until,
} from './driver';

const MESSAGES = Number(process.env['MESSAGES'] ?? 24);
const SEED = Number(process.env['SEED'] ?? 1);
const NOTES = 5;
/** Maximum number of requests in progress: more than a user has, fewer than SmartHole remembers. */
const MAX_OPEN_REQUESTS = 12;
const SETTINGS = { stallSeconds: 5, stepsPerTurn: 20 };

const noteOf = (item: number) => `Lists/Soak ${item % NOTES}.md`;
const asks = (item: number) => `Please note item ${item} on its list`;

/** Seeded random numbers from 0 (inclusive) to 1 (exclusive). */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A model that adds the requested item to its note, and sometimes fails to answer. */
function troubledModel(random: () => number, counts: Map<string, number>): Respond {
  const faults: [string, (over: Reply) => Answer][] = [
    ['429', () => rateLimited(0)],
    ['529', () => overloaded()],
    ['cut stream', (over) => cut(over)],
    ['error in the stream', (over) => errorEvent(over)],
    ['stall', (over) => stall(over)],
    ['no answer', () => noAnswer()],
  ];
  return async (request, context) => {
    const honest = await answerTo(request, context);
    if (random() > 0.12 || honest.kind === 'fault') return honest;
    const [name, lay] = faults[Math.floor(random() ** 1.5 * faults.length)]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return lay(honest);
  };
}

function answerTo(request: ModelRequest, context: Parameters<Respond>[1]) {
  if ((request.tools ?? []).length === 0) return reply('A soak.');
  const said = userWords(request.messages[lastSaid(request.messages)]);
  const item = Number(/note item (\d+)/.exec(said)?.[1]);
  const edits = [{ position: 'end', content: `- item ${item}` }];
  const note = persistent([{ name: 'edit_file', input: { path: noteOf(item), edits } }], {
    summary: `Item ${item} is noted.`,
  });
  return note(request, context);
}

/** What SmartHole received, by message id. */
class SmartHoleRecord {
  readonly acked = new Set<string>();
  readonly rejected = new Set<string>();
  /** Number of notifications, by message id and body. */
  readonly notified = new Map<string, number>();
  #seen = 0;
  readonly #pretend: FakeSmartHole;

  constructor(pretend: FakeSmartHole) {
    this.#pretend = pretend;
    pretend.onFrame((frame) => this.#take(frame));
  }

  get frames(): number {
    return this.#seen;
  }

  get violations(): readonly string[] {
    return this.#pretend.violations;
  }

  #take(frame: string): void {
    this.#seen += 1;
    const { type, payload } = JSON.parse(frame) as {
      type: string;
      payload: { messageId: string; type: string; payload: { body?: string } };
    };
    if (type !== 'response') return;
    const { messageId } = payload;
    if (payload.type === 'ack') this.acked.add(messageId);
    if (payload.type === 'reject') this.rejected.add(messageId);
    if (payload.type === 'notification') count(this.notified, saidOf(messageId, payload.payload));
  }
}

const saidOf = (messageId: string, { body }: { body?: string }) => `${messageId} ${body ?? ''}`;

/** Unsent notifications in the outbox of a vault. */
function unsentNotificationsIn(vault: string): string[] {
  const folder = '.obsidian/plugins/parley';
  return namesIn(vault, folder)
    .filter((name) => /^smarthole-.*\.jsonl$/.test(name))
    .flatMap((name) =>
      linesOf<{ reply?: PendingReply }>(readFileIn(vault, `${folder}/${name}`) ?? ''),
    )
    .flatMap(({ reply }) => (reply ? [saidOf(reply.messageId, reply.notification)] : []));
}

const count = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

test(
  `${MESSAGES} spoken requests are each done once, whatever breaks`,
  async () => {
    const random = chance(SEED);
    const troubles = new Map<string, number>();
    const pretend = await FakeSmartHole.start();
    const told = new SmartHoleRecord(pretend);
    const files = Object.fromEntries(
      Array.from({ length: NOTES }, (_, note) => [noteOf(note), '# List\n']),
    );
    await using stage = await openStage(troubledModel(random, troubles), files);
    const { vault, server } = stage;
    const start = () => stage.start({ smartHoleUrl: pretend.url, settings: SETTINGS });
    let headless: Headless = await start();
    let ended = 0;
    const ends = () => recordedOf(vault, 'turn-end').length;
    const registered = () => until(() => pretend.clients.length > 0, 'a registration');

    /**
     * Notifications that were sent but not yet recorded when the process was killed. The next
     * process cannot know that they were sent, so it may send each of them once more.
     */
    const unrecorded = new Set<string>();
    const revive = async () => {
      count(troubles, 'kill of the process');
      await headless.kill();
      await until(() => pretend.clients.length === 0, 'the end of the connection');
      for (const each of unsentNotificationsIn(vault))
        if (told.notified.has(each)) unrecorded.add(each);
      headless = await start();
    };
    const breaks: [number, () => Promise<void> | void][] = [
      [0.05, () => void (count(troubles, 'cut connection'), pretend.cut())],
      [0.02, () => (count(troubles, 'restart of SmartHole'), pretend.restart())],
      [0.05, revive],
      [
        0.08,
        () => {
          const again = pretend.deliveries.at(-1 - Math.floor(random() * 5));
          if (again && pretend.deliverAgain(again.id)) count(troubles, 'second delivery');
        },
      ],
    ];

    /** Message ids by item. */
    const said = new Map<number, string>();
    let lost = 0;
    for (let item = 0; item < MESSAGES; item += 1) {
      await registered();
      const delivery = pretend.say(asks(item));
      if (delivery) said.set(item, delivery.id);
      else lost += 1;
      await sleep(random() * 60);
      for (const [probability, happens] of breaks) if (random() < probability) await happens();
      if (item % 20 === 19 && headless.isRunning) await headless.send('new');
      while (item - ended > MAX_OPEN_REQUESTS) {
        await sleep(50);
        ended = ends() + lost;
        // Do not wait for requests that SmartHole never delivered.
        if (!(await headless.state()).busy) break;
      }
    }

    await registered();
    // The user retries failed requests after the faults have ended.
    server.setRespond((request, context) => answerTo(request, context));
    for (let round = 0; round < 20; round += 1) {
      const { inbox } = await headless.settled();
      const failed = inbox.filter(({ state }) => state === 'failed');
      if (failed.length === 0) break;
      for (const entry of failed) {
        count(troubles, 'retry by the user');
        await headless.send('retry', { request: entry.request.id satisfies RequestId });
      }
    }
    await headless.terminate();
    await pretend.close();

    const lines = new Map<string, number>();
    for (let note = 0; note < NOTES; note += 1) {
      for (const line of (readFileIn(vault, noteOf(note)) ?? '').split('\n')) {
        if (line.startsWith('- ')) lines.set(line, (lines.get(line) ?? 0) + 1);
      }
    }
    const starts = recordedOf(vault, 'turn-start');
    const completed = new Map<string, number>();
    const entryOf = new Map(starts.map(({ turn, requestId: entry }) => [turn, entry]));
    for (const { turn, end } of recordedOf(vault, 'turn-end')) {
      const entry = entryOf.get(turn) ?? '';
      if (end.kind === 'completed') completed.set(entry, (completed.get(entry) ?? 0) + 1);
    }
    const entriesFor = (item: number) =>
      new Set(
        starts
          .filter(({ request: inbound }) => inbound.text === asks(item))
          .map(({ requestId: entry }) => entry),
      );

    const problems: string[] = [];
    let done = 0;
    for (const [item, id] of said) {
      const times = lines.get(`- item ${item}`) ?? 0;
      const entries = [...entriesFor(item)];
      const answers = entries.reduce((sum, entry) => sum + (completed.get(entry) ?? 0), 0);
      if (times > 1) problems.push(`item ${item} was noted ${times} times`);
      if (entries.length > 1) problems.push(`item ${item} became ${entries.length} requests`);
      if (answers > 1) problems.push(`item ${item} was answered ${answers} times`);
      if (answers !== times) problems.push(`item ${item}: noted ${times}, answered ${answers}`);
      if (told.acked.has(id) && times === 0) problems.push(`item ${item} was acked and not done`);
      if (told.rejected.has(id) && times > 0) problems.push(`item ${item} was refused and done`);
      for (const [words, count] of told.notified) {
        if (!words.startsWith(id) || count <= (unrecorded.has(words) ? 2 : 1)) continue;
        problems.push(`item ${item} was told ${count} times: ${words}`);
      }
      done += times;
    }
    const changes = namesIn(vault, '.obsidian/plugins/parley/ledger').flatMap((name) =>
      /\.\d+\.jsonl$/.test(name)
        ? linesOf<{ change?: unknown }>(
            readFileIn(vault, `.obsidian/plugins/parley/ledger/${name}`) ?? '',
          )
        : [],
    );
    const acked = [...said.values()].filter((id) => told.acked.has(id)).length;
    const report = {
      seed: SEED,
      spoken: MESSAGES,
      'lost by SmartHole': lost,
      acked,
      done,
      turns: starts.length,
      'lines of the ledger': changes.length,
      'sent without a note of it': unrecorded.size,
      'notifications sent': [...told.notified.values()].reduce((sum, times) => sum + times, 0),
      'requests to the model': server.requests.length,
      ...Object.fromEntries([...troubles].sort()),
    };
    console.log(`${JSON.stringify(report, null, 1)}`);
    expect(problems).toEqual([]);
    expect(namesIn(vault, INBOX)).toEqual([]);
    expect(told.violations).toEqual([]);
    expect(server.violations).toEqual([]);
    expect(acked).toBeGreaterThan(MESSAGES / 2);
  },
  20 * 60_000,
);
