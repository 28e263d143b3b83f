/** Every reply is shown once: by SmartHole while it knows the message, and otherwise by Obsidian. */
import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { memoryStore } from '../builders/fake-storage';
import type { BridgeReply } from '#voice/bridge';
import { createFakeConnectionRig, type FakeConnectionRig, replyTo, sleepyClock } from './rig';

interface Sent {
  readonly messageId: string;
  readonly payload: { readonly title: string; readonly body: string };
}

const sent = ({ wire }: FakeConnectionRig) =>
  wire.lines.flatMap((line) => line.responses('notification') as Sent[]);
const shown = ({ wire }: FakeConnectionRig) => wire.lines.flatMap((line) => line.shown);
const titles = (rig: FakeConnectionRig) => sent(rig).map(({ payload }) => payload.title);
const here = ({ shownHere }: FakeConnectionRig) => shownHere.map(({ title }) => title);

function doneReply(messageId: string, request: string): BridgeReply {
  const end = { kind: 'completed', outcome: 'done', reply: `I did ${request}.` } as const;
  return { ...replyTo(messageId, request), reply: { kind: 'end', end }, request };
}

/** Connected to a SmartHole that has delivered these messages. */
async function connected(...ids: string[]) {
  const rig = createFakeConnectionRig();
  await rig.start();
  const line = await rig.connect();
  for (const id of ids) line.deliver(id, `request ${id}`);
  await settle();
  return { rig, line };
}

/** After the next attempt to connect. */
async function reconnect(rig: FakeConnectionRig) {
  await rig.clock.advance(2_000);
  return rig.connect();
}

describe('a reply to several messages', () => {
  it('a reply to several messages is sent to the newest of them only', async () => {
    const { rig } = await connected('m1', 'm2', 'm3');
    await rig.bridge.reply({ ...replyTo('', 'Done'), messageIds: ['m1', 'm3', 'm2'] });
    await rig.clock.advance(60_000);
    expect(sent(rig)).toMatchObject([{ messageId: 'm3', payload: { body: 'Done.' } }]);
    expect(here(rig)).toEqual([]);
  });

  it('a reply to a message from before a restart and to one from after it goes to the latter', async () => {
    const { rig } = await connected('m1');
    rig.wire.quit();
    const line = await reconnect(rig);
    line.deliver('m2', 'Blue');
    await settle();
    await rig.bridge.reply({ ...replyTo('', 'Done'), messageIds: ['m1', 'm2'] });
    await rig.clock.advance(60_000);
    expect(line.shown).toEqual(['Done']);
    expect(here(rig)).toEqual([]);
  });
});

