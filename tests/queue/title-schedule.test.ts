import { describe, expect, it } from 'vitest';
import { Conversations } from '#conversations/repository';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Event } from '#model/event';
import { idMinter, type ConversationId, type DeviceId, type TurnId } from '#model/ids';
import { NO_USAGE } from '#model/message';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import type { ModelRequest } from '#ports/model-provider';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { TitleSchedule } from '#queue/title-schedule';
import { UsageLog } from '#usage/usage-log';
import { testClock } from '../builders/fake-clock';
import {
  answers,
  delta,
  fails,
  says,
  thinkingModel,
  words,
  type Answer,
} from '../builders/model-stream';
import { diskError, memoryStore } from '../builders/fake-storage';
import { fakeSigner } from '../builders/fake-signer';
import { userRequest } from '../builders/turns';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const TITLE = 'Milk for Sunday';
const SUMMARY = 'Milk was added to Shopping.';
const NAMED = `${TITLE}\n\n${SUMMARY}`;
const DEVICE = 'device-1' as DeviceId;

interface Options {
  readonly store?: ReturnType<typeof memoryStore>;
  readonly settings?: Partial<Settings>;
  /** Answers to the requests, in order; later ones get a valid name. */
  readonly answers?: readonly Answer[];
  /** False: another process is the leader. */
  readonly leads?: boolean;
}

/** Conversations and background tasks in one process. */
function begin(options: Options = {}) {
  const { store = memoryStore() } = options;
  const clock = testClock();
  const state = {
    busy: false,
    mayAsk: true,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
  };
  const now = () => clock.now();
  let minted = 0;
  const mint = idMinter(now, () => `${(minted += 1)}`.padStart(8, '0'));
  const requests: ModelRequest[] = [];
  const left = [...(options.answers ?? [])];
  const usage = new UsageLog({
    ...{ store, folder: 'plugin', device: DEVICE, clock },
    price: (model) => priceOf(model, DEFAULT_SETTINGS),
    report: () => undefined,
  });
  const told: Event[] = [];
  const conversations: Conversations = new Conversations({
    ...{ store, folder: 'conversations', device: DEVICE, clock, report: () => undefined },
    signer: fakeSigner(),
  });
  conversations.subscribe((event, conversation) => {
    told.push(event);
    background.take(event, conversation);
  });
  const background = new TitleSchedule({
    conversations,
    model: usage.metered(
      {
        async *stream(request, signal) {
          requests.push(request);
          const answer = left.shift() ?? says(NAMED);
          yield* typeof answer === 'function' ? await answer(request, signal) : answer;
        },
      },
      'background',
    ),
    ...{ usage, clock },
    settings: () => state.settings,
    busy: () => state.busy,
    mayAsk: () => state.mayAsk,
  });
  if (options.leads !== false) background.start();
  const ask = async (log: ConversationLog, text: string, model = 'm'): Promise<TurnId> => {
    const turn = mint('turn');
    const inbound = userRequest(text, mint);
    await log.append({
      ...{
        type: 'turn-start',
        turn,
        requestId: inbound.id,
        message: mint('message'),
        request: inbound,
      },
      ...{ attempt: 1, mode: 'apply', model, context: '', activeNote: null },
    });
    return turn;
  };
  const answer = async (log: ConversationLog, turn: TurnId, reply: string) => {
    const end = { kind: 'completed', outcome: 'done', reply } as const;
    await log.append({ type: 'turn-end', turn, end, usage: NO_USAGE });
  };
  const open = async (id: ConversationId) => {
    const log = await conversations.open(id);
    if (!log) throw new Error(`There is no ${id}.`);
    return log;
  };
  return {
    ...{ store, clock, state, requests, usage, told, conversations, background, ask, answer, open },
    /** A conversation that has ended. */
    async ended(text = 'Add milk.', reply = 'Added.') {
      const log = await conversations.begin(mint('conversation'));
      await answer(log, await ask(log, text), reply);
      await log.append({ type: 'conversation-end', reason: 'new-chat' });
      return log;
    },
  };
}

type Place = ReturnType<typeof begin>;

const nameOf = ({ state }: ConversationLog) => [state.title, state.titledBy, state.summary];
const UNNAMED = ['Add milk.', 'first-message', null];
const GOOD = [TITLE, 'model', SUMMARY];
const TITLED = [TITLE, 'model', null];

/** Long enough for every retry. */
const quiet = ({ clock }: Place) => clock.advance(11 * SECOND_MS);

/** Answers when it is stopped, or never. */
const hanging: Answer = async function* (_request, signal) {
  yield delta('Mil');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};

