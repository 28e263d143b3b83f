import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import type { IntakeReply } from '#voice/bridge';
import { OUTBOX, createFakeConnectionRig } from './rig';

const ack = (messageId: string) => ({ messageId, type: 'ack', payload: {} });
const reject = (messageId: string, reason: string) => ({
  messageId,
  type: 'reject',
  payload: { reason },
});

/** An `onMessage` whose replies the test resolves itself. */
function manualSaving() {
  const waiting: { id: string; signal: AbortSignal; end(answer: IntakeReply): Promise<void> }[] =
    [];
  return {
    waiting,
    onMessage: ({ id }: { id: string }, signal: AbortSignal) =>
      new Promise<IntakeReply>((resolve) => {
        waiting.push({
          id,
          signal,
          async end(answer) {
            resolve(answer);
            await settle();
          },
        });
      }),
  };
}

describe('A message', () => {
  it('the bridge passes on a message with all of its fields', async () => {
    const { start, taken, connect } = createFakeConnectionRig();
    await start();
    const line = await connect();
    line.receive('message', {
      id: 'not-a-uuid',
      text: 'add milk',
      timestamp: '2027-01-15T07:59:59.500Z',
      metadata: {
        inputMethod: 'text',
        directRouted: true,
        routingReason: 'Notes.',
        confidence: 0.75,
      },
    });
    expect(taken).toEqual([
      {
        id: 'not-a-uuid',
        text: 'add milk',
        sent: Date.UTC(2027, 0, 15, 7, 59, 59, 500),
        routing: {
          inputMethod: 'text',
          directRouted: true,
          routingReason: 'Notes.',
          confidence: 0.75,
        },
      },
    ]);
  });

  it('the bridge acks a message only after it is saved', async () => {
    const saving = manualSaving();
    const { start, connect, clock } = createFakeConnectionRig(saving);
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    await clock.advance(19_000);
    expect(line.sent).toHaveLength(1);
    await saving.waiting[0]?.end('ack');
    await clock.advance(60_000);
    expect(line.sent.slice(1)).toEqual([{ type: 'response', payload: ack('m1') }]);
  });

  it('the bridge rejects a message with a reason when it could not be saved', async () => {
    const { start, connect } = createFakeConnectionRig({
      onMessage: async () => ({ reject: 'Disk full.' }),
    });
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    await settle();
    expect(line.sent.slice(1)).toEqual([{ type: 'response', payload: reject('m1', 'Disk full.') }]);
  });

  it.each([0, 10_000])(
    'the bridge rejects a message for good when it is not saved 25 s after SmartHole sent it, %i ms ago',
    async (age) => {
      const saving = manualSaving();
      const { start, connect, clock, store } = createFakeConnectionRig(saving);
      await start();
      const line = await connect();
      line.deliver('m1', 'add milk', age);
      await clock.advance(24_999 - age);
      expect(line.responses('reject')).toEqual([]);
      await clock.advance(1);
      const rejected = [reject('m1', 'Saving the request took too long.')];
      expect(line.responses('reject')).toEqual(rejected);
      expect(saving.waiting[0]?.signal.aborted).toBe(true);
      await saving.waiting[0]?.end('ack');
      await clock.advance(60_000);
      expect(line.sent).toHaveLength(2);
      expect(store.files.has(OUTBOX)).toBe(false);
    },
  );

  it('the bridge rejects a message that SmartHole has given away, and does not pass it on', async () => {
    const { start, connect, taken } = createFakeConnectionRig();
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk', 25_000);
    line.deliver('m2', 'add eggs', 24_000);
    await settle();
    expect(line.responses('reject')).toEqual([reject('m1', 'The message came too late.')]);
    expect(taken.map(({ id }) => id)).toEqual(['m2']);
  });

  it('the bridge passes on a duplicate that arrives after saving', async () => {
    const { start, connect, taken } = createFakeConnectionRig();
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    await settle();
    line.deliver('m1', 'add milk');
    await settle();
    expect(taken).toHaveLength(2);
    expect(line.responses('ack')).toHaveLength(2);
  });

  it('the bridge ignores messages before the registration and after it is closed', async () => {
    const { bridge, start, wire, taken } = createFakeConnectionRig();
    await start();
    const line = wire.last;
    line.open();
    line.deliver('m1', 'early');
    line.accept();
    bridge.close();
    line.deliver('m2', 'late');
    await settle();
    expect(taken).toEqual([]);
    expect(line.responses('ack')).toEqual([]);
  });

  it('the bridge rejects a malformed message if it has an id, and passes none on', async () => {
    const { start, connect, taken } = createFakeConnectionRig();
    await start();
    const line = await connect();
    line.receive('message', { id: 'm1', text: '  ' });
    line.receive('message', { id: 'm2' });
    line.receive('message', { id: '', text: 'x' });
    line.receive('message', { id: { toString: 'm3' }, text: 'x' });
    line.receive('message', null);
    await settle();
    expect(line.responses('reject')).toEqual([
      reject('m1', 'The message has no text.'),
      reject('m2', 'The message has no text.'),
    ]);
    expect(line.sent).toHaveLength(3);
    expect(taken).toEqual([]);
  });
});

describe('An ack', () => {
  it('the bridge sends an unsent ack after the next registration', async () => {
    const saving = manualSaving();
    const { start, connect, clock } = createFakeConnectionRig(saving);
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    line.drop();
    await saving.waiting[0]?.end('ack');
    expect(line.responses('ack')).toEqual([]);
    await clock.advance(1_000);
    const next = await connect();
    expect(next.sent.map(({ type }) => type)).toEqual(['registration', 'response']);
    expect(next.responses('ack')).toEqual([ack('m1')]);
  });

  it('the bridge sends an ack over the current connection', async () => {
    const saving = manualSaving();
    const { start, connect, clock } = createFakeConnectionRig(saving);
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    line.drop();
    await clock.advance(1_000);
    const next = await connect();
    await saving.waiting[0]?.end('ack');
    expect(next.responses('ack')).toEqual([ack('m1')]);
  });

  it('the bridge repeats an ack that may have been lost with its connection while SmartHole waits for it', async () => {
    const { start, connect, clock } = createFakeConnectionRig();
    await start();
    let line = await connect();
    line.deliver('m1', 'add milk');
    await clock.advance(5_000);
    line.drop();
    await clock.advance(1_000);
    line = await connect();
    expect(line.responses('ack')).toEqual([ack('m1')]);
    await clock.advance(30_000);
    line.drop();
    await clock.advance(2_000);
    expect((await connect()).responses('ack')).toEqual([]);
  });

  it('the bridge acks messages that were found saved at load', async () => {
    const { bridge, start, connect } = createFakeConnectionRig();
    await start();
    bridge.ack('m1');
    expect((await connect()).responses('ack')).toEqual([ack('m1')]);
  });

  it('a closed bridge sends and saves no ack', async () => {
    const saving = manualSaving();
    const { bridge, start, connect, store, clock } = createFakeConnectionRig(saving);
    await start();
    const line = await connect();
    line.deliver('m1', 'add milk');
    bridge.close();
    await clock.advance(60_000);
    expect(saving.waiting[0]?.signal.aborted).toBe(false);
    await saving.waiting[0]?.end('ack');
    expect(line.responses('ack')).toEqual([]);
    expect(store.files.size).toBe(0);
  });
});