describe('a reply that SmartHole cannot show', () => {
  it.each(['quit', 'crash'] as const)(
    'a reply is shown by Obsidian after a %s of SmartHole, at once and only there',
    async (how) => {
      const { rig } = await connected('m1');
      rig.wire[how]();
      await settle();
      await rig.bridge.reply(replyTo('m1', 'Milk'));
      expect(here(rig)).toEqual(['Working on: Milk']);
      await reconnect(rig);
      await rig.clock.advance(60_000);
      expect(sent(rig)).toEqual([]);
      expect(here(rig)).toHaveLength(1);
    },
  );

  it('a reply that waits for the connection is shown by Obsidian when nothing listens any more', async () => {
    const { rig, line } = await connected('m1');
    line.drop();
    await settle();
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    expect(here(rig)).toEqual([]);
    await rig.clock.advance(2_000);
    rig.wire.last.drop();
    expect(here(rig)).toEqual(['Working on: Milk']);
  });

  it('a reply that waits for its turn is shown by Obsidian when SmartHole quits', async () => {
    const { rig } = await connected('m1', 'm2');
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    await settle();
    await rig.bridge.reply(replyTo('m2', 'Eggs'));
    rig.wire.quit();
    await settle();
    expect(shown(rig)).toEqual(['Milk']);
    expect(here(rig)).toEqual(['Working on: Eggs']);
  });

  it('a reply is shown by Obsidian after a hundred newer deliveries', async () => {
    const newer = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const { rig } = await connected('m1', ...newer);
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    await rig.bridge.reply(replyTo('n0', 'Eggs'));
    await settle();
    expect(here(rig)).toEqual(['Working on: Milk']);
    expect(sent(rig)).toMatchObject([{ messageId: 'n0' }]);
  });

  it.each([{ wireName: 'mary' }, { port: 9999 }, { enabled: false }])(
    'a reply is shown by Obsidian after a change of the settings: %o',
    async (changed) => {
      const { rig } = await connected('m1');
      rig.change(changed);
      await settle();
      await rig.bridge.reply(replyTo('m1', 'Milk'));
      expect(here(rig)).toEqual(['Working on: Milk']);
    },
  );

  it('a reply is still sent to SmartHole after another description and after a cut connection', async () => {
    const { rig } = await connected('m1');
    rig.change({ description: 'Other.' });
    await settle();
    const line = await rig.connect();
    line.drop();
    await reconnect(rig);
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    await settle();
    expect(shown(rig)).toEqual(['Milk']);
    expect(here(rig)).toEqual([]);
  });

  it('a reply is shown by Obsidian at once while another program has the name', async () => {
    const { rig, line } = await connected('m1');
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    line.drop();
    await rig.clock.advance(2_000);
    rig.wire.last.open();
    rig.wire.last.refuse('DUPLICATE_NAME');
    await rig.bridge.reply({ ...replyTo('m1', 'Eggs'), key: 'later' });
    expect(here(rig)).toEqual(['Working on: Eggs']);
    rig.wire.last.accept();
    await settle();
    await rig.bridge.reply({ ...replyTo('m1', 'Tea'), key: 'last' });
    await rig.clock.advance(5_000);
    expect(shown(rig)).toEqual(['Milk', 'Tea']);
    expect(here(rig)).toHaveLength(1);
  });

  it('a reply names the turns that it is about, so that the chat can say why SmartHole was silent', async () => {
    const { rig } = await connected('m1');
    rig.wire.quit();
    const turn = { conversation: 'c1', turn: 't1' } as unknown as BridgeReply['turn'];
    await rig.bridge.reply({ ...replyTo('m1', 'Milk'), turn });
    expect(rig.shownHere).toMatchObject([{ turns: [turn] }]);
  });
});

describe('a reply after a restart of Parley', () => {
  async function restarted(away: number) {
    const store = memoryStore();
    const clock = sleepyClock();
    const before = createFakeConnectionRig({ store, clock });
    await before.start();
    (await before.connect()).deliver('m1', 'add milk');
    await settle();
    await clock.advance(600_000);
    before.bridge.close();
    await settle();
    await clock.advance(away);
    const after = createFakeConnectionRig({ store, clock });
    await after.start();
    await after.bridge.reply(replyTo('m1', 'Milk'));
    return after;
  }

  it('a reply goes to SmartHole when Parley was away for a moment', async () => {
    const rig = await restarted(20_000);
    const line = await rig.connect();
    expect(sent(rig)).toMatchObject([{ messageId: 'm1' }]);
    expect(line.isClosed).toBe(false);
    expect(here(rig)).toEqual([]);
  });

  it('a reply is shown by Obsidian when nothing listens at the first attempt', async () => {
    const rig = await restarted(20_000);
    rig.wire.last.drop();
    expect(here(rig)).toEqual(['Working on: Milk']);
  });
});