describe('an open conversation', () => {
  /** A conversation that is open and answered. */
  async function answered(place: Place, reply = 'Added.') {
    const log = await place.conversations.begin('conversation-open' as ConversationId);
    await place.answer(log, await place.ask(log, 'Add milk.'), reply);
    return log;
  }

  it('a conversation gets a title in one small call after its first answer', async () => {
    const place = begin();
    const log = await answered(place, 'x'.repeat(50_000));
    const { updated } = log.state;
    expect(nameOf(log)).toEqual(UNNAMED);
    await quiet(place);
    expect(nameOf(log)).toEqual(TITLED);
    expect(log.state).toMatchObject({ updated, ended: null });
    const [request] = place.requests;
    expect(request).toMatchObject({ prompt: { tools: [] }, outputLimit: 2_000 });
    expect(JSON.stringify(request?.history).length).toBeLessThan(13_000);
    await place.answer(log, await place.ask(log, 'And bread.'), 'Added.');
    await place.clock.advance(600 * MINUTE_MS);
    expect(place.requests).toHaveLength(1);
    expect(place.clock.pending).toBe(0);
  });

  it('a conversation without a complete answer keeps its first message as the title', async () => {
    const place = begin();
    const log = await place.conversations.begin('conversation-open' as ConversationId);
    const turn = await place.ask(log, 'Add milk.');
    const end = { kind: 'stopped', reply: 'Stopped.' } as const;
    await log.append({ type: 'turn-end', turn, end, usage: NO_USAGE });
    await place.clock.advance(60 * MINUTE_MS);
    expect(place.requests).toEqual([]);
    await place.answer(log, await place.ask(log, 'Please.'), 'Added.');
    await quiet(place);
    expect(nameOf(log)).toEqual(TITLED);
  });

  it('a conversation of commands only costs no call, also after it has ended', async () => {
    const place = begin();
    const log = await place.conversations.begin('conversation-open' as ConversationId);
    await place.answer(log, await place.ask(log, '/undo', ''), 'Nothing to undo.');
    await quiet(place);
    await log.append({ type: 'conversation-end', reason: 'new-chat' });
    await place.clock.advance(60 * MINUTE_MS);
    expect(place.requests).toEqual([]);
  });

  it('a title set by the user is kept, before, during and after the call', async () => {
    const rename = (log: ConversationLog) =>
      log.append({ type: 'title-set', title: 'Mine', by: 'user' });
    const before = begin();
    const early = await answered(before);
    await rename(early);
    await quiet(before);
    expect(before.requests).toEqual([]);
    expect(nameOf(early)).toEqual(['Mine', 'user', null]);

    const during: Place = begin({
      answers: [
        async () => {
          await rename(log);
          return says(NAMED);
        },
      ],
    });
    const log = await answered(during);
    await quiet(during);
    expect(nameOf(log)).toEqual(['Mine', 'user', null]);

    const after = begin();
    const late = await answered(after);
    await quiet(after);
    await rename(late);
    await late.append({ type: 'conversation-end', reason: 'idle' });
    await quiet(after);
    expect(nameOf(late)).toEqual(['Mine', 'user', SUMMARY]);
  });

  it('a failed title is tried again later, but not with every turn', async () => {
    const place = begin({ answers: [fails('network'), fails('overloaded')] });
    const log = await answered(place);
    await quiet(place);
    expect(nameOf(log)).toEqual(UNNAMED);
    for (const text of ['One', 'Two', 'Three']) {
      await place.answer(log, await place.ask(log, text), 'Yes.');
      await place.clock.advance(15 * SECOND_MS);
    }
    expect(place.requests).toHaveLength(1);
    await place.clock.advance(10 * MINUTE_MS);
    expect(place.requests).toHaveLength(3);
    expect(nameOf(log)).toEqual(TITLED);
  });

  it('a next message delays the title and does not prevent it', async () => {
    const place = begin({ answers: [hanging] });
    const log = await answered(place);
    await quiet(place);
    place.state.busy = true;
    const turn = await place.ask(log, 'And bread.');
    await place.clock.advance(5 * MINUTE_MS);
    expect(nameOf(log)).toEqual(UNNAMED);
    place.state.busy = false;
    await place.answer(log, turn, 'Added, too.');
    await quiet(place);
    expect(nameOf(log)).toEqual(TITLED);
    expect(place.requests).toHaveLength(2);
  });
});

