import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { testClock } from '#tests/builders/fake-clock';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { RawClient } from '#tests/builders/smarthole-client';

const running: FakeSmartHole[] = [];
const clients: RawClient[] = [];

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await Promise.all(running.splice(0).map((each) => each.close()));
});

async function startFake() {
  const clock = testClock();
  const hole = await FakeSmartHole.start({ clock });
  running.push(hole);
  const connect = async (answersPings = true) => {
    const client = await RawClient.connect(hole, answersPings);
    clients.push(client);
    return client;
  };
  const registered = async (name: string) => {
    const client = await connect();
    await client.register(name);
    return client;
  };
  return { hole, clock, connect, registered };
}

/** Resolves when the server has received everything sent before on this connection. */
async function heard(client: RawClient): Promise<void> {
  let isBack = false;
  client.socket.once('pong', () => (isBack = true));
  client.socket.ping();
  await client.until(() => isBack);
}

describe('a registration', () => {
  it.each([
    [{ name: '1st', description: 'x' }, 'INVALID_NAME'],
    [{ name: 'a b', description: 'x' }, 'INVALID_NAME'],
    [{ name: 'a'.repeat(65), description: 'x' }, 'INVALID_NAME'],
    [{ name: 'a', description: '  ' }, 'INVALID_DESCRIPTION'],
    [{ name: 'a', description: 'x'.repeat(1_025) }, 'INVALID_DESCRIPTION'],
    [{ name: 'a' }, 'VALIDATION_ERROR'],
    [{ name: 'a', description: 'x', version: 1 }, 'VALIDATION_ERROR'],
    [{ name: 'a', description: 'x', capabilities: [1] }, 'VALIDATION_ERROR'],
    ['a', 'VALIDATION_ERROR'],
  ])('a registration with %o is rejected with %s and can be repeated', async (payload, code) => {
    const { connect, hole } = await startFake();
    const client = await connect();
    client.send('registration', payload);
    await client.until(() => client.frames.length === 1);
    expect(client.frames[0]).toMatchObject({
      type: 'registration_response',
      payload: { success: false, code },
    });
    expect(await client.register('simone')).toMatchObject({ success: true });
    expect(hole.clients).toMatchObject([{ name: 'simone' }]);
  });

  it('a registration is unique per connection and per name, with case-sensitive names', async () => {
    const { connect, registered, hole } = await startFake();
    const first = await registered('simone');
    const second = await connect();
    expect(await second.register('simone')).toMatchObject({ code: 'DUPLICATE_NAME' });
    expect(await second.register('Simone')).toMatchObject({ success: true });
    expect(await second.register('other')).toMatchObject({ code: 'ALREADY_REGISTERED' });
    first.socket.close();
    await first.until(() => hole.clients.length === 1);
    const third = await connect();
    expect(await third.register('simone')).toMatchObject({ success: true });
  });
});

