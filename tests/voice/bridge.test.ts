import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { SETTINGS, createFakeConnectionRig } from './rig';

const NAMED = { name: 'simone', description: SETTINGS.description };
const CONNECTED = { kind: 'connected', name: 'simone' };

describe('The bridge', () => {
  it('the bridge does not connect while it is disabled', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start({ enabled: false });
    await clock.advance(600_000);
    expect(bridge.state).toEqual({ kind: 'off' });
    expect(wire.lines).toEqual([]);
  });

  it('the bridge registers when the connection opens, and reports each state', async () => {
    const { start, states, wire } = createFakeConnectionRig();
    await start();
    expect(wire.last.url).toBe('ws://127.0.0.1:9473');
    wire.last.open();
    expect(wire.last.sent).toEqual([{ type: 'registration', payload: NAMED }]);
    wire.last.accept();
    expect(states).toEqual([{ kind: 'connecting', tries: 0 }, CONNECTED]);
  });

  it('the bridge retries forever, 1 to 30 s apart, while SmartHole is unreachable', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    const waits: number[] = [];
    for (let tries = 1; tries <= 40; tries += 1) {
      wire.last.drop();
      expect(bridge.state).toEqual({ kind: 'connecting', tries });
      const since = clock.now();
      while (wire.lines.length === tries) await clock.advance(500);
      waits.push(clock.now() - since);
    }
    expect(waits.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  });

  it('the bridge starts again with short delays after a stable connection', async () => {
    const { bridge, start, wire, clock, connect } = createFakeConnectionRig();
    await start();
    for (let tries = 1; tries <= 6; tries += 1) {
      wire.last.drop();
      while (wire.lines.length === tries) await clock.advance(500);
    }
    const line = await connect();
    await clock.advance(30_000);
    line.drop();
    expect(bridge.state).toEqual({ kind: 'connecting', tries: 1 });
    await clock.advance(1_000);
    expect(wire.lines).toHaveLength(8);
  });

  it('the bridge waits longer each time a connection is accepted and dropped immediately', async () => {
    const { start, wire, clock, connect } = createFakeConnectionRig();
    await start();
    const waits: number[] = [];
    for (let lines = 1; lines <= 5; lines += 1) {
      (await connect()).drop();
      const since = clock.now();
      while (wire.lines.length === lines) await clock.advance(500);
      waits.push(clock.now() - since);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000]);
  });

  it('a stable connection resets the delays caused by dropped connections', async () => {
    const { start, wire, clock, connect } = createFakeConnectionRig();
    await start();
    for (const held of [0, 0, 0, 30_000, 0]) {
      const line = await connect();
      const { length } = wire.lines;
      await clock.advance(held);
      line.drop();
      while (wire.lines.length === length) await clock.advance(100);
    }
    (await connect()).drop();
    const since = clock.now();
    while (wire.lines.length === 6) await clock.advance(100);
    expect(clock.now() - since).toBe(2_000);
  });

  it('the bridge gives up on a connection that is not opened or answered within 10 s', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    await clock.advance(9_999);
    expect(bridge.state).toEqual({ kind: 'connecting', tries: 0 });
    await clock.advance(1);
    expect(bridge.state).toEqual({ kind: 'connecting', tries: 1 });
    await clock.advance(1_000);
    wire.last.open();
    await clock.advance(10_000);
    expect(bridge.state).toEqual({ kind: 'connecting', tries: 2 });
    expect(wire.lines.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it('the bridge connects immediately when the user retries', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    wire.last.drop();
    bridge.retry();
    expect(wire.lines).toHaveLength(2);
    bridge.retry();
    await clock.advance(5_000);
    expect(wire.lines).toHaveLength(2);
  });

  it('closing the bridge ends its connection and timers without reporting a state', async () => {
    const { bridge, start, states, wire, clock, connect } = createFakeConnectionRig();
    await start();
    const line = await connect();
    states.length = 0;
    bridge.close();
    await clock.advance(120_000);
    expect(line.isClosed).toBe(true);
    expect(bridge.state).toEqual({ kind: 'off' });
    expect(states).toEqual([]);
    expect(wire.lines).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('a bridge that is closed while it starts does not connect', async () => {
    const { bridge, start, wire } = createFakeConnectionRig();
    const started = start();
    bridge.close();
    await started;
    expect(wire.lines).toEqual([]);
  });
});

describe('A name or description that SmartHole rejects', () => {
  it.each([
    ['wake word', { wireName: 'miss simone' }],
    ['wake word', { wireName: 'Élise' }],
    ['wake word', { wireName: 'x'.repeat(56) }],
    ['description', { description: '  \n' }],
    ['description', { description: 'x'.repeat(1_025) }],
    ['port', { port: 0 }],
    ['port', { port: 70_000 }],
  ])('the bridge does not connect with an invalid %s', async (word, settings) => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start(settings);
    await clock.advance(600_000);
    expect(bridge.state).toMatchObject({ kind: 'refused', retryAt: null });
    expect(JSON.stringify(bridge.state)).toContain(word);
    expect(wire.lines).toEqual([]);
  });

  it.each(['INVALID_NAME', 'INVALID_DESCRIPTION', 'VALIDATION_ERROR'])(
    'the bridge does not retry after %s until the settings change',
    async (code) => {
      const { bridge, start, change, wire, clock } = createFakeConnectionRig();
      await start();
      wire.last.open();
      wire.last.refuse(code, 'No.');
      await clock.advance(3_600_000);
      expect(bridge.state).toMatchObject({ kind: 'refused', retryAt: null });
      expect(wire.lines).toHaveLength(1);
      expect(wire.last.isClosed).toBe(true);
      change({ wireName: 'mary' });
      expect(bridge.state).toEqual({ kind: 'connecting', tries: 0 });
      wire.last.open();
      wire.last.accept();
      expect(bridge.state).toEqual({ kind: 'connected', name: 'mary' });
    },
  );

  it('the bridge connects when the settings replace an invalid description', async () => {
    const { bridge, start, change, connect } = createFakeConnectionRig();
    await start({ description: '' });
    change({ description: 'I keep notes.' });
    const line = await connect();
    expect(bridge.state).toEqual(CONNECTED);
    expect(line.registrations).toEqual([{ name: 'simone', description: 'I keep notes.' }]);
  });
});