describe('an ended conversation', () => {
  it('an idle ended conversation gets a title and a summary in one small call', async () => {
    const place = begin();
    const log = await place.ended('Add milk.', 'x'.repeat(50_000));
    const { updated } = log.state;
    await place.clock.advance(9 * SECOND_MS);
    expect(nameOf(log)).toEqual(UNNAMED);
    await quiet(place);
    expect(nameOf(log)).toEqual(GOOD);
    expect(log.state.updated).toBe(updated);
    expect(place.requests).toHaveLength(1);
    const [request] = place.requests;
    expect(request).toMatchObject({ prompt: { tools: [] }, outputLimit: 2_000 });
    expect(JSON.stringify(request?.history).length).toBeLessThan(13_000);
    expect(place.clock.pending).toBe(0);
  });

  it('an ended conversation keeps a title set by the user', async () => {
    const place = begin();
    const log = await place.ended();
    await log.append({ type: 'title-set', title: 'Mine', by: 'user' });
    await quiet(place);
    expect(nameOf(log)).toEqual(['Mine', 'user', GOOD[2]]);
  });

  it('a conversation without messages is left alone', async () => {
    const place = begin();
    const log = await place.conversations.begin('conversation-empty' as ConversationId);
    await log.append({ type: 'conversation-end', reason: 'new-chat' });
    await quiet(place);
    expect(place.requests).toEqual([]);
  });

  it('a conversation that was continued and ended again keeps its title and gets a new summary', async () => {
    const place = begin({ answers: [says(NAMED), says(`${TITLE}\n\nBoth were added.`)] });
    const log = await place.ended();
    await quiet(place);
    const turn = await place.ask(log, 'And bread.');
    expect(nameOf(log)).toEqual(TITLED);
    await quiet(place);
    expect(place.requests).toHaveLength(1);
    await place.answer(log, turn, 'Added, too.');
    await log.append({ type: 'conversation-end', reason: 'idle' });
    await quiet(place);
    expect(nameOf(log)).toEqual([TITLE, 'model', 'Both were added.']);
  });

  it('ended conversations are named one after the other', async () => {
    const place = begin();
    const logs = [await place.ended('One.'), await place.ended('Two.')];
    await quiet(place);
    expect(logs.map(({ state }) => state.summary !== null)).toEqual([true, false]);
    await quiet(place);
    expect(logs.map(({ state }) => state.summary !== null)).toEqual([true, true]);
  });

  it('naming counts toward the daily cost limit', async () => {
    const used = { ...NO_USAGE, input: 1_000_000 };
    const place = begin({ answers: [answers([words(NAMED)], 'end', used)] });
    await place.ended();
    await quiet(place);
    expect(place.usage.today()).toBe(1);
  });
});

describe('turns and background tasks', () => {
  it('a running turn delays background tasks', async () => {
    const place = begin();
    const log = await place.ended();
    place.state.busy = true;
    await place.clock.advance(30 * MINUTE_MS);
    expect(place.requests).toEqual([]);
    place.state.busy = false;
    await place.clock.advance(MINUTE_MS);
    expect(nameOf(log)).toEqual(GOOD);
  });

  it('the title comes soon after the first answer, although the turn is still winding up', async () => {
    const place = begin();
    const log = await place.conversations.begin('conversation-new' as ConversationId);
    place.state.busy = true;
    await place.answer(log, await place.ask(log, 'Add milk.'), 'Added.');
    place.state.busy = false;
    await quiet(place);
    expect(nameOf(log)).toEqual(TITLED);
  });

  it('a new turn aborts the naming call, which is repeated after it without a delay', async () => {
    const place = begin({ answers: [hanging, hanging] });
    const log = await place.ended();
    const other = await place.conversations.begin('conversation-other' as ConversationId);
    for (let times = 1; times <= 3; times += 1) {
      await quiet(place);
      expect(place.requests).toHaveLength(times);
      place.state.busy = true;
      const turn = await place.ask(other, 'Hello?');
      await place.clock.advance(5 * MINUTE_MS);
      expect(nameOf(log)).toEqual(times < 3 ? UNNAMED : GOOD);
      place.state.busy = false;
      await place.answer(other, turn, 'Yes.');
    }
    expect(place.requests).toHaveLength(3);
  });

  it('a turn that continues the conversation discards its summary', async () => {
    let reopened: Promise<unknown> = Promise.resolve();
    const place: Place = begin({
      answers: [
        async () => {
          reopened = place.ask(await place.open(log.state.id), 'And bread.');
          await reopened;
          return says(NAMED);
        },
      ],
    });
    const log = await place.ended();
    await quiet(place);
    await reopened;
    await place.clock.advance(30 * MINUTE_MS);
    expect(nameOf(log)).toEqual(TITLED);
    expect(place.requests).toHaveLength(2);
  });
});

