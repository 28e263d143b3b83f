/**
 * Fuzz tests: random and damaged frames over real sockets in both directions, and random sequences
 * of connection events.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { settle, testClock } from '../builders/fake-clock';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { RawClient } from '#tests/builders/smarthole-client';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { NODE_CLOCK, readResponse } from '#workbench/smarthole/wire';
import { webSockets } from '#voice/connection';
import { damagedFrames } from './damaged-frames';
import {
  createFakeConnectionRig,
  createBridgeRig,
  replyTo,
  until,
  type FakeConnectionRig,
  type Rig,
} from './rig';

const many = { timeout: CASES_TIMEOUT_MS };

const fromServer = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    payload: fc.record({
      id: fc.uuid(),
      text: fc.string(),
      timestamp: fc.date({ noInvalidDate: true }).map((date) => date.toJSON()),
      metadata: fc.record({ inputMethod: fc.constant('voice'), directRouted: fc.boolean() }),
    }),
  }),
  fc.record({
    type: fc.constant('registration_response'),
    payload: fc.record({ success: fc.boolean(), code: fc.string(), message: fc.string() }),
  }),
);

/** Ids acked by these frames; fails if a frame from the bridge is malformed. */
function acksIn(frames: readonly { readonly type: string; readonly payload: unknown }[]): string[] {
  return frames.flatMap(({ type, payload }) => {
    const response = type === 'response' ? readResponse(payload) : null;
    if (type !== 'registration') expect(response).not.toBeNull();
    expect(response?.kind).not.toBe('faulty');
    return response?.kind === 'ack' ? [response.messageId] : [];
  });
}

describe('Damaged frames from SmartHole', () => {
  let hole: FakeSmartHole;
  let made: Rig;

  beforeAll(async () => {
    const { now } = testClock();
    hole = await FakeSmartHole.start({ clock: { ...NODE_CLOCK, now } });
    made = createBridgeRig({
      open: webSockets(WebSocket),
      onMessage: async ({ text }) => (text.length % 2 === 0 ? 'ack' : { reject: 'Odd.' }),
    });
    await made.start({ port: hole.port });
    await until(() => made.bridge.state.kind === 'connected');
  });

  afterAll(async () => {
    made.bridge.close();
    await hole.close();
  });

  it(
    'the bridge survives damaged frames, acks only messages that were saved, and serves the next one',
    many,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(damagedFrames(fromServer), { minLength: 1, maxLength: 4 }),
          async (frames) => {
            const { length } = made.taken;
            const logged = hole.log.length;
            const before = hole.log.at(-1);
            for (const frame of frames) hole.sendRaw(frame);
            const id = hole.say('even')?.id ?? '';
            await until(() => hole.delivery(id)?.state === 'acked');
            const sent = hole.log.slice(before ? hole.log.lastIndexOf(before) + 1 : logged);
            const answers = sent.flatMap(({ from, frame }) =>
              from === 'client' ? [JSON.parse(frame) as { type: string; payload: unknown }] : [],
            );
            const saved = made.taken.slice(length).filter(({ text }) => text.length % 2 === 0);
            expect(acksIn(answers).sort()).toEqual(saved.map((message) => message.id).sort());
            expect(made.bridge.state.kind).toBe('connected');
            expect(made.problems).toEqual([]);
            expect(hole.violations).toEqual([]);
          },
        ),
        cases,
      );
    },
  );
});

describe('Damaged frames from a client', () => {
  let hole: FakeSmartHole;
  beforeAll(async () => {
    hole = await FakeSmartHole.start();
  });
  afterAll(() => hole.close());

  it(
    'the fake SmartHole survives damaged frames, accepts only a valid ack, and serves the next message',
    many,
    async () => {
      const response = fc.record({
        type: fc.constant('response'),
        payload: fc.record({
          messageId: fc.constant('ID'),
          type: fc.constantFrom('ack', 'reject', 'notification'),
          payload: fc.constantFrom(
            {},
            { title: 'T', body: 'B', priority: 'high' },
            { reason: 'No' },
          ),
        }),
      });
      const registration = fc.record({
        type: fc.constant('registration'),
        payload: fc.record({ name: fc.constantFrom('ann', 'simone'), description: fc.string() }),
      });
      let wild = await RawClient.connect(hole);
      await wild.register('wild');
      await fc.assert(
        fc.asyncProperty(
          fc.array(damagedFrames(fc.oneof(response, registration)), { minLength: 1, maxLength: 4 }),
          async (drafts) => {
            const id = hole.say('Wild, add milk')?.id ?? '';
            const frames = drafts.map((draft) => draft.replaceAll('"ID"', JSON.stringify(id)));
            for (const frame of frames) wild.socket.send(frame);
            // The fake closes the connection after a frame that would have crashed the real
            // SmartHole.
            const isDeadly = frames.some((frame) => payloadIsNull(frame));
            if (isDeadly) {
              await until(() => wild.closed !== null);
              wild = await RawClient.connect(hole);
              await wild.register('wild');
            } else {
              await heard(wild);
              const delivery = hole.delivery(id);
              expect(delivery?.state === 'acked').toBe(isAcked(frames, id));
            }
            const next = hole.say('Wild, add eggs')?.id ?? '';
            wild.respond(next, 'ack', {});
            await until(() => hole.delivery(next)?.state === 'acked');
          },
        ),
        cases,
      );
      wild.socket.terminate();
    },
  );
});

