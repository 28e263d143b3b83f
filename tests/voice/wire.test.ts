/** The bridge and the fake SmartHole over a real socket. */
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { settle } from '../builders/fake-clock';
import { memoryStore, type MemoryStore } from '../builders/fake-storage';
import { RawClient } from '#tests/builders/smarthole-client';
import { FakeSmartHole, type FakeSmartHoleOptions } from '#workbench/smarthole/fake-smarthole';
import { NODE_CLOCK, type SmartHoleClock } from '#workbench/smarthole/wire';
import type { IntakeReply, TakeMessage } from '#voice/bridge';
import { webSockets } from '#voice/connection';
import { createBridgeRig, replyTo, until, type Rig } from './rig';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The time of day of the last bridge; timers run in real time. */
let timeOfDay = () => Date.now();
const CLOCK: SmartHoleClock = { ...NODE_CLOCK, now: () => timeOfDay() };

async function startFake(options: FakeSmartHoleOptions = {}): Promise<FakeSmartHole> {
  const hole = await FakeSmartHole.start({ clock: CLOCK, ...options });
  ends.push(() => hole.close());
  return hole;
}

function bridgeTo(
  hole: FakeSmartHole,
  options: { onMessage?: TakeMessage; store?: MemoryStore } = {},
): Rig & { begin(): Promise<void>; connected(): Promise<void> } {
  const made = createBridgeRig({ open: webSockets(WebSocket), ...options });
  ends.push(() => made.bridge.close());
  timeOfDay = () => made.clock.now();
  const connected = () => until(() => made.bridge.state.kind === 'connected');
  return Object.assign(made, {
    connected,
    begin: () => made.start({ port: hole.port }),
  });
}

/** Lets the bridge reconnect. */
async function reconnected({ bridge, clock }: Rig): Promise<void> {
  await until(() => bridge.state.kind === 'connecting');
  await clock.advance(2_000);
  await until(() => bridge.state.kind === 'connected');
}

