/** "Stop everything": all turns and all that is queued, in every chat. */
import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { strideOf } from '../builders/sampled';
import { eventsOn, inboxOn, makeRig } from './app-on-disk';
import { heard, stage } from './command-stage';
import { DEATHS, newLife } from './killable-process';

describe('"stop everything"', () => {
  it('it stops typed and spoken turns and what is queued, and says so in one sentence', async () => {
    const staged = await stage();
    const { say, ends, rig, release, disk, list } = staged;
    const chat = await staged.typeInNewChat('Slowly: plan');
    await rig.agent.queue.send({ text: 'Add milk', conversation: chat, when: 'after' });
    await staged.typeInNewChat('Ask me');
    await say('Slowly: think');
    await say('Add eggs');
    const before = disk.posted.size;
    expect(heard(await say('Simone, stop everything'))).toEqual([
      'Stopped “Slowly: plan”, “Add milk”, “Ask me”, “Slowly: think”, and “Add eggs”.',
    ]);
    expect(disk.posted.size).toBe(before + 1);
    release();
    await rig.idle();
    expect(ends().toSorted()).toEqual([
      'Add eggs: stopped',
      'Add milk: stopped',
      'Ask me: stopped',
      'Simone, stop everything: completed',
      'Slowly: plan: stopped',
      'Slowly: think: stopped',
    ]);
    expect(inboxOn(disk)).toEqual([]);
    expect(list()).toBe('- bread\n');
  });

  it('it stops a paused turn and an answered one that waits for a slot', async () => {
    const staged = await stage();
    const { say, ends, rig } = staged;
    await rig.agent.settings.set({ turnsAtOnce: 1 });
    const asking = await staged.typeInNewChat('Ask me');
    await staged.typeInNewChat('Slowly: think');
    const { interactions } = await rig.agent.state();
    expect(interactions.map(({ conversation }) => conversation)).toEqual([asking]);
    await rig.agent.queue.answer({ choice: 'Undo it' });
    expect(heard(await say('Cancel all requests'))).toEqual([
      'Stopped “Ask me” and “Slowly: think”.',
    ]);
    expect(ends().slice(0, 2).toSorted()).toEqual(['Ask me: stopped', 'Slowly: think: stopped']);
  });

  it('a spoken turn that ends meanwhile is reported once, as it ended', async () => {
    const kinds = new Set<string | undefined>();
    for (let looks = 0; looks < 40; looks += 2) {
      const { say, rig, release, disk, ends } = await stage();
      await say('Slowly: Add milk');
      release();
      for (let look = 0; look < looks; look += 1) await settle();
      await rig.say('m8', 'Stop everything');
      await rig.idle();
      const kind = ends().find((end) => end.startsWith('Slowly'));
      const replies = [...disk.posted].map(([key, { reply }]) => {
        const text = reply.kind === 'end' ? `${reply.end.kind} ${reply.end.reply}` : '';
        return `${key.slice(0, 2)} ${text}`;
      });
      const told = replies.filter((text) => /^m1|“Slowly: Add milk”/.test(text));
      expect(told, `${looks} looks`).toHaveLength(1);
      expect(told[0]).toMatch(kind?.endsWith('stopped') ? /^m8/ : /^m1 completed/);
      kinds.add(kind);
      void rig.runner.close();
    }
    expect(kinds.size).toBe(2);
  });

  it('it says that nothing runs if that is so', async () => {
    const { say } = await stage();
    await say('Add milk');
    expect(heard(await say('Stop all'))).toEqual(['Nothing is running.']);
  });

  it('a failed request is no longer retried by itself, and the answer says so', async () => {
    const { say, limit, disk, rig, list } = await stage();
    limit(120_000);
    await say('Add milk');
    expect(heard(await say('Stop everything'))).toEqual(['No longer retrying “Add milk”.']);
    limit(null);
    await disk.clock.advance(600_000);
    await say('Add eggs');
    await rig.idle();
    expect(list()).toBe('- bread\n- eggs\n');
    await rig.agent.queue.retryFailed();
    await rig.idle();
    expect(list()).toBe('- bread\n- eggs\n- milk\n');
  });

  it('of a request that is no longer retried, it is not said that it will be', async () => {
    const { say, fail } = await stage();
    fail('billing');
    await say('Add milk');
    const waits = async () => heard(await say('What is waiting?')).join();
    expect(await waits()).toMatch(/“Add milk” failed because .+\. .+/);
    await say('Stop everything');
    expect(await waits()).toMatch(/^“Add milk” failed because [^.]+\.$/);
    expect(heard(await say('What did you change?')).join()).toMatch(/failed because [^.]+\.$/);
  });

  it('it stops the open calls of MCP clients', async () => {
    const { say, rig, ends, disk } = await stage();
    await rig.agent.settings.set({ mcpServerWrites: true });
    const called = rig.mcpCalls.call(
      { id: 'session', name: 'Claude' },
      {
        ...{ name: 'delete', input: { path: 'List.md' }, signal: new AbortController().signal },
        waits: () => undefined,
      },
    );
    await rig.idleOrWaiting();
    expect(heard(await say('Stop everything'))).toEqual(['Stopped a call of another program.']);
    expect(await called).toMatchObject({ isError: true });
    expect(ends()).toContain('Claude called delete.: stopped');
    expect(disk.vault.texts.has('List.md')).toBe(true);
  });

  it('what is asked after it runs', async () => {
    const staged = await stage();
    const { say, rig, list } = staged;
    await say('Slowly: think');
    await say('Stop everything');
    await say('Add milk');
    await rig.idle();
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('wherever the process is killed, all is stopped and nothing of it runs', async () => {
    for (const death of DEATHS) {
      let isOver = false;
      for (let at = 0; !isOver; at += strideOf(11)) {
        const staged = await stage();
        const { disk, rig: first, ends, list, release } = staged;
        const chat = await staged.typeInNewChat('Slowly: plan');
        await first.agent.queue.send({ text: 'Add milk', conversation: chat, when: 'after' });
        await staged.say('Slowly: think');
        await staged.say('Add eggs');
        void first.runner.close();
        await makeRig(disk).say('m9', 'Stop everything');
        const life = newLife(at, death);
        const mortal = makeRig(disk, life);
        void mortal.load();
        await settle();
        await mortal.idle();
        await disk.clock.advance(1000);
        const rig = makeRig(disk);
        await rig.load();
        release();
        await rig.idle();
        const where = `${death} operation ${at}`;
        isOver = !life.isDead;
        expect(ends().toSorted(), where).toEqual([
          'Add eggs: stopped',
          'Add milk: stopped',
          'Slowly: plan: stopped',
          'Slowly: think: stopped',
          'Stop everything: completed',
        ]);
        expect(list(), where).toBe('- bread\n');
        expect(inboxOn(disk), where).toEqual([]);
        void rig.runner.close();
      }
    }
  });
});

describe('"what are you doing" with several turns', () => {
  it('it names all that runs and whose question is open', async () => {
    const staged = await stage();
    const { say } = staged;
    await staged.typeInNewChat('Ask me');
    await staged.typeInNewChat('Slowly: plan the trip to Rome in May with the children');
    await staged.typeInNewChat('Slowly: tidy');
    await say('Slowly: think');
    expect(heard(await say('What are you doing?'))).toEqual([
      'A question about “Ask me”: Which list? Working on “Slowly: plan the trip to…”, “Slowly: tidy”, and “Slowly: think”.',
    ]);
  });
});

describe('"stop" and "continue" with several turns', () => {
  it('"stop" takes back the last spoken request although an earlier one runs', async () => {
    const { say, ends, rig, release, list } = await stage();
    await say('Slowly: Add milk');
    await say('Add eggs');
    expect(heard(await say('Stop'))).toEqual(['Stopped “Add eggs”. It had not begun.']);
    release();
    await rig.idle();
    expect(ends()).toEqual(['Slowly: Add milk: completed']);
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('"stop" stops the last spoken request and none of three typed turns', async () => {
    const staged = await stage();
    const { say, ends } = staged;
    for (const text of ['Slowly: one', 'Slowly: two', 'Slowly: three']) {
      await staged.typeInNewChat(text);
    }
    await say('Slowly: think');
    await say('Stop');
    expect(ends()).toEqual(['Slowly: think: stopped']);
  });

  it('"continue" resumes the spoken request, not a typed one that was paused after it', async () => {
    const staged = await stage();
    const { say, ends, rig, release, disk } = staged;
    await say('Slowly: Add milk');
    const spoken = eventsOn(disk, 'turn-start')[0]!.conversation;
    const typed = await staged.typeInNewChat('Slowly: Add eggs');
    await rig.agent.queue.pause(spoken);
    await rig.agent.queue.pause(typed);
    release();
    await rig.idleOrWaiting();
    await disk.clock.advance(11 * 60_000);
    await staged.typeInNewChat('Hello');
    await disk.clock.advance(11 * 60_000);
    expect(heard(await say('Continue'))).toEqual(['Continuing “Slowly: Add milk”.']);
    await rig.idleOrWaiting();
    expect(ends()).toContain('Slowly: Add milk: completed');
    expect(ends()).not.toContain('Slowly: Add eggs: completed');
  });
});