async function heard(client: RawClient): Promise<void> {
  let isBack = false;
  client.socket.once('pong', () => (isBack = true));
  client.socket.ping();
  await until(() => isBack || client.closed !== null);
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

function payloadIsNull(frame: string): boolean {
  const value = parsed(frame) as { payload?: unknown } | null | undefined;
  return typeof value === 'object' && value !== null && value.payload === null;
}

/** A reject takes back an ack, and an ack does not take back a reject. */
function isAcked(frames: readonly string[], id: string): boolean {
  const kinds = frames.map((frame) => responseKind(frame, id));
  return kinds.includes('ack') && !kinds.includes('reject');
}

/** Independent definition of a valid ack and a valid reject; null for anything else. */
function responseKind(frame: string, id: string): 'ack' | 'reject' | null {
  const value = parsed(frame) as
    | {
        type?: unknown;
        payload?: { messageId?: unknown; type?: unknown; payload?: unknown } | null;
      }
    | null
    | undefined;
  if (value?.type !== 'response' || value.payload?.messageId !== id) return null;
  const { type, payload } = value.payload;
  if (type === 'ack') return JSON.stringify(payload) === '{}' ? 'ack' : null;
  if (type !== 'reject' || typeof payload !== 'object' || payload === null) return null;
  if (Array.isArray(payload)) return null;
  const { reason } = payload as { reason?: unknown };
  return reason === undefined || typeof reason === 'string' ? 'reject' : null;
}

type Happening = (played: FakeConnectionRig & { readonly given: Set<string> }) => unknown;

const accept: Happening = ({ wire: { last } }) => {
  if (last.registrations.length > 0) last.accept();
};

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  fc.constantFrom<Happening>(
    ({ wire }) => wire.last.open(),
    accept,
    accept,
    ({ wire }) => wire.last.drop(),
    ({ wire }) => wire.quit(),
    ({ wire }) => wire.crash(),
    ({ wire }) => wire.last.refuse('DUPLICATE_NAME'),
    ({ wire }) => wire.last.refuse('INVALID_NAME'),
    ({ wire }) => wire.last.refuse('ALREADY_REGISTERED'),
    ({ bridge }) => bridge.retry(),
    ({ change }) => change({ enabled: false }),
    ({ change }) => change({ enabled: true }),
    ({ change }) => change({ wireName: 'mary' }),
    ({ change }) => change({ wireName: 'not a name' }),
    ({ change }) => change({ wireName: '' }),
    ({ clock }) => clock.sleepThrough(600_000),
    ({ wire }) => (wire.last.closesImmediately = false),
  ),
  fc.constantFrom(1, 1_000, 10_000, 30_000, 60_000).map((time): Happening => {
    return ({ clock }) => clock.advance(time);
  }),
  damagedFrames(fromServer).map(
    (frame): Happening =>
      ({ wire }) =>
        wire.last.receiveRaw(frame),
  ),
  fc.constantFrom('m1', 'm2', 'm3').map(
    (id): Happening =>
      ({ wire }) =>
        wire.last.deliver(id, id),
  ),
  fc.tuple(fc.constantFrom('m1', 'm2'), fc.nat({ max: 20 })).map(([id, count]): Happening => {
    const body = `Reply ${count}`;
    return ({ bridge, given, taken }) => {
      // A reply to a message that was never delivered cannot be shown.
      if (!taken.some((message) => message.id === id)) return;
      given.add(body);
      return bridge.reply({ ...replyTo(id, body), key: body });
    };
  }),
);

describe('Random events of connections and settings', () => {
  it(
    'the bridge keeps at most one connection, acks every saved message, and gets every reply shown once',
    many,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(happenings, { maxLength: 40 }), async (each) => {
          const played = { ...createFakeConnectionRig(), given: new Set<string>() };
          const { bridge, wire, clock, change, taken, given } = played;
          await played.start();
          for (const happens of each) {
            await happens(played);
            await settle();
            const wanted = wire.lines.filter(
              ({ isClosed, isCloseRequested }) => !isClosed && !isCloseRequested,
            );
            expect(wanted.length).toBeLessThanOrEqual(1);
          }
          // From here on the connection works.
          change({ enabled: true, wireName: 'healed' });
          while (bridge.state.kind !== 'connected' || bridge.state.name !== 'healed') {
            const { last } = wire;
            if (!last.isClosed && last.registrations.length === 0) last.open();
            last.accept();
            await clock.advance(1_000);
          }
          wire.last.deliver('at last', 'add milk');
          await clock.advance(300_000);
          const acks = new Set(acksIn(wire.lines.flatMap(({ sent }) => sent)));
          expect(acks).toEqual(new Set(taken.map(({ id }) => id)));
          expect(acks).toContain('at last');
          const here = played.shownHere.map(({ body }) => body.replace(/\.$/, ''));
          const bodies = [...wire.lines.flatMap(({ shown }) => shown), ...here];
          expect(bodies.sort()).toEqual([...given].sort());
          bridge.close();
          await clock.advance(60_000);
          expect(clock.pending).toBe(0);
        }),
        cases,
      );
    },
  );
});