describe('The bridge over a real socket', () => {
  it('the bridge accepts a spoken request, acks it, and sends its reply', async () => {
    const hole = await startFake();
    const { bridge, begin, connected, taken } = bridgeTo(hole);
    await begin();
    await connected();
    expect(hole.clients).toMatchObject([
      { name: 'simone', description: 'I manage personal notes.' },
    ]);
    const delivery = hole.say('Simone, add milk');
    const id = delivery?.id ?? '';
    await until(() => hole.delivery(id)?.state === 'acked');
    expect(taken).toMatchObject([
      { id, text: 'add milk', routing: { inputMethod: 'voice', directRouted: true } },
    ]);
    await bridge.reply({
      ...replyTo(id, ''),
      request: 'add milk',
      reply: {
        kind: 'end',
        end: { kind: 'completed', outcome: 'done', reply: '**Milk** is <on>.' },
      },
    });
    await until(() => hole.shown.length === 1);
    expect(hole.shown).toMatchObject([
      { title: 'Done: add milk', body: 'Milk is on.', client: 'simone', messageId: id },
    ]);
    expect(hole.violations).toEqual([]);
  });

  it('the bridge connects when SmartHole starts later', async () => {
    const hole = await startFake();
    await hole.close();
    const made = bridgeTo(hole);
    await made.begin();
    await until(() => made.states.length === 2);
    await made.clock.advance(1_000);
    await until(() => made.states.length === 3);
    expect(made.states).toEqual([0, 1, 2].map((tries) => ({ kind: 'connecting', tries })));
    await hole.open();
    await made.clock.advance(4_000);
    await made.connected();
    expect(made.problems).toEqual([]);
  });

  it('Obsidian shows the reply to a message from before a restart of SmartHole', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole);
    await made.begin();
    await made.connected();
    const forgotten = hole.say('add milk')?.id ?? '';
    await until(() => hole.delivery(forgotten)?.state === 'acked');
    await hole.close();
    await until(() => made.bridge.state.kind === 'connecting');
    await hole.open();
    await made.bridge.reply(replyTo(forgotten, 'Milk'));
    expect(made.shownHere).toMatchObject([{ title: 'Working on: Milk', body: 'Milk.' }]);
    await reconnected(made);
    const id = hole.say('add eggs')?.id ?? '';
    await until(() => hole.delivery(id)?.state === 'acked');
    await made.bridge.reply(replyTo(id, 'Eggs'));
    await made.clock.advance(5_000);
    await until(() => hole.shown.length === 1);
    expect(hole.shown).toMatchObject([{ body: 'Eggs.' }]);
    expect(made.shownHere).toHaveLength(1);
    expect(hole.ignored.map(({ kind }) => kind)).not.toContain('notification');
    expect(hole.violations).toEqual([]);
  });

  it('the bridge loses no ack when the connection breaks while a message is saved', async () => {
    const hole = await startFake();
    let save = (_: IntakeReply) => {};
    const onMessage = () => new Promise<IntakeReply>((resolve) => (save = resolve));
    const made = bridgeTo(hole, { onMessage });
    await made.begin();
    await made.connected();
    const id = hole.say('add milk')?.id ?? '';
    await until(() => made.taken.length === 1);
    hole.cut();
    await until(() => made.bridge.state.kind === 'connecting');
    save('ack');
    await settle();
    expect(hole.delivery(id)?.state).toBe('waiting');
    await reconnected(made);
    await until(() => hole.delivery(id)?.state === 'acked');
    expect(hole.violations).toEqual([]);
  });

  it('the bridge passes on and acks a message twice when it is delivered twice', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole);
    await made.begin();
    await made.connected();
    const id = hole.say('add milk')?.id ?? '';
    await until(() => hole.delivery(id)?.state === 'acked');
    hole.deliverAgain(id);
    expect(hole.delivery(id)?.state).toBe('waiting');
    await until(() => hole.delivery(id)?.state === 'acked');
    expect(made.taken).toHaveLength(2);
  });

  it('SmartHole gets the reason of a rejected message and can route it elsewhere', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole, { onMessage: async () => ({ reject: 'Disk full.' }) });
    await made.begin();
    await made.connected();
    hole.say('add milk');
    await until(() => hole.unrouted.length === 1);
    expect(hole.unrouted).toEqual([{ text: 'add milk', reason: 'Disk full.' }]);
  });

  it('the bridge sends unsent replies after the next registration, in order and once', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole);
    await made.begin();
    await made.connected();
    const ids = ['one', 'two', 'three'].map((text) => hole.say(text)?.id ?? '');
    await until(() => ids.every((id) => hole.delivery(id)?.state === 'acked'));
    hole.cut();
    await until(() => made.bridge.state.kind === 'connecting');
    for (const [at, id] of ids.entries()) await made.bridge.reply(replyTo(id, `Reply ${at}`));
    await reconnected(made);
    for (let count = 1; count <= ids.length; count += 1) {
      await until(() => hole.deliveries.length > 0 && sentBodies(hole).length === count);
      await made.clock.advance(1_100);
    }
    await made.clock.advance(60_000);
    hole.cut();
    await reconnected(made);
    const late = hole.say('four')?.id ?? '';
    await until(() => hole.delivery(late)?.state === 'acked');
    expect(sentBodies(hole)).toEqual(['Reply 0.', 'Reply 1.', 'Reply 2.']);
    expect(hole.dropped).toEqual([]);
    expect(hole.violations).toEqual([]);
  });

  it('the bridge sends replies that a previous run saved', async () => {
    const hole = await startFake();
    const store = memoryStore();
    const before = bridgeTo(hole, { store });
    await before.begin();
    await before.connected();
    const id = hole.say('add milk')?.id ?? '';
    await until(() => hole.delivery(id)?.state === 'acked');
    hole.cut();
    await until(() => before.bridge.state.kind === 'connecting');
    await before.bridge.reply(replyTo(id, 'Milk is on it.'));
    before.bridge.close();

    const after = bridgeTo(hole, { store });
    await after.begin();
    await until(() => hole.shown.length === 1);
    expect(hole.shown).toMatchObject([{ body: 'Milk is on it.', messageId: id }]);
  });

  it('the bridge registers a taken name once it is free, or another name immediately', async () => {
    const hole = await startFake();
    const twin = await RawClient.connect(hole);
    ends.push(() => twin.socket.terminate());
    await twin.register('simone');
    const made = bridgeTo(hole);
    await made.begin();
    await until(() => made.bridge.state.kind === 'refused');
    expect(made.bridge.state).toMatchObject({
      reason: 'Another program is registered with SmartHole as "simone".',
    });
    made.change({ wireName: 'mary' });
    await made.connected();
    made.change({ wireName: 'simone' });
    await until(() => made.bridge.state.kind === 'refused');
    twin.socket.terminate();
    await until(() => hole.clients.length === 0);
    await made.clock.advance(15_000);
    await made.connected();
    expect(hole.clients).toMatchObject([{ name: 'simone' }]);
  });

  it('the bridge finds its name free after a change of settings and after a reload', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole);
    await made.begin();
    await made.connected();
    for (const description of ['One.', 'Two.', 'Three.']) {
      made.change({ description });
      await made.connected();
      expect(hole.clients).toMatchObject([{ name: 'simone', description }]);
    }
    made.bridge.close();
    await until(() => hole.clients.length === 0);
    const reloaded = bridgeTo(hole);
    await reloaded.begin();
    await reloaded.connected();
    expect([...made.states, ...reloaded.states].map(({ kind }) => kind)).not.toContain('refused');
  });

  it('the bridge moves to another SmartHole when the port changes', async () => {
    const [one, two] = [await startFake(), await startFake()];
    const made = bridgeTo(one);
    await made.begin();
    await made.connected();
    made.change({ port: two.port });
    await until(() => two.clients.length === 1);
    expect(one.clients).toEqual([]);
  });

  it('closing the bridge disconnects it from SmartHole', async () => {
    const hole = await startFake();
    const made = bridgeTo(hole);
    await made.begin();
    await made.connected();
    made.bridge.close();
    await until(() => hole.clients.length === 0);
    expect(made.problems).toEqual([]);
  });

  it('the bridge keeps retrying when the browser blocks the port', async () => {
    const hole = await startFake();
    class Refusing {
      readonly readyState = 3;
      constructor() {
        throw new DOMException('not this port', 'SecurityError');
      }
      addEventListener() {}
      send() {}
      close() {}
    }
    const made = createBridgeRig({ open: webSockets(Refusing) });
    await made.start({ port: hole.port });
    await settle();
    expect(made.bridge.state).toEqual({ kind: 'connecting', tries: 1 });
    made.bridge.close();
  });
});

/** Bodies of all notifications that arrived, shown or not. */
function sentBodies(hole: FakeSmartHole): string[] {
  return hole.log.flatMap(({ from, frame }) => {
    if (from !== 'client') return [];
    const { payload } = JSON.parse(frame) as {
      payload: { type?: string; payload?: { body?: string } };
    };
    return payload.type === 'notification' ? [payload.payload?.body ?? ''] : [];
  });
}