describe('what was shown', () => {
  it('a reply that waits because of the rate limit counts as shown when it is sent', async () => {
    const { rig } = await connected('m1');
    for (let count = 0; count < 6; count += 1) {
      await rig.bridge.reply(replyTo('m1', `Reply ${count}`));
      await rig.clock.advance(1_100);
    }
    await rig.bridge.reply({ ...replyTo('m1', 'Which?'), about: 'question-1' });
    await rig.clock.advance(30_000);
    expect(rig.bridge.shownFor('question-1')).toBeNull();
    await rig.clock.advance(30_000);
    expect(rig.bridge.shownFor('question-1')).not.toBeNull();
  });

  it('a reply that Obsidian showed counts as shown', async () => {
    const { rig } = await connected('m1');
    rig.wire.quit();
    await rig.bridge.reply({ ...replyTo('m1', 'Which?'), about: 'question-1' });
    expect(rig.bridge.shownFor('question-1')).toBe(0);
  });

  it('a reply that is dropped before it was sent is never shown', async () => {
    const { rig, line } = await connected('m1');
    line.drop();
    await rig.bridge.reply({ ...replyTo('m1', 'Which?'), about: 'question-1' });
    await rig.bridge.reply(replyTo('m1', 'Milk'));
    await rig.bridge.drop(['question-1']);
    await reconnect(rig);
    await rig.clock.advance(60_000);
    expect(shown(rig)).toEqual(['Milk']);
  });
});

describe('titles', () => {
  it('a title varies only if it was used within two minutes', async () => {
    const { rig } = await connected('m1');
    for (const pause of [50_000, 119_000, 121_000, 0]) {
      await rig.bridge.reply({ ...replyTo('m1', 'Milk'), key: `${pause}` });
      await rig.clock.advance(pause);
    }
    await settle();
    expect(titles(rig)).toEqual([
      'Working on: Milk',
      'Again: Working on: Milk',
      'Working on: Milk',
      'Working on: Milk',
    ]);
  });
});

describe('many requests that were done', () => {
  const requests = ['milk', 'eggs', 'bread', 'tea', 'salt', 'rice', 'soap', 'jam'];

  it('the oldest of more than five waiting notifications are shown as one', async () => {
    const { rig, line } = await connected(...requests);
    line.drop();
    for (const each of requests) await rig.bridge.reply(doneReply(each, `add ${each}`));
    await reconnect(rig);
    await rig.clock.advance(60_000);
    expect(
      sent(rig).map(({ messageId, payload: { title, body } }) => [messageId, title, body]),
    ).toEqual([
      ['tea', 'Done: 4 requests', 'Add milk. Add eggs. Add bread. Add tea.'],
      ['salt', 'Done: add salt', 'I did add salt.'],
      ['rice', 'Done: add rice', 'I did add rice.'],
      ['soap', 'Done: add soap', 'I did add soap.'],
      ['jam', 'Done: add jam', 'I did add jam.'],
    ]);
    for (const each of requests) {
      expect(rig.bridge.shownFor(doneReply(each, `add ${each}`).about)).not.toBeNull();
    }
  });

  it('five waiting notifications, answers and failures are shown one by one', async () => {
    const { rig, line } = await connected(...requests);
    line.drop();
    for (const each of requests.slice(0, 5)) {
      await rig.bridge.reply(doneReply(each, `add ${each}`));
    }
    for (const each of requests.slice(5)) {
      const { reply, ...rest } = doneReply(each, `what about ${each}`);
      await rig.bridge.reply({ ...rest, reply: { ...reply, title: 'answer' } as typeof reply });
    }
    await reconnect(rig);
    await rig.clock.advance(120_000);
    expect(titles(rig)).toEqual([
      ...requests.slice(0, 5).map((each) => `Done: add ${each}`),
      ...requests.slice(5).map((each) => `Answer: what about ${each}`),
    ]);
  });

  it('Obsidian shows the oldest of more than five as one, too', async () => {
    const { rig, line } = await connected(...requests);
    line.drop();
    await settle();
    for (const each of requests) await rig.bridge.reply(doneReply(each, `add ${each}`));
    await rig.clock.advance(2_000);
    rig.wire.last.drop();
    expect(here(rig)).toEqual([
      'Done: 4 requests',
      ...requests.slice(4).map((each) => `Done: add ${each}`),
    ]);
  });
});