describe('A name that another client has registered', () => {
  it('the bridge retries the name slowly on the same connection, and reports why', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    wire.last.open();
    wire.last.refuse('DUPLICATE_NAME');
    expect(bridge.state).toMatchObject({ kind: 'refused', retryAt: clock.now() + 15_000 });
    expect(JSON.stringify(bridge.state)).toMatch(/simone.*wake word/);
    await clock.advance(15_000);
    expect(wire.last.registrations).toEqual([NAMED, NAMED]);
    wire.last.refuse('DUPLICATE_NAME');
    await clock.advance(59_999);
    expect(wire.last.registrations).toHaveLength(2);
    await clock.advance(1);
    wire.last.accept();
    expect(bridge.state).toEqual(CONNECTED);
    expect(wire.lines).toHaveLength(1);
  });

  it('the bridge retries the name no sooner when SmartHole closes the connection each time', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    for (const lines of [1, 2, 3]) {
      wire.last.open();
      wire.last.refuse('DUPLICATE_NAME');
      wire.last.drop();
      expect(bridge.state).toMatchObject({ kind: 'refused' });
      await clock.advance(lines === 1 ? 14_999 : 59_999);
      expect(wire.lines).toHaveLength(lines);
      await clock.advance(1);
    }
    expect(wire.lines).toHaveLength(4);
  });

  it('the bridge registers immediately when the user sets another name', async () => {
    const { bridge, start, change, wire, connect } = createFakeConnectionRig();
    await start();
    wire.last.open();
    wire.last.refuse('DUPLICATE_NAME');
    change({ wireName: 'mary' });
    await settle();
    await connect();
    expect(bridge.state).toEqual({ kind: 'connected', name: 'mary' });
  });

  it('the bridge requests the name again when the user retries', async () => {
    const { bridge, start, wire } = createFakeConnectionRig();
    await start();
    wire.last.open();
    wire.last.refuse('DUPLICATE_NAME');
    bridge.retry();
    expect(wire.last.registrations).toHaveLength(2);
  });

  it('the bridge opens a new connection when SmartHole says that this one is already registered', async () => {
    const { bridge, start, wire, clock, connect } = createFakeConnectionRig();
    await start();
    wire.last.open();
    wire.last.refuse('ALREADY_REGISTERED');
    await clock.advance(1_000);
    expect(wire.lines).toHaveLength(2);
    await connect();
    expect(bridge.state).toEqual(CONNECTED);
  });

  it('the bridge retries after an unknown error code', async () => {
    const { bridge, start, wire, clock } = createFakeConnectionRig();
    await start();
    wire.last.open();
    wire.last.refuse('TOO_MANY_CLIENTS', 'Come back later.');
    expect(bridge.state).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Come back later.') as string,
      retryAt: clock.now() + 15_000,
    });
  });
});

