/**
 * Stop and Discard at the same moment as the queue moves on: a returned request never runs, and a
 * running one is never returned.
 */
import { describe, expect, it } from 'vitest';
import type { ConversationId, RequestId } from '#model/ids';
import { testClock } from '../builders/fake-clock';
import { fails, says, thinkingModel } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, inboxOn, makeRig, type Disk } from './app-on-disk';
import { DEATHS, newLife } from './killable-process';

function newDisk(): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault({}),
    clock: testClock(),
    model: thinkingModel(() => says('Yes.')),
  };
}

async function queued(count: number) {
  const disk = newDisk();
  const rig = makeRig(disk);
  await rig.load();
  const entries: RequestId[] = [];
  for (let at = 0; at < count; at += 1) {
    const asked = await rig.agent.queue.send({ text: `Request ${at}`, when: 'after' });
    if (asked.ok) entries.push(asked.request);
  }
  return { disk, rig, entries };
}

const ran = (disk: Disk) =>
  eventsOn(disk, 'turn-start').map(({ request: inbound }) => inbound.text);

describe('while the queue moves on', () => {
  it('a request returned by Stop does not run', async () => {
    const { disk, rig } = await queued(30);
    const stopped = await rig.agent.queue.stop();
    const returned = stopped.ok ? stopped.returned : [];
    await rig.idle();
    expect(returned.length).toBeGreaterThan(0);
    expect(ran(disk).filter((text) => returned.includes(text))).toEqual([]);
    expect([...ran(disk), ...returned].sort()).toEqual(
      Array.from({ length: 30 }, (_, at) => `Request ${at}`).sort(),
    );
    expect(inboxOn(disk)).toEqual([]);
  });

  it.each(DEATHS)(
    'a message that Stop returns is a draft or runs, and never both, killed %s any operation',
    async (death) => {
      for (let at = 0; ; at += strideOf(3)) {
        const { disk, rig: first } = await queued(3);
        void first.runner.close();
        const life = newLife(at, death);
        const mortal = makeRig(disk, life);
        void mortal.load().then(() => mortal.agent.queue.stop());
        await mortal.idleOrWaiting();
        const rig = makeRig(disk);
        await rig.load();
        await rig.idle();
        const drafts = [...(await rig.agent.composer.drafts()).values()].map(({ text }) => text);
        const kept = drafts.flatMap((text) => text.split('\n\n'));
        expect([...ran(disk), ...kept].sort(), `operation ${at}`).toEqual([
          'Request 0',
          'Request 1',
          'Request 2',
        ]);
        expect(inboxOn(disk)).toEqual([]);
        if (!life.isDead) break;
      }
    },
  );

  it.each(['retry', 'discard'] as const)(
    'the user can %s a request the moment its turn is seen to fail',
    async (act) => {
      let isDown = true;
      const disk = {
        ...newDisk(),
        model: thinkingModel(() => (isDown ? fails('key') : says('Yes.'))),
      };
      const rig = makeRig(disk);
      await rig.load();
      const sent = await rig.agent.queue.send({ text: 'Request' });
      const { request } = sent as { request: RequestId };
      const acted = new Promise<unknown>((resolve) => {
        rig.agent.subscribe((event) => {
          if (event.type !== 'turn-end' || event.end.kind !== 'failed') return;
          isDown = false;
          resolve(rig.agent.queue[act](request));
        });
      });
      expect(await acted).toMatchObject({ ok: true });
      await rig.idle();
      expect(ran(disk)).toHaveLength(act === 'retry' ? 2 : 1);
      expect(inboxOn(disk)).toEqual([]);
    },
  );

  it.each([2, 5])(
    'a stopped turn is continued once, even if %i views continue it at once',
    async (count) => {
      const { disk, rig } = await queued(1);
      const ended = new Promise<string>((resolve) => {
        rig.agent.subscribe((event) => {
          if (event.type === 'turn-end') resolve(event.conversation);
        });
      });
      await rig.agent.queue.stop();
      const conversation = (await ended) as ConversationId;
      const [turn] = eventsOn(disk, 'turn-start').map(({ turn: id }) => id);
      if (!turn) throw new Error('No turn began.');
      const goOn = () => rig.agent.queue.send({ text: 'Continue.', conversation, continues: turn });
      const sent = await Promise.all(Array.from({ length: count }, goOn));
      await rig.idle();
      expect([...sent, await goOn()].filter(({ ok }) => ok)).toHaveLength(1);
      expect(ran(disk)).toEqual(['Request 0', 'Continue.']);
      expect(inboxOn(disk)).toEqual([]);
    },
  );

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34])(
    'a message stopped %i steps after it is sent is a draft or stopped, and never runs on',
    async (steps) => {
      const disk = newDisk();
      const rig = makeRig(disk);
      await rig.load();
      const sent = await rig.agent.queue.send({ text: 'Request' });
      const { request } = sent as { request: RequestId };
      for (let at = 0; at < steps; at += 1) await Promise.resolve();
      const stopped = await rig.agent.queue.stopRequest(request, null);
      await rig.idle();
      const ends = eventsOn(disk, 'turn-end').map(({ end }) => end.kind);
      const returned = stopped.ok ? stopped.returned : [];
      expect([...returned, ...ends]).toEqual([expect.stringMatching(/^Request$|^stopped$/)]);
      expect(inboxOn(disk)).toEqual([]);
    },
  );

  it('a discarded request does not run', async () => {
    const { disk, rig, entries } = await queued(30);
    const discarded = await Promise.all(entries.map((entry) => rig.agent.queue.discard(entry)));
    await rig.idle();
    const gone = discarded.flatMap(({ ok }, at) => (ok ? [`Request ${at}`] : []));
    expect(gone.length).toBeGreaterThan(0);
    expect(ran(disk).filter((text) => gone.includes(text))).toEqual([]);
    expect(ran(disk)).toHaveLength(30 - gone.length);
  });

  it('a request of another device is left alone', async () => {
    const { disk, rig } = await queued(1);
    await rig.idle();
    void rig.runner.close();
    const inbound = {
      ...{ id: 'request-foreign', time: 1, text: 'Elsewhere', source: 'typed' },
      ...{ conversation: null, attachments: [], reply: { to: 'chat' } },
    };
    const entry = { device: 'device-2', inbound, attempts: 0, firstFailed: null, state: 'queued' };
    const saved = JSON.stringify({ version: 1, entry });
    disk.store.files.set('inbox/request-foreign.json', saved);
    const next = makeRig(disk);
    await next.load();
    await next.agent.queue.send({ text: 'Here' });
    await next.agent.queue.stop();
    await next.idle();
    expect(await next.agent.queue.discard('request-foreign' as RequestId)).toMatchObject({
      ok: false,
    });
    expect(await next.agent.queue.retry('request-foreign' as RequestId)).toMatchObject({
      ok: false,
    });
    expect(disk.store.files.get('inbox/request-foreign.json')).toBe(saved);
  });
});
