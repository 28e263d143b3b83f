import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';
import type { Interaction } from '#model/interaction';
import { OUTBOX, createFakeConnectionRig, replyTo, type FakeConnection } from './rig';

interface SentNotification {
  readonly messageId: string;
  readonly payload: { readonly title: string; readonly body: string };
}

const notifications = (line: FakeConnection) =>
  line.responses('notification') as SentNotification[];
const bodies = (line: FakeConnection) =>
  notifications(line).map(({ payload }) => String(payload.body).replace(/\.$/, ''));

describe('A reply', () => {
  it('the bridge saves a reply to disk before sending it', async () => {
    const { bridge, start, connect, store } = createFakeConnectionRig();
    await start();
    const line = await connect();
    let before: string | undefined;
    store.refuse = () => (before ??= JSON.stringify(bodies(line)));
    await bridge.reply(replyTo('m1', 'Milk is on it.'));
    expect(before).toBe('[]');
    expect(notifications(line)).toEqual([
      {
        messageId: 'm1',
        type: 'notification',
        payload: {
          title: 'Working on: Milk is on it',
          body: 'Milk is on it.',
          priority: 'normal',
        },
      },
    ]);
  });

  it('the bridge sends unsent replies after the next registration, in order and once', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const said3 = ['One', 'Two', 'Three'].map((text) => replyTo('m1', text));
    for (const each of said3) await bridge.reply(each);
    const line = await connect();
    await clock.advance(10_000);
    expect(bodies(line)).toEqual(['One', 'Two', 'Three']);
    line.drop();
    await clock.advance(1_000);
    const next = await connect();
    await clock.advance(10_000);
    expect(bodies(next)).toEqual([]);
  });

  it('the bridge continues with the next reply after a connection breaks', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const line = await connect();
    for (const text of ['One', 'Two', 'Three']) await bridge.reply(replyTo('m1', text));
    await clock.advance(1_100);
    line.drop();
    await clock.advance(1_000);
    const next = await connect();
    await clock.advance(10_000);
    expect([...bodies(line), ...bodies(next)]).toEqual(['One', 'Two', 'Three']);
  });

  it('unsent replies survive a restart, and sent replies are not sent again', async () => {
    const store = memoryStore();
    const before = createFakeConnectionRig({ store });
    await before.start();
    const line = await before.connect();
    await before.bridge.reply(replyTo('m1', 'One'));
    await settle();
    line.drop();
    await before.bridge.reply(replyTo('m1', 'Two'));
    await before.bridge.reply(replyTo('m2', 'Three'));
    before.bridge.close();

    const after = createFakeConnectionRig({ store });
    await after.start();
    // After a crash the caller cannot know which replies were sent, so it repeats them.
    for (const text of ['One', 'Two']) await after.bridge.reply(replyTo('m1', text));
    const next = await after.connect();
    await after.clock.advance(10_000);
    expect(bodies(next)).toEqual(['Two', 'Three']);
    expect(after.problems).toEqual([]);
  });

  it('the bridge varies titles that would be the same', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const line = await connect();
    for (const key of ['a', 'b', 'c']) {
      await bridge.reply({ ...replyTo('m1', 'Milk'), key, about: key });
    }
    await clock.advance(10_000);
    expect(notifications(line).map(({ payload }) => payload.title)).toEqual([
      'Working on: Milk',
      'Again: Working on: Milk',
      'Once more: Working on: Milk',
    ]);
  });

  it('the bridge sends at most one notification per second and six ends per minute', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const line = await connect();
    const times: number[] = [];
    for (let count = 0; count < 25; count += 1)
      await bridge.reply(replyTo(`m${count}`, `${count}`));
    for (let seen = 0; seen < 25;) {
      await clock.advance(100);
      for (; seen < notifications(line).length; seen += 1) times.push(clock.now());
    }
    for (const [at, time] of times.entries()) {
      expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
      expect(time - (times[at - 6] ?? 0)).toBeGreaterThanOrEqual(60_000);
    }
    expect(bodies(line)).toEqual(Array.from({ length: 25 }, (_, at) => `${at}`));
  });

  it('the bridge does not wait for hours when the clock is set back', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const line = await connect();
    await bridge.reply(replyTo('m1', 'One'));
    clock.set(clock.now() - 36_000_000);
    await bridge.reply(replyTo('m1', 'Two'));
    await clock.advance(5_000);
    expect(bodies(line)).toEqual(['One', 'Two']);
  });

  it('the bridge keeps four of ten notifications a minute for questions', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const line = await connect();
    for (let count = 0; count < 8; count += 1) await bridge.reply(replyTo(`m${count}`, `${count}`));
    await clock.advance(20_000);
    expect(bodies(line)).toHaveLength(6);
    for (let count = 0; count < 5; count += 1) {
      const reply = { kind: 'waiting', byVoice: false, interaction: QUESTION } as const;
      await bridge.reply({ ...replyTo(`q${count}`, `ask ${count}`), reply });
    }
    await clock.advance(10_000);
    expect(
      notifications(line)
        .slice(6)
        .map(({ messageId }) => messageId),
    ).toEqual([...['q0', 'q1', 'q2', 'q3']]);
    await clock.advance(60_000);
    expect(bodies(line)).toHaveLength(13);
  });

  it('the bridge sends a question first, but not before earlier replies to the same request', async () => {
    const { bridge, start, connect, clock } = createFakeConnectionRig();
    await start();
    const question = (messageId: string) => ({
      ...replyTo(messageId, 'ask'),
      reply: {
        kind: 'waiting',
        byVoice: true,
        interaction: { ...QUESTION, text: `Which, ${messageId}?` },
      } as const,
    });
    await bridge.reply(replyTo('m1', 'First'));
    await bridge.reply(replyTo('m2', 'Second'));
    await bridge.reply(question('m2'));
    await bridge.reply(question('m3'));
    const line = await connect();
    await clock.advance(10_000);
    expect(bodies(line).map((body) => body.replace(/ Say .*/, ''))).toEqual([
      'Which, m3?',
      'Second',
      'Which, m2?',
      'First',
    ]);
  });

  it('the bridge sends a reply that could not be saved, and reports the disk error once', async () => {
    const { bridge, start, connect, clock, store, problems } = createFakeConnectionRig();
    await start();
    const line = await connect();
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await bridge.reply(replyTo('m1', 'One'));
    await bridge.reply(replyTo('m1', 'Two'));
    await clock.advance(5_000);
    expect(bodies(line)).toEqual(['One', 'Two']);
    expect(problems).toEqual([expect.stringContaining('The disk is full.')]);
  });

  it('a closed bridge does not resolve or save a reply', async () => {
    const { bridge, start, store } = createFakeConnectionRig();
    await start();
    bridge.close();
    let isKept = false;
    void bridge.reply(replyTo('m1', 'One')).then(() => (isKept = true));
    await settle();
    expect(isKept).toBe(false);
    expect(store.files.has(OUTBOX)).toBe(false);
  });

  it('the bridge throws on a reply before it is loaded', async () => {
    const { bridge, start } = createFakeConnectionRig();
    await expect(bridge.reply(replyTo('m1', 'One'))).rejects.toThrow('not loaded');
    const started = start();
    await started;
    await bridge.reply(replyTo('m1', 'One'));
  });

  it('at most 100 replies wait for SmartHole, and Obsidian shows the oldest of more', async () => {
    const { bridge, start, connect, clock, shownHere } = createFakeConnectionRig();
    await start();
    for (let count = 0; count < 130; count += 1)
      await bridge.reply(replyTo(`m${count % 60}`, `${count}`));
    const line = await connect();
    await clock.advance(3_600_000);
    const here = shownHere.map(({ body }) => Number(body));
    expect(here).toEqual(Array.from({ length: 30 }, (_, at) => at));
    const sent = bodies(line)
      .map(Number)
      .sort((a, b) => a - b);
    expect(sent).toEqual(Array.from({ length: 100 }, (_, at) => at + 30));
  });
});