describe('a delivery', () => {
  it('a delivery goes to the client named in the message, without the name, or else to a suitable client', async () => {
    const { hole, registered } = await startFake();
    const [ann, ben] = [await registered('ann'), await registered('ben')];
    hole.say('add milk');
    hole.say('BEN, add eggs', { inputMethod: 'text' });
    hole.say('Ben: add tea');
    await ben.until(() => ann.messages.length === 1 && ben.messages.length === 2);
    expect(ann.messages).toMatchObject([
      { text: 'add milk', metadata: { inputMethod: 'voice', directRouted: false } },
    ]);
    expect(ben.messages).toMatchObject([
      { text: 'add eggs', metadata: { inputMethod: 'text', directRouted: true } },
      { text: 'add tea', metadata: { inputMethod: 'voice', directRouted: true } },
    ]);
  });

  it('a message is lost while no client is connected', async () => {
    const { hole } = await startFake();
    expect(hole.say('add milk')).toBeNull();
    expect(hole.unrouted).toEqual([{ text: 'add milk', reason: 'No client is connected' }]);
  });

  it.each([
    ['ack', {}, 'acked'],
    ['reject', { reason: 'No' }, 'rejected'],
    ['reject', {}, 'rejected'],
    ['notification', { title: 'T' }, 'answered'],
    ['ack', { done: true }, 'answered'],
    ['ack', undefined, 'answered'],
    ['ack', [], 'answered'],
    ['nonsense', {}, 'answered'],
  ] as const)('a delivery answered with %s %o becomes %s', async (type, payload, state) => {
    const { hole, clock, registered } = await startFake();
    const client = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    client.respond(id, type, payload);
    await heard(client);
    await clock.advance(60_000);
    expect(hole.delivery(id)?.state).toBe(state);
  });

  it('a delivery without an answer for 30 s goes to the next client and, if that rejects it, counts as unrouted', async () => {
    const { hole, clock, registered } = await startFake();
    const [ann, ben] = [await registered('ann'), await registered('ben')];
    const first = hole.say('add milk');
    await clock.advance(29_999);
    expect(hole.deliveries).toHaveLength(1);
    await clock.advance(1);
    await ben.until(() => ben.messages.length === 1);
    expect(hole.delivery(first?.id ?? '')?.state).toBe('timed out');
    ben.respond(ben.messages[0]?.id ?? '', 'reject', { reason: 'Disk full' });
    await heard(ben);
    expect(hole.unrouted).toEqual([{ text: 'add milk', reason: 'Disk full' }]);
    expect(ann.messages).toHaveLength(1);
    // A late ack does not change the outcome.
    ann.respond(first?.id ?? '', 'ack', {});
    await heard(ann);
    expect(hole.delivery(first?.id ?? '')?.state).toBe('timed out');
  });

  it('a delivery can be rejected for five minutes after its ack', async () => {
    const { hole, clock, registered } = await startFake();
    const client = await registered('ann');
    const ids = ['one', 'two'].map((text) => hole.say(text)?.id ?? '');
    for (const id of ids) client.respond(id, 'ack', {});
    await heard(client);
    client.respond(ids[0] ?? '', 'reject', {});
    await heard(client);
    for (let minutes = 0; minutes < 5; minutes += 0.5) {
      await clock.advance(30_000);
      await heard(client);
    }
    client.respond(ids[1] ?? '', 'reject', {});
    await heard(client);
    expect(hole.deliveries.map(({ state }) => state)).toEqual(['rejected', 'acked']);
    expect(hole.unrouted).toHaveLength(1);
  });

  it('a delivery can be repeated with the same id', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    expect(hole.deliverAgain(id)).toBe(true);
    expect(hole.deliverAgain('other')).toBe(false);
    await client.until(() => client.messages.length === 2);
    expect(client.messages.map((each) => each.id)).toEqual([id, id]);
  });

  it('the last hundred deliveries can be answered over a new connection of the same client', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    const ids = Array.from({ length: 101 }, (_, at) => hole.say(`${at}`)?.id ?? '');
    client.socket.terminate();
    await client.until(() => hole.clients.length === 0);
    const other = await registered('ben');
    other.respond(ids[100] ?? '', 'ack', {});
    await heard(other);
    const next = await registered('ann');
    for (const id of [ids[0], ids[100]]) next.respond(id ?? '', 'ack', {});
    await heard(next);
    expect(hole.delivery(ids[0] ?? '')).toBeNull();
    expect(hole.deliveries.map(({ state }) => state).filter((state) => state === 'acked')).toEqual([
      'acked',
    ]);
    expect(hole.delivery(ids[100] ?? '')?.state).toBe('acked');
  });
});

