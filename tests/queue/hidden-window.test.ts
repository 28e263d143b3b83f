/**
 * With a hidden window: no animation frames, and timers fire only on the full minute. A spoken
 * request must still be accepted, run despite a busy model and a broken connection, and reported.
 */
import { expect, test } from 'vitest';
import type { Clock } from '#ports/clock';
import { Bridge, type BridgeDeps } from '#voice/bridge';
import { settle, testClock, type TestClock } from '../builders/fake-clock';
import { answers, call, fails, says, scriptedModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { FakeConnection, SETTINGS } from '../voice/rig';
import { type Disk, makeRig } from './app-on-disk';

const MINUTE_MS = 60_000;
const SIX_MINUTES = 6 * MINUTE_MS;

/** Timers and delays of a hidden window, which fire only on the full minute. */
function hiddenClock(clock: TestClock): Clock {
  const stretched = (milliseconds: number) => {
    const due = clock.now() + milliseconds;
    return Math.ceil(due / MINUTE_MS) * MINUTE_MS - clock.now();
  };
  return {
    ...clock,
    after: (milliseconds, callback) => clock.after(stretched(milliseconds), callback),
    sleep: (milliseconds, signal) => clock.sleep(stretched(milliseconds), signal),
  };
}

test('a spoken request is done and reported within six minutes in a hidden window', async () => {
  const time = testClock({ start: 1_800_000_000_000 });
  const clock = hiddenClock(time);
  const store = memoryStore();
  const vault = tinyVault({ 'Shopping.md': '- bread\n' });
  const model = scriptedModel(
    fails('overloaded'),
    answers([
      call('edit_file', { path: 'Shopping.md', edits: [{ position: 'end', content: '- milk' }] }),
    ]),
    fails('network'),
    says('Milk is on the list.'),
  );
  const lines: FakeConnection[] = [];
  const open: BridgeDeps['open'] = (url, events) => {
    const line = new FakeConnection(url, events, new Map(), () => time.now());
    lines.push(line);
    return line;
  };
  const voice: NonNullable<Disk['voice']> = {
    post: (messageIds, said) => bridge.reply({ ...said, messageIds }),
    drop: (abouts) => bridge.drop(abouts),
    shownFor: (about) => bridge.shownFor(about),
  };
  const rig = makeRig({ store, vault, clock: { ...time, ...clock }, model, voice });
  const shownHere: string[] = [];
  const bridge = new Bridge({
    ...{ open, clock, store, outboxPath: 'outbox.jsonl' },
    isListening: async () => true,
    show: ({ title }) => shownHere.push(title),
    report: () => undefined,
  });
  await bridge.load(SETTINGS);
  bridge.start(async ({ id, text }) => {
    const taken = await rig.say(id, text);
    return taken.ok ? 'ack' : { reject: taken.reason };
  });
  await rig.load();
  const connect = () => {
    lines.at(-1)!.open();
    lines.at(-1)!.accept();
  };
  connect();

  const began = time.now();
  lines[0]!.deliver('m1', 'Add milk');
  await rig.idleOrWaiting();
  expect(lines[0]!.responses('ack')).toHaveLength(1);
  expect(time.now()).toBe(began);

  await time.advance(MINUTE_MS);
  await rig.idleOrWaiting();
  expect(vault.texts.get('Shopping.md')).toBe('- bread\n- milk\n');
  lines[0]!.drop();
  while (time.now() - began < SIX_MINUTES && lines.at(-1)!.responses('notification').length === 0) {
    const before = lines.length;
    await time.advance(MINUTE_MS);
    await rig.idleOrWaiting();
    if (lines.length > before) connect();
    await settle();
  }
  const told = lines.flatMap((line) => line.responses('notification'));
  expect(told).toMatchObject([{ messageId: 'm1', payload: { title: 'Done: Add milk' } }]);
  expect(shownHere).toEqual([]);
  expect(time.now() - began).toBeLessThan(SIX_MINUTES);
  expect(vault.texts.get('Shopping.md')).toBe('- bread\n- milk\n');
  bridge.close();
  void rig.runner.close();
});