describe('The outbox file', () => {
  const notification = { title: 'Done: milk', body: 'Milk is on it.', priority: 'normal' };
  const KEPT = [
    { version: 3 },
    {
      reply: {
        key: 'turn-1',
        about: 'turn-1',
        messageIds: ['m1'],
        notification,
        done: null,
        turn: null,
      },
    },
    { shown: { key: 'turn-0', about: 'turn-0', at: 5 } },
  ].map((line) => JSON.stringify(line));

  it('the outbox stores one record per line', async () => {
    const store = memoryStore({ [OUTBOX]: `${KEPT.join('\n')}\n` });
    const { bridge, start, connect, clock, problems } = createFakeConnectionRig({ store });
    await start();
    await bridge.reply({ ...replyTo('m0', 'Again'), key: 'turn-0' });
    const line = await connect();
    await clock.advance(5_000);
    expect(bodies(line)).toEqual(['Milk is on it']);
    expect(store.files.get(OUTBOX)).toBe(
      [
        { version: 3 },
        { shown: { key: 'turn-0', about: 'turn-0', at: 5 } },
        { shown: { key: 'turn-1', about: 'turn-1', at: clock.now() - 5_000 } },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    expect(problems).toEqual([]);
  });

  it('the outbox reads its second form, which also kept acks', async () => {
    const [, ...records] = KEPT;
    const text = [{ version: 2 }, { ack: 'm1' }].map((line) => JSON.stringify(line));
    const store = memoryStore({ [OUTBOX]: `${[...text, ...records].join('\n')}\n` });
    const { start, connect, clock, problems } = createFakeConnectionRig({ store });
    await start();
    const line = await connect();
    await clock.advance(5_000);
    expect(bodies(line)).toEqual(['Milk is on it']);
    expect(problems).toEqual([]);
  });

  it.each([
    ['a torn last line', `${KEPT.join('\n')}\n{"reply":{"key":"tu`],
    ['a last line torn after an ellipsis', `${KEPT.join('\n')}\n{"reply":{"title":"Milk…`],
    ['a damaged line', `${KEPT[0]}\n\u0000\u0000\n${KEPT.slice(1).join('\n')}\n`],
    ['a line of something else', `${KEPT.join('\n')}\n{"reply":{"key":1}}\n[]\nnull\n7\n`],
    ['a later version', KEPT.join('\n').replace('"version":3', '"version":4')],
  ])('the outbox loses only the damaged records: %s', async (_, text) => {
    const store = memoryStore({ [OUTBOX]: text });
    const { start, connect, clock, problems } = createFakeConnectionRig({ store });
    await start();
    const line = await connect();
    await clock.advance(5_000);
    expect(bodies(line)).toEqual(['Milk is on it']);
    expect(problems).toEqual([expect.stringContaining(`${OUTBOX}.aside`)]);
    expect(store.files.get(`${OUTBOX}.aside`)).toBe(text);
  });

  it('the outbox does not overwrite a file that could not be read', async () => {
    const store = memoryStore({ [OUTBOX]: `${KEPT.join('\n')}\n` });
    store.unreadable.set(OUTBOX, diskError('EBUSY'));
    const { bridge, start, connect, problems } = createFakeConnectionRig({ store });
    await start();
    const line = await connect();
    await bridge.reply(replyTo('m2', 'Fresh'));
    expect(bodies(line)).toEqual(['Fresh']);
    expect(store.files.get(OUTBOX)).toBe(`${KEPT.join('\n')}\n`);
    expect(problems).toHaveLength(1);
  });
});

const QUESTION = {
  id: 'interaction-1',
  turn: 'turn-1',
  call: 'call-1',
  asked: 0,
  expires: 0,
  kind: 'question',
  text: '',
  choices: [],
  allowFreeText: true,
} as unknown as Interaction & { kind: 'question' };
