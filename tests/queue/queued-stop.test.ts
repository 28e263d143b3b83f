/** "Stop" while a spoken request is queued and nothing runs. */
import { describe, expect, it } from 'vitest';
import { notificationOf } from '#voice/notifications';
import { settle } from '../builders/fake-clock';
import { diskError } from '../builders/fake-storage';
import { strideOf } from '../builders/sampled';
import { inboxOn, makeRig } from './app-on-disk';
import { heard, stage } from './command-stage';
import { DEATHS, newLife } from './killable-process';
import { signatureOf } from '../builders/fake-signer';

describe('"stop" before a spoken request has begun', () => {
  /** Its chat cannot be written, so the request stays queued. */
  async function stuck(...texts: readonly string[]) {
    const staged = await stage();
    staged.disk.store.refuse = ({ path }) => {
      if (path.startsWith('conversations/')) throw diskError('ENOSPC');
    };
    for (const text of texts) await staged.say(text);
    staged.disk.store.refuse = null;
    expect(inboxOn(staged.disk)).toHaveLength(texts.length);
    return staged;
  }

  it('a spoken request that "stop" takes back never begins, and its sender is notified', async () => {
    const { disk, rig, say, ends, list } = await stuck('Add milk');
    expect(await say('Stop')).toEqual([]);
    expect(ends()).toEqual(['Add milk: stopped']);
    const [shown] = [...disk.posted.values()].map(({ reply, request }) =>
      notificationOf(reply, { request, wireName: 'simone' }),
    );
    expect(disk.posted.size).toBe(1);
    expect([...disk.posted.keys()][0]).toMatch(/^m1 /);
    expect(shown).toMatchObject({
      title: 'Stopped: Add milk',
      body: 'It had not begun.',
    });
    await rig.idle();
    expect(list()).toBe('- bread\n');
    expect(inboxOn(disk)).toEqual([]);
  });

  it('"stop" takes back the newest of several spoken requests and says so, and then the one before', async () => {
    const { disk, say, ends } = await stuck('Add milk', 'Add eggs');
    await say('Simone, stop');
    expect(ends()).toEqual(['Add eggs: stopped']);
    expect([...disk.posted.values()].at(-1)?.reply).toMatchObject({
      end: {
        kind: 'stopped',
        reply: 'Stopped. It had not begun, and was the newest of 2 queued requests.',
      },
    });
    await say('Stop');
    expect(ends()).toEqual(['Add eggs: stopped', 'Add milk: stopped']);
    expect(heard(await say('Stop'))).toEqual(['Nothing is running.']);
  });

  it('"stop" leaves a request alone that was made after it', async () => {
    const { disk, rig, ends } = await stuck('Add milk');
    const [path = ''] = inboxOn(disk);
    void rig.runner.close();
    const saved = JSON.parse(disk.store.files.get(path)!) as { request: { request: object } };
    const time = disk.clock.now() + 60_000;
    const request = { ...saved.request, request: { ...saved.request.request, time } };
    const signature = await signatureOf(request);
    disk.store.files.set(path, JSON.stringify({ ...saved, request, signature }));
    const next = makeRig(disk);
    await next.say('m9', 'Stop');
    await next.load();
    await next.idle();
    expect(ends()).toEqual(['Add milk: completed']);
  });

  it('a typed /stop takes back the spoken request of its own chat only', async () => {
    const { disk, rig, say, type, fail, ends, release } = await stage();
    await rig.agent.settings.set({ turnsAtOnce: 1 });
    fail();
    await say('Add milk');
    fail(null);
    await disk.clock.advance(11 * 60_000);
    const { current: own, inbox } = await rig.agent.state();
    const created = await rig.agent.conversations.create();
    const other = created.ok ? created.conversation : own!.id;
    await rig.agent.conversations.create();
    await type('Slowly: think');
    await say('Slowly: Add eggs');
    await rig.agent.queue.retry(inbox[0]!.request.id);
    const before = ends();
    await rig.agent.queue.send({ text: '/stop', conversation: other });
    await rig.idleOrWaiting();
    expect(ends()).toEqual([...before, '/stop: completed']);
    await rig.agent.queue.send({ text: '/stop', conversation: own!.id });
    await rig.idleOrWaiting();
    expect(ends()).toEqual(expect.arrayContaining(['Add milk: stopped']));
    release();
    await rig.idle();
    expect(ends()).toContain('Slowly: think: completed');
    expect((await rig.agent.state()).inbox).toEqual([]);
  });

  it('a typed /stop does not stop the turn of another chat', async () => {
    const { rig, type, ends, release } = await stage();
    await type('Hello');
    const { current: first } = await rig.agent.state();
    await rig.agent.conversations.create();
    await type('Slowly: think');
    await rig.agent.queue.send({ text: '/stop', conversation: first!.id });
    await rig.idleOrWaiting();
    release();
    await rig.idle();
    expect(ends()).toContain('Slowly: think: completed');
  });

  it('"stop" takes back the queued request of a chat with another open turn', async () => {
    const { disk, rig, say, type, fail, ends, list } = await stage();
    fail();
    await say('Add milk');
    fail(null);
    const [failed] = (await rig.agent.state()).inbox;
    const { current } = await rig.agent.state();
    await rig.agent.queue.send({ text: 'Ask me', conversation: current!.id });
    await rig.idleOrWaiting();
    await rig.agent.conversations.create();
    await disk.clock.advance(11 * 60_000);
    await type('Hello');
    await rig.agent.queue.retry(failed!.request.id);
    await rig.idleOrWaiting();
    expect(heard(await say('Stop'))).toEqual(['Stopped “Add milk”. It had not begun.']);
    expect(ends()).not.toContain('Ask me: stopped');
    expect(inboxOn(disk).filter((path) => path.includes(failed!.request.id))).toEqual([]);
    expect(list()).toBe('- bread\n');
  });

  it('"stop" stops one request and runs none, wherever the process is killed', async () => {
    for (const death of DEATHS) {
      let isOver = false;
      for (let at = 0; !isOver; at += strideOf(7)) {
        const staged = await stuck('Add milk', 'Add eggs', 'Stop');
        const { disk, rig: first, ends } = staged;
        void first.runner.close();
        const life = newLife(at, death);
        const mortal = makeRig(disk, life);
        void mortal.load();
        await settle();
        await mortal.idle();
        await disk.clock.advance(1000);
        const rig = makeRig(disk);
        await rig.load();
        await rig.idle();
        const where = `${death} operation ${at}`;
        isOver = !life.isDead;
        expect(ends().toSorted(), where).toEqual(['Add eggs: stopped', 'Add milk: completed']);
        expect(inboxOn(disk), where).toEqual([]);
        void rig.runner.close();
      }
    }
  });
});