describe('A change of settings', () => {
  it('the bridge keeps its connection when the change does not affect the registration', async () => {
    const { start, change, wire, states, connect } = createFakeConnectionRig();
    await start();
    await connect();
    states.length = 0;
    change({ assistantName: 'Dr. Simone' });
    change({ wireName: 'simone' });
    await settle();
    expect(wire.lines).toHaveLength(1);
    expect(states).toEqual([]);
  });

  it.each([
    [{ wireName: 'mary' }, { name: 'mary' }],
    [{ assistantName: 'Mary' }, { name: 'mary' }],
    [{ description: 'Other.' }, { description: 'Other.' }],
    [{ port: 9999 }, {}],
  ])(
    'the bridge opens a new connection when the change affects the registration: %o',
    async (changed, seen) => {
      const { bridge, start, change, wire, connect } = createFakeConnectionRig();
      await start();
      const old = await connect();
      change(changed);
      expect(bridge.state).toEqual({ kind: 'connecting', tries: 0 });
      await settle();
      const line = await connect();
      expect(old.isClosed).toBe(true);
      expect(line.registrations).toEqual([{ ...NAMED, ...seen }]);
      expect(bridge.state).toMatchObject({ kind: 'connected' });
      expect(wire.lines).toHaveLength(2);
    },
  );

  it('the bridge waits up to 2 s for the old connection to close, so that the name is free', async () => {
    const { start, change, wire, clock, connect } = createFakeConnectionRig();
    await start();
    const old = await connect();
    old.closesImmediately = false;
    change({ description: 'One.' });
    change({ description: 'Two.' });
    await clock.advance(1_999);
    expect(wire.lines).toHaveLength(1);
    await clock.advance(1);
    expect(wire.lines).toHaveLength(2);
    wire.last.open();
    expect(wire.last.registrations).toEqual([{ ...NAMED, description: 'Two.' }]);
    old.deliver('m1', 'Late');
    await settle();
    expect(old.responses('ack')).toEqual([]);
  });

  it('the bridge disconnects and reconnects when it is disabled and enabled', async () => {
    const { bridge, start, change, states, clock, connect } = createFakeConnectionRig();
    await start();
    await connect();
    change({ enabled: false });
    await clock.advance(60_000);
    change({ enabled: true });
    await connect();
    expect(states.slice(2)).toEqual([{ kind: 'off' }, { kind: 'connecting', tries: 0 }, CONNECTED]);
    expect(bridge.state).toEqual(CONNECTED);
  });
});