describe('a notification', () => {
  async function notified(notifications: unknown[], pause = 2_000) {
    const { hole, clock, registered } = await startFake();
    const client = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    client.respond(id, 'ack', {});
    for (const each of notifications) {
      client.respond(id, 'notification', each);
      await heard(client);
      if (pause > 0) await clock.advance(pause);
    }
    return { hole, clock, client, id };
  }

  it("a notification is shown without tags and, if it has no title, with the client's name", async () => {
    const { hole } = await notified([
      { title: 'if a < b', body: 'and c > d, <done>' },
      { body: '**raw** *Markdown*' },
    ]);
    expect(hole.shown).toMatchObject([
      { title: 'if a < b', body: 'and c > d, ' },
      { title: 'ann', body: '**raw** *Markdown*' },
    ]);
  });

  it('a notification is dropped within five seconds of one with the same title, even if urgent', async () => {
    const { hole } = await notified([
      { title: 'Done', body: 'One' },
      { title: 'Done', body: 'Two', priority: 'high' },
      { title: 'Other' },
      { title: 'Done', body: 'Three' },
      { title: 'Other' },
      { title: '', body: '' },
    ]);
    expect(hole.shown.map(({ title }) => title)).toEqual(['Done', 'Other']);
    expect(hole.dropped.map(({ why }) => why)).toEqual([
      'same title',
      'same title',
      'same title',
      'empty',
    ]);
  });

  it.each([{ priority: null }, { priority: 'urgent' }, { title: null }, { body: 5 }])(
    'a notification with %o is not shown',
    async (wrong) => {
      const { hole } = await notified([{ title: 'T', body: 'B', ...wrong }]);
      expect(hole.shown).toEqual([]);
      expect(hole.violations).toHaveLength(1);
    },
  );

  it('notifications are limited per second and per minute, urgent ones come first, and at most 20 are queued', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      title: `${at}`,
      priority: at === 15 ? 'high' : 'low',
    }));
    const { hole, clock } = await notified(many, 0);
    expect(hole.shown.map(({ title }) => title)).toEqual(['0']);
    expect(hole.dropped.map(({ why }) => why)).toEqual(Array(19).fill('queue full'));
    await clock.advance(1_000);
    expect(hole.shown.map(({ title }) => title)).toEqual(['0', '15']);
    await clock.advance(58_000);
    expect(hole.shown).toHaveLength(10);
    await clock.advance(600_000);
    expect(hole.shown).toHaveLength(21);
  });

  it('a notification about an unknown message is ignored without an answer', async () => {
    const { hole, client } = await notified([]);
    await client.until(() => client.messages.length === 1);
    const { length } = client.frames;
    client.respond('other', 'notification', { title: 'T' });
    await heard(client);
    expect(hole.shown).toEqual([]);
    expect(hole.ignored).toEqual([{ client: 'ann', messageId: 'other', kind: 'notification' }]);
    expect(client.frames).toHaveLength(length);
  });

  it('a queued notification is lost when the app quits, and the limits start over', async () => {
    const { hole, clock, registered } = await startFake();
    const first = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    for (let at = 0; at < 12; at += 1) {
      first.respond(id, 'notification', { title: `${at}` });
      await heard(first);
      if (at < 10) await clock.advance(1_000);
    }
    expect(hole.shown).toHaveLength(10);
    await hole.restart();
    expect(hole.dropped.map(({ title, why }) => [title, why])).toEqual([
      ['10', 'app quit'],
      ['11', 'app quit'],
    ]);
    const next = await registered('ann');
    const again = hole.say('add eggs')?.id ?? '';
    next.respond(again, 'notification', { title: '9' });
    await heard(next);
    expect(hole.shown.at(-1)).toMatchObject({ title: '9', messageId: again });
    expect(hole.shown).toHaveLength(11);
  });
});

