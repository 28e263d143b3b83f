/** What quick commands are about: the request, turn or chat that the user means. */
import { describe, expect, it } from 'vitest';
import { doneRequest } from '#voice/notifications';
import { eventsOn, inboxOn } from './app-on-disk';
import { heard, stage } from './command-stage';

describe('"undo that"', () => {
  it('it does not undo an older change while the last request runs and has changed nothing', async () => {
    const { say, list, release, rig } = await stage();
    await say('Add milk');
    await say('Slowly: Add eggs');
    for (const words of ['Undo that', 'Undo the last change']) {
      expect(heard(await say(words))).toEqual([
        'Nothing to undo: still working on “Slowly: Add eggs”, which has changed nothing yet. Stop it first.',
      ]);
    }
    expect(list()).toBe('- bread\n- milk\n');
    release();
    await rig.idle();
    expect(list()).toBe('- bread\n- milk\n- eggs\n');
  });

  it('it undoes what was spoken while a typed request runs, and nothing older', async () => {
    const { say, list, type } = await stage();
    await say('Add milk');
    await type('Slowly: think');
    await say('Add eggs');
    expect(list()).toBe('- bread\n- milk\n- eggs\n');
    expect(heard(await say('Undo that'))).toEqual(['Undone: “Add eggs”, in List.']);
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('it does not undo an older change while the last request waits for an answer', async () => {
    const { say, list } = await stage();
    await say('Add milk');
    await say('Ask me');
    expect(heard(await say('Undo that'))).toEqual([
      'Nothing to undo: “Ask me” has changed nothing yet. The last change: 1 line was added to List, for “Add milk”. Say “undo the last change” to undo it.',
    ]);
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('it does not reach beyond a request that changed nothing, and "undo the last change" does', async () => {
    const { say, list } = await stage();
    await say('Add milk');
    await say('How are you');
    expect(heard(await say('Undo that'))).toEqual([
      'Nothing to undo: “How are you” changed nothing. The last change: 1 line was added to List, for “Add milk”. Say “undo the last change” to undo it.',
    ]);
    expect(list()).toBe('- bread\n- milk\n');
    expect(heard(await say('Undo the last change'))).toEqual(['Undone: “Add milk”, in List.']);
    expect(list()).toBe('- bread\n');
  });

  it('it does not reach back more than ten minutes, and says what changed before', async () => {
    const { say, list, disk } = await stage();
    await say('Add milk');
    await disk.clock.advance(11 * 60_000);
    expect(heard(await say('Undo that'))).toEqual([
      'Nothing to undo from the last ten minutes. The last change: 1 line was added to List, for “Add milk”. Say “undo the last change” to undo it.',
    ]);
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('it undoes a typed request if that was the last one', async () => {
    const { say, list, type } = await stage();
    await say('Add milk');
    await type('Add eggs');
    expect(heard(await say('Undo that'))).toEqual(['Undone: “Add eggs”, in List.']);
    expect(list()).toBe('- bread\n- milk\n');
  });

  it('said again after some seconds, it undoes the change before, beside an open turn', async () => {
    const { say, list, type, rig, disk } = await stage();
    await say('Add milk');
    await say('Add eggs');
    await type('Ask me');
    await rig.agent.conversations.create();
    await disk.clock.advance(1_000);
    await say('Undo the last change', 4_000);
    expect(list()).toBe('- bread\n- milk\n');
    await say('undo the last change.');
    expect(list()).toBe('- bread\n');
  });

  it('it does not reopen a chat that has ended', async () => {
    const { say, disk, rig, list } = await stage();
    await say('Add milk');
    await disk.clock.advance(40 * 60_000);
    expect((await rig.agent.state()).current?.ended).not.toBeNull();
    await say('Undo the last change');
    expect(list()).toBe('- bread\n');
    expect((await rig.agent.state()).current?.ended).not.toBeNull();
  });
});

describe('"stop"', () => {
  it('it stops the turn that was spoken about, not a typed one that runs', async () => {
    const { say, type, ends, rig, release } = await stage();
    await say('Ask me');
    await rig.agent.conversations.create();
    await type('Slowly: think');
    await say('Stop');
    expect(ends()).toEqual(['Ask me: stopped']);
    release();
    await rig.idle();
    expect(ends()).toEqual(['Ask me: stopped', 'Slowly: think: completed']);
  });

  it('it stops a typed turn that runs if nothing else is open', async () => {
    const { say, type, ends } = await stage();
    await type('Slowly: think');
    await say('Stop');
    expect(ends()).toEqual(['Slowly: think: stopped']);
  });

  it('it stops an answered turn that waits for the running one, and not the running one', async () => {
    const { say, type, ends, rig, release } = await stage();
    await say('Ask me');
    await rig.agent.conversations.create();
    await type('Slowly: think');
    // The answer reaches the turn, which continues once the other one has ended.
    await rig.agent.queue.answer({ choice: 'Undo it' });
    await say('Stop');
    expect(ends()).toEqual(['Ask me: stopped']);
    release();
    await rig.idle();
    expect(ends()).toEqual(['Ask me: stopped', 'Slowly: think: completed']);
  });

  it('a turn that waits in another chat reports its stop once', async () => {
    const { say, type, ends, disk, rig } = await stage();
    await say('Ask me');
    await disk.clock.advance(11 * 60_000);
    await rig.agent.conversations.create();
    await type('Hello');
    const before = disk.posted.size;
    await say('Stop');
    expect(ends().sort()).toEqual(['Ask me: stopped', 'Hello: completed']);
    expect(disk.posted.size).toBe(before + 1);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('it answers a question that has it as a choice, whatever articles and fillers were said', async () => {
    for (const words of ['Simone, stop timer please', 'stop the timer', 'Undo it!']) {
      const { say, ends } = await stage();
      await say('Ask me');
      await say(words);
      expect(ends(), words).toEqual(['Ask me: completed']);
    }
  });
});

describe('"continue"', () => {
  it('it leaves failed requests of other chats alone', async () => {
    const { say, fail, disk, rig, ends } = await stage();
    fail();
    await say('Add milk');
    fail(null);
    await rig.agent.conversations.create();
    await disk.clock.advance(11 * 60_000);
    await say('Hello');
    await say('Go on');
    expect(ends()).toEqual(['Add milk: failed', 'Hello: completed', 'Go on: completed']);
  });

  it('it does not begin a new chat when the last one has ended', async () => {
    const { say, disk, conversations } = await stage();
    await say('Add milk');
    await disk.clock.advance(40 * 60_000);
    expect(heard(await say('Continue'))).toEqual([
      'That chat has ended. Open it in Obsidian to continue it.',
    ]);
    expect(conversations()).toBe(1);
  });

  it('it says what an open turn waits for', async () => {
    const { say, disk, rig } = await stage();
    await rig.agent.settings.set({ tools: { edit_file: 'ask' } });
    await say('Add milk');
    expect(heard(await say('Continue'))[0]).toMatch(/^An approval: /);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  });
});

describe('"what is waiting?"', () => {
  it('its answer is titled as one and is never folded into other notifications', async () => {
    const { say, disk } = await stage();
    await say('Add milk');
    const [told] = await say('What is waiting?');
    expect(told).toMatchObject({ title: 'Nothing is waiting, and nothing is running', body: '' });
    const { reply, request } = [...disk.posted.values()].at(-1)!;
    expect(doneRequest(reply, { request, wireName: 'simone' })).toBeNull();
  });
});

describe('a question that was typed', () => {
  it('it does not take a request that is spoken hours later', async () => {
    const { say, type, disk, rig } = await stage();
    await type('Ask me');
    await disk.clock.advance(2 * 3_600_000);
    expect(heard(await say('Add eggs to it'))).toEqual(['Heard: Add eggs to it.']);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });
});