describe('failures', () => {
  it('a failed naming call is retried after 1, 5, 30, 120 and 360 minutes, then at the next start', async () => {
    const bad: Answer[] = [
      fails('network'),
      fails('key'),
      says(''),
      fails('refused'),
      fails('cut'),
    ];
    const place = begin({ answers: [...bad, fails('overloaded')] });
    const log = await place.ended();
    await place.clock.advance(10 * SECOND_MS);
    for (const [at, minutes] of [1, 5, 30, 120, 360].entries()) {
      expect(place.requests).toHaveLength(at + 1);
      await place.clock.advance(minutes * MINUTE_MS - 1);
      expect(place.requests).toHaveLength(at + 1);
      await place.clock.advance(1);
    }
    expect(place.requests).toHaveLength(6);
    expect(nameOf(log)).toEqual(UNNAMED);
    await place.clock.advance(10_000 * MINUTE_MS);
    expect(place.requests).toHaveLength(6);
    expect(place.clock.pending).toBe(0);

    const next = begin({ store: place.store });
    await quiet(next);
    expect(nameOf(await next.open(log.state.id))).toEqual(GOOD);
  });

  it('naming is free while there is no key or network, or the daily cost limit is spent', async () => {
    for (const settings of [{}, { moneyPerDay: 0.5 }]) {
      const place = begin({ settings });
      if (settings.moneyPerDay === undefined) place.state.mayAsk = false;
      const spending = place.usage.metered(
        thinkingModel(() => answers([words('Yes.')], 'end', { ...NO_USAGE, input: 1_000_000 })),
        'search',
      );
      const model = 'claude-haiku-4-5';
      const request = { model, prompt: { system: '', tools: [] }, history: [said('Hello.')] };
      const { signal } = new AbortController();
      for await (const event of spending.stream(request, signal)) void event;
      const log = await place.ended();
      await quiet(place);
      expect(place.requests).toEqual([]);
      place.state.mayAsk = true;
      place.state.settings = DEFAULT_SETTINGS;
      await place.clock.advance(2 * MINUTE_MS);
      expect(nameOf(log)).toEqual(GOOD);
    }
  });

  it('a disk error is retried, and a title without a summary does not prevent it', async () => {
    const place = begin();
    const log = await place.ended();
    place.store.refuse = ({ path }) => {
      if (path.startsWith('conversations/conversation-') && log.state.titledBy === 'model') {
        throw diskError('EBUSY');
      }
    };
    await quiet(place);
    expect(nameOf(log)).toEqual(['Milk for Sunday', 'model', null]);
    place.store.refuse = null;
    await place.clock.advance(2 * MINUTE_MS);
    expect(nameOf(log)).toEqual(GOOD);
  });
});

describe('after a start', () => {
  it('conversations of this device without a summary or a title are found', async () => {
    const place = begin();
    const left = await place.ended();
    const done = await place.ended();
    await done.append({ type: 'summary-set', summary: 'Old.' });
    const open = await place.conversations.begin('conversation-open' as ConversationId);
    await place.answer(open, await place.ask(open, 'Hello?'), 'Yes.');
    place.background.close();
    const foreign = place.store.files.get(`conversations/${left.state.id}.jsonl`) ?? '';
    const other = 'conversation-foreign';
    place.store.files.set(
      `conversations/${other}.jsonl`,
      foreign.replaceAll(left.state.id, other).replaceAll(DEVICE, 'device-2'),
    );
    place.store.files.delete('conversations/index.jsonl');

    const next = begin({ store: place.store });
    await next.clock.advance(60 * MINUTE_MS);
    expect(next.requests).toHaveLength(3);
    expect(nameOf(await next.open(left.state.id))).toEqual(GOOD);
    expect(nameOf(await next.open(done.state.id))).toEqual([TITLE, 'model', 'Old.']);
    expect(nameOf(await next.open(open.state.id))).toEqual(TITLED);
    expect(nameOf(await next.open(other as ConversationId))).toEqual(UNNAMED);
  });

  it('at most the twenty newest conversations are named', async () => {
    const place = begin();
    const logs: ConversationLog[] = [];
    for (let n = 0; n < 25; n += 1) {
      logs.push(await place.ended(`Number ${n}`));
      await place.clock.advance(1);
    }
    place.background.close();
    const next = begin({ store: place.store });
    await next.clock.advance(60 * MINUTE_MS);
    expect(next.requests).toHaveLength(20);
    const named = await Promise.all(logs.map(({ state }) => next.open(state.id)));
    expect(named.map(({ state }) => state.summary !== null)).toEqual(logs.map((_, n) => n >= 5));
  });

  it('background tasks wait until this process is the leader', async () => {
    const place = begin({ leads: false });
    const log = await place.ended();
    await place.clock.advance(60 * MINUTE_MS);
    expect(place.requests).toEqual([]);
    place.background.start();
    await quiet(place);
    expect(nameOf(log)).toEqual(GOOD);
  });

  it('background tasks stop when closed', async () => {
    const place = begin({ answers: [hanging] });
    const log = await place.ended();
    await quiet(place);
    expect(place.requests).toHaveLength(1);
    place.background.close();
    await place.clock.advance(60 * MINUTE_MS);
    expect(place.requests).toHaveLength(1);
    expect(place.clock.pending).toBe(0);
    expect(nameOf(log)).toEqual(UNNAMED);
  });
});

function said(text: string) {
  return { role: 'user', texts: [text] } as const;
}