describe('the fake SmartHole', () => {
  it('while the fake SmartHole hangs, it delivers messages and reads no responses', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    hole.freeze(true);
    const id = hole.say('add milk')?.id ?? '';
    await client.until(() => client.messages.length === 1);
    client.respond(id, 'ack', {});
    // A new connection is accepted, and nothing on it is read either.
    const late = await RawClient.connect(hole);
    clients.push(late);
    late.send('registration', { name: 'ben', description: 'x' });
    await new Promise((resolve) => late.socket.ping(resolve));
    expect(hole.delivery(id)?.state).toBe('waiting');
    expect(hole.clients).toHaveLength(1);
    hole.freeze(false);
    await client.until(() => hole.delivery(id)?.state === 'acked' && hole.clients.length === 2);
  });

  it('notifications of another program count toward the limits of all', async () => {
    const { hole, clock, registered } = await startFake();
    const client = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    for (let at = 0; at < 10; at += 1) hole.notifyForOther(`Backup ${at}`);
    client.respond(id, 'notification', { title: 'Done' });
    await heard(client);
    await clock.advance(50_000);
    expect(hole.shown.map(({ title }) => title)).not.toContain('Done');
    await clock.advance(20_000);
    expect(hole.shown.at(-1)).toMatchObject({ title: 'Done', client: 'ann' });
  });

  it('the fake SmartHole pings every 30 s and drops clients that do not answer', async () => {
    const { clock, connect } = await startFake();
    const [alive, dead] = [await connect(), await connect(false)];
    for (const pings of [1, 2, 3]) {
      await clock.advance(30_000);
      await alive.until(() => alive.pings === pings);
      await heard(alive);
    }
    await dead.until(() => dead.closed !== null);
    expect(dead.closed).toBe(1006);
    expect(dead.pings).toBe(1);
    expect(alive.closed).toBeNull();
  });

  it('a name held by a client that no longer answers is free again within a minute', async () => {
    const { hole, clock, connect } = await startFake();
    const stale = await connect(false);
    await stale.register('simone');
    const next = await connect();
    expect(await next.register('simone')).toMatchObject({ code: 'DUPLICATE_NAME' });
    for (const pings of [1, 2]) {
      await clock.advance(30_000);
      await next.until(() => next.pings === pings);
      await heard(next);
    }
    await next.until(() => hole.clients.length === 0);
    expect(await next.register('simone')).toMatchObject({ success: true });
  });

  it('the fake SmartHole closes a connection after a frame larger than 1 MiB', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    const other = await registered('ben');
    client.socket.send('x'.repeat(1_048_577));
    await client.until(() => client.closed !== null);
    expect(client.closed).toBe(1009);
    other.socket.send(`"${'x'.repeat(1_048_574)}"`);
    await heard(other);
    expect(other.closed).toBeNull();
    expect(hole.clients).toHaveLength(1);
  });

  it('the fake SmartHole accepts at most a hundred connections', async () => {
    const { connect } = await startFake();
    await Promise.all(Array.from({ length: 100 }, () => connect()));
    const socket = (await connect()).socket;
    expect(socket.readyState).not.toBe(WebSocket.OPEN);
  });

  it('the fake SmartHole closes connections with 1001 on restart, keeps its port and forgets deliveries', async () => {
    const { hole, registered, connect } = await startFake();
    const client = await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    const { port } = hole;
    await hole.restart();
    await client.until(() => client.closed !== null);
    expect(client.closed).toBe(1001);
    expect(hole.port).toBe(port);
    expect(hole.clients).toEqual([]);
    const next = await connect();
    await next.register('ann');
    next.respond(id, 'notification', { title: 'Done' });
    await heard(next);
    expect(hole.shown).toEqual([]);
    expect(hole.ignored).toMatchObject([{ messageId: id }]);
  });

  it('`cut` ends connections without a close frame', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    hole.cut();
    await client.until(() => client.closed !== null);
    expect(client.closed).toBe(1006);
    expect(await (await registered('ann')).register('x')).toMatchObject({
      code: 'ALREADY_REGISTERED',
    });
  });

  it('the fake SmartHole reports a null payload, which would crash the real app', async () => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    client.send('response', null);
    await client.until(() => client.closed !== null);
    expect(hole.violations).toEqual(['ann: a payload is null: the app would have ended']);
    await registered('ann');
    expect(hole.clients).toHaveLength(1);
  });

  it.each([
    ['{"type":', 'no JSON'],
    ['[]', 'no object'],
    ['{"type":"hello"}', 'of type "hello"'],
    ['{"type":"response","payload":{"messageId":7}}', 'names no message'],
    ['{"type":"response","payload":{"messageId":"m","type":"ack"}}', 'inner payload is missing'],
    [
      '{"type":"response","payload":{"messageId":"m","type":"ack","payload":null}}',
      'inner payload is missing',
    ],
  ])('the fake SmartHole does not answer %s and records a violation', async (frame, fault) => {
    const { hole, registered } = await startFake();
    const client = await registered('ann');
    client.socket.send(frame);
    client.socket.send(Buffer.from('{}'), { binary: true });
    await heard(client);
    expect(hole.violations).toEqual([expect.stringContaining(fault), 'ann: a frame is not text']);
    expect(client.frames).toHaveLength(1);
    expect(client.closed).toBeNull();
  });

  it('the fake SmartHole ignores responses of unregistered clients', async () => {
    const { hole, connect, registered } = await startFake();
    await registered('ann');
    const id = hole.say('add milk')?.id ?? '';
    const stranger = await connect();
    stranger.respond(id, 'ack', {});
    await heard(stranger);
    expect(hole.violations).toEqual(['not registered: a response before a registration']);
    expect(hole.delivery(id)?.state).toBe('waiting');
  });

  it('the fake SmartHole logs frames in both directions', async () => {
    const { hole, registered } = await startFake();
    await registered('ann');
    hole.say('add milk');
    expect(hole.log.map(({ from, client }) => [from, client])).toEqual([
      ['client', null],
      ['server', 'ann'],
      ['server', 'ann'],
    ]);
  });
});
