/** Requests from SmartHole: accepted once and answered once, whatever fails in between. */
import { describe, expect, it } from 'vitest';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import { notificationOf } from '#voice/notifications';
import { testClock } from '../builders/fake-clock';
import { answers, call, fails, says, thinkingModel } from '../builders/model-stream';
import { diskError, memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife } from './killable-process';
import { eventsOn, heardOf, inboxOn, makeRig, type Disk, type Posted } from './app-on-disk';

type Posting = Disk & { readonly posted: Map<string, Posted> };

function newDisk(answer: (request: ModelRequest) => ReturnType<typeof says>): Posting {
  return {
    store: memoryStore(),
    vault: tinyVault({ 'Old.md': 'Old.\n', 'Older.md': 'Older.\n' }),
    clock: testClock(),
    model: thinkingModel(answer),
    posted: new Map(),
  };
}

const lastWords = ({ history }: ModelRequest) => {
  const last = history.at(-1);
  return last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
};

/** Makes these calls at the first request, and repeats their results. */
function calling(...calls: CallPart[]) {
  return (request: ModelRequest) => {
    const last = request.history.at(-1);
    if (last?.role === 'results') {
      return says(last.results.map(({ result }) => result.text.split('\n')[0]).join(' | '));
    }
    return request.history.length === 1 ? answers(calls) : says(`You said: ${lastWords(request)}`);
  };
}

const echo = (request: ModelRequest) => says(`Heard: ${lastWords(request)}`);

async function started(disk: Disk) {
  const rig = makeRig(disk);
  await rig.load();
  await rig.idle();
  return rig;
}

const inWords = ({ reply, request }: Posted) =>
  notificationOf(reply, { request, wireName: 'simone' });
const told = ({ posted }: Posting, id: string) =>
  [...posted].filter(([key]) => key.startsWith(`${id} `)).map(([, said]) => heardOf(said));
const lastTitle = ({ posted }: Posting) => {
  const last = [...posted.values()].at(-1);
  return last && inWords(last).title;
};
const conversationsOf = (disk: Disk) =>
  new Set(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation)).size;

describe('a spoken request', () => {
  it('a spoken request is saved before it is acknowledged, then answered and reported to its sender', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    expect(await rig.say('m1', 'Add milk')).toEqual({ ok: true });
    expect(inboxOn(disk)).toHaveLength(1);
    await rig.idle();
    expect(told(disk, 'm1')).toEqual(['Heard: Add milk.']);
    expect(lastTitle(disk)).toBe('Answer: Add milk');
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a spoken request is marked as spoken in the context, under the system prompt of a typed one', async () => {
    const asked: ModelRequest[] = [];
    const disk = newDisk((request) => {
      asked.push(request);
      return echo(request);
    });
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await rig.agent.queue.send({ text: 'Add eggs' });
    await rig.idle();
    const contexts = eventsOn(disk, 'turn-start').map(({ context }) => context);
    expect(contexts[0]).toContain('Spoken through SmartHole: transcribed');
    expect(contexts[1]).toContain('Typed in Obsidian.');
    expect(asked.map(({ prompt }) => prompt.system)).toEqual([
      asked[0]?.prompt.system,
      asked[0]?.prompt.system,
    ]);
  });

  it('a spoken request that cannot be saved is rejected with a reason, and the chat says so', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    disk.store.refuse = ({ path }) => {
      if (path.startsWith('inbox/')) throw diskError('ENOSPC');
    };
    expect(await rig.say('m1', 'Add milk')).toEqual({
      ok: false,
      reason: 'The disk is full.',
    });
    expect(rig.problems.join()).toMatch(/could not be saved.*Add milk.*disk is full/i);
    disk.store.refuse = null;
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toEqual([]);
    expect(await rig.say('m2', 'Add milk')).toEqual({ ok: true });
  });

  it('a spoken request is rejected and reported when a bug keeps it from being taken', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    disk.store.refuse = ({ path }) => {
      if (path.startsWith('inbox/')) throw new Error('A bug.');
    };
    expect(await rig.say('m1', 'Add milk')).toEqual({
      ok: false,
      reason: 'The request could not be saved.',
    });
    expect(rig.problems).toEqual([expect.stringContaining('A bug.')]);
  });

  it('a spoken request is rejected when the inbox holds too many requests, and the chat says so once', async () => {
    const disk = newDisk(echo);
    // Not loaded, so the requests stay in the inbox.
    const rig = makeRig(disk);
    for (let at = 0; at < 200; at += 1) await rig.say(`m${at}`, `Add item ${at}`);
    for (const id of ['x1', 'x2']) {
      expect(await rig.say(id, `One too many ${id}`)).toEqual({
        ok: false,
        reason: 'Too many requests are waiting.',
      });
    }
    expect(rig.problems).toEqual([
      'A spoken request was refused: “One too many x1”. Too many requests are waiting. Discard some in the inbox.',
    ]);
    expect(inboxOn(disk)).toHaveLength(200);
    const typed = await rig.agent.queue.send({ text: 'Typed' });
    expect(typed).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/too many requests/i) as string,
    });
    const [queued] = (await rig.agent.state()).inbox;
    await rig.agent.queue.discard(queued!.request.id);
    expect(await rig.say('x3', 'Room again')).toEqual({ ok: true });
  });

  it('a spoken request is rejected when the waiting requests are too large together', async () => {
    const rig = makeRig(newDisk(echo));
    const taken: boolean[] = [];
    for (let at = 0; at < 8; at += 1) {
      taken.push((await rig.say(`m${at}`, `${at} ${'word '.repeat(180_000)}`)).ok);
    }
    expect(taken).toEqual([true, true, true, true, true, false, false, false]);
  });

  it('a spoken request delivered again runs once, also after a restart', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    await Promise.all([rig.say('m1', 'Add milk'), rig.say('m1', 'Add milk')]);
    await rig.idle();
    expect(await rig.say('m1', 'Add milk')).toEqual({ ok: true });
    void rig.runner.close();
    const next = await started(disk);
    expect(await next.say('m1', 'Add milk')).toEqual({ ok: true });
    await next.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  });

  it('the same words under several ids within a second run once and are answered once', async () => {
    const disk = newDisk(echo);
    const rig = makeRig(disk);
    await rig.say('m1', 'Add milk.');
    await disk.clock.advance(900);
    await rig.say('m2', ' add  MILK');
    await rig.load();
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
    expect(told(disk, 'm2')).toEqual(['Heard: Add milk.']);
    expect(disk.posted.size).toBe(1);
  });

  it.each([
    ['a second later', 'Add milk', 1_001],
    ['in other words', 'Add milk and bread', 0],
    ['with another number', 'Add -5', 0],
  ])('words that come again %s are a request of their own', async (_, again, pause) => {
    const disk = newDisk(echo);
    const rig = makeRig(disk);
    await rig.say('m1', again.startsWith('Add -') ? 'Add 5' : 'Add milk');
    await disk.clock.advance(pause);
    await rig.say('m2', again);
    expect(inboxOn(disk)).toHaveLength(2);
  });

  it('the same words after the answer are a request of their own', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    for (const id of ['m1', 'm2']) {
      await rig.say(id, 'What time is it?');
      await rig.idle();
    }
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
    expect(told(disk, 'm2')).toHaveLength(1);
  });

  it('a spoken request is neither lost nor doubled wherever the process is killed', async () => {
    for (const death of DEATHS) {
      for (let act = 1; act <= 30; act += 1) {
        const disk = newDisk(echo);
        void (await started(disk)).runner.close();
        const life = newLife(act - 1, death);
        const mortal = makeRig(disk, life);
        const taken = mortal.load().then(() => mortal.say('m1', 'Add milk'));
        const outcome = await Promise.race([taken, mortal.idle().then(() => mortal.idle())]);
        await mortal.idle();
        const rig = await started(disk);
        // The sender delivers it again if it was not acknowledged.
        if (!outcome || life.isDead) await rig.say('m1', 'Add milk');
        await rig.idle();
        const where = `${death} act ${act}`;
        expect(
          eventsOn(disk, 'turn-end').map(({ end }) => end.kind),
          where,
        ).toEqual(['completed']);
        expect(told(disk, 'm1'), where).toEqual(['Heard: Add milk.']);
        expect(inboxOn(disk), where).toEqual([]);
      }
    }
  });

  it('a spoken request joins the last spoken conversation for ten minutes, then the current one', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    await rig.say('m1', 'One');
    await rig.idle();
    const [first] = eventsOn(disk, 'turn-start');
    await disk.clock.advance(1000);
    await rig.agent.conversations.create();
    await rig.agent.queue.send({ text: 'Typed elsewhere' });
    await rig.idle();
    await disk.clock.advance(60_000);
    await rig.say('m2', 'Two');
    await rig.idle();
    // New chat has ended the first one, so the request goes to the conversation last written in.
    expect(conversationsOf(disk)).toBe(2);
    await disk.clock.advance(11 * 60_000);
    await rig.say('m3', 'Three');
    await rig.idle();
    const last = eventsOn(disk, 'turn-start').find(
      ({ request: inbound }) => inbound.text === 'Three',
    );
    expect(last?.conversation).not.toBe(first?.conversation);
  });
});

describe('a question asked by voice', () => {
  const WHICH = () => call('ask_user', { question: 'Which colour?', choices: ['Blue', 'Red'] });

  it('a question is sent at once, answered by typing, and the end is reported to its sender', async () => {
    const disk = newDisk(calling(WHICH()));
    const rig = await started(disk);
    await rig.say('m1', 'Paint it');
    await rig.idle();
    const [question] = [...disk.posted.values()];
    expect(question && inWords(question)).toMatchObject({
      priority: 'high',
      title: 'Waiting for your answer: Paint it',
      body: 'Which colour? Blue, or Red? Say “Simone” and your answer.',
    });
    await disk.clock.advance(1000);
    await rig.agent.queue.send({ text: 'Blue' });
    await rig.idle();
    expect(told(disk, 'm1').at(-1)).toBe('The user said next: Blue.');
  });

  it('a question is answered by typing after a restart and is not announced twice', async () => {
    const disk = newDisk(calling(WHICH()));
    const rig = await started(disk);
    await rig.say('m1', 'Paint it');
    await rig.idle();
    void rig.runner.close();
    await disk.clock.advance(1000);
    const next = await started(disk);
    expect(told(disk, 'm1')).toHaveLength(1);
    await next.agent.queue.answer({ choice: 'Red' });
    await next.idle();
    expect(told(disk, 'm1')).toHaveLength(2);
  });

  it('a question of a typed turn is answered by voice, and its end is announced', async () => {
    const disk = newDisk(calling(WHICH()));
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Paint it' });
    await rig.idle();
    await disk.clock.advance(1_500);
    await rig.say('m1', 'Blue');
    await rig.idle();
    const reply = 'The user said next (spoken: perhaps misheard): Blue';
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.reply)).toEqual([reply]);
    expect(told(disk, 'm1')).toEqual([`${reply}.`]);
  });

  it('a spoken request during a question reaches the agent with the hint that it may be one', async () => {
    const disk = newDisk(calling(WHICH()));
    const rig = await started(disk);
    await rig.say('m1', 'Paint it');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m2', 'Add milk to my shopping list');
    await rig.idle();
    const [result] = eventsOn(disk, 'call-end');
    expect(result?.result.text).toContain('Add milk to my shopping list');
    expect(result?.result.text).toContain('It sounds like a new request');
  });

  it('a question without an answer ends the turn as limited, which is reported', async () => {
    const disk = newDisk(calling(WHICH()));
    const rig = await started(disk);
    await rig.say('m1', 'Paint it');
    await rig.idle();
    await disk.clock.advance(61 * 60_000);
    await rig.idle();
    expect(lastTitle(disk)).toMatch(/^No answer came/);
  });
});

describe('an approval of a spoken turn', () => {
  const GOES = (path: string, wireId: string) => call('delete', { path }, { wireId });

  it('an approval is decided by the exact announced words', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(1_000);
    expect(told(disk, 'm1')[0]).toMatch(/Say “Simone, delete it” or “Simone, keep it”/);
    await disk.clock.advance(5000);
    await rig.say('m2', 'Delete it.');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(false);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
    expect(inboxOn(disk)).toEqual([]);
    // The sender of the decision also receives the end.
    expect(told(disk, 'm2')).toHaveLength(1);
  });

  it.each([400, 3_000])(
    'an approval is decided by the words of the request itself, %i ms after it was heard',
    async (pause) => {
      const disk = newDisk(calling(GOES('Old.md', 'd1')));
      const rig = await started(disk);
      await rig.say('m1', 'Delete Old');
      await rig.idle();
      await disk.clock.advance(1_000);
      await disk.clock.advance(1_500 + pause);
      await rig.say('m2', 'Delete Old');
      await rig.idle();
      expect(disk.vault.texts.has('Old.md')).toBe(false);
    },
  );

  it('words that decide are acknowledged once more under another id, and decide once', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(5_000);
    await Promise.all([rig.say('m2', 'delete it'), rig.say('m3', 'Delete it.')]);
    await rig.idle();
    const decided = eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution);
    expect(decided).toEqual([{ kind: 'choice', choice: 'delete' }]);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  });

  it('an approval is not decided by other short words, which are answered with the phrases', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(5000);
    await rig.say('m2', 'maybe a bit later');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    expect(conversationsOf(disk)).toBe(1);
    expect(told(disk, 'm2')).toEqual([
      expect.stringMatching(/Say “Simone, delete it” or “Simone, keep it”/),
    ]);
    // Only the request of the waiting turn is left.
    expect(inboxOn(disk)).toHaveLength(1);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });

  it('an approval is not decided by a longer message, which is a request of its own and does not wait', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(5000);
    await rig.say('m2', 'Tell me what is on the list for tomorrow');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    expect(conversationsOf(disk)).toBe(2);
    expect((await rig.agent.state()).interactions.length).toBeGreaterThanOrEqual(1);
  });

  it('an approval is not decided by words that arrived before it was offered', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1'), GOES('Older.md', 'd2')));
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old notes');
    await rig.idle();
    const [first] = (await rig.agent.state()).interactions;
    await disk.clock.advance(5000);
    // The first is kept by a click; the second is offered at the moment when the phrase arrives for
    // the first.
    await rig.agent.queue.approve({ approval: first!.interaction.id, choice: 'keep' });
    await rig.idle();
    await rig.say('m2', 'delete it');
    await rig.idle();
    expect(disk.vault.texts.size).toBe(2);
    expect(told(disk, 'm1').filter((body) => body?.includes('Say “'))).toHaveLength(1);
  });

  it('an approval is not decided before its announcement was sent', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    // Saved, and delayed by SmartHole's notification rate.
    const [post, none] = [async () => {}, () => null];
    const voice = { post, drop: post, shownFor: none };
    const rig = makeRig({ ...disk, voice });
    await rig.load();
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(30_000);
    await rig.say('m2', 'delete it');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
  });

  it('an approval is decided once, even if the process is killed during the decision', async () => {
    for (const death of DEATHS) {
      for (let act = 1; act <= 12; act += 1) {
        const disk = newDisk(calling(GOES('Old.md', 'd1')));
        const first = await started(disk);
        await first.say('m1', 'Delete the old note');
        await first.idle();
        await disk.clock.advance(5000);
        await first.say('m2', 'Delete it.').then(() => first.runner.close());
        const life = newLife(act - 1, death);
        const mortal = makeRig(disk, life);
        void mortal.load();
        await mortal.idle();
        await mortal.idle();
        await disk.clock.advance(5000);
        const rig = await started(disk);
        await rig.idle();
        const where = `${death} act ${act}`;
        const decided = eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution);
        expect(decided, where).toEqual([{ kind: 'choice', choice: 'delete' }]);
        expect(eventsOn(disk, 'answer-end'), where).toHaveLength(1);
        expect(eventsOn(disk, 'turn-start'), where).toHaveLength(1);
        expect(inboxOn(disk), where).toEqual([]);
      }
    }
  });

  it('an approval is not announced as decidable by voice while voice decisions are off', async () => {
    const disk = { ...newDisk(calling(GOES('Old.md', 'd1'))), isPaired: false };
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(1_000);
    expect(told(disk, 'm1')[0]).toMatch(/^Voice decisions are off, so decide in Obsidian\./);
    await disk.clock.advance(5000);
    await rig.say('m2', 'Delete it.');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    const off = 'Voice decisions are off, so decide in Obsidian: delete Old?';
    expect(told(disk, 'm2')).toEqual([off]);
    await disk.clock.advance(5000);
    await rig.say('m3', 'Simone, delete it!');
    await rig.idle();
    expect(told(disk, 'm3')).toEqual([]);
    await disk.clock.advance(56_000);
    await rig.say('m4', 'delete it');
    await rig.idle();
    expect(told(disk, 'm4')).toEqual([off]);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    expect(eventsOn(disk, 'turn-notice').map(({ text }) => text)).toEqual([
      'Heard “Delete it.”. Voice decisions are off on this device, so decide here.',
      'Heard “Simone, delete it!”. Voice decisions are off on this device, so decide here.',
      'Heard “delete it”. Voice decisions are off on this device, so decide here.',
    ]);
  });

  it('an approval is announced again, with the words that decide it, when voice may decide', async () => {
    const disk = { ...newDisk(calling(GOES('Old.md', 'd1'))), isPaired: false };
    const rig = await started(disk);
    await rig.say('m1', 'Delete the old note');
    await rig.idle();
    await disk.clock.advance(5000);
    await rig.say('m2', 'Delete it.');
    await rig.idle();
    expect(rig.agent.voice.allowDecisions(true)).toEqual({ ok: true });
    await rig.idle();
    expect(told(disk, 'm1').at(-1)).toMatch(/^Say “Simone, delete it” or “Simone, keep it”\./);
    await disk.clock.advance(5000);
    await rig.say('m3', 'Simone, delete it');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(false);
  });

  it('an approval of a typed turn is never decided by voice', async () => {
    const disk = newDisk(calling(GOES('Old.md', 'd1')));
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Delete the old note' });
    await rig.idle();
    await disk.clock.advance(5000);
    await rig.say('m1', 'delete it');
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
  });
});

describe('a spoken request that fails', () => {
  it('a failed request is retried after 1, 5 and 15 minutes, then hourly, and reports it once', async () => {
    let down = true;
    const disk = newDisk((request) => (down ? fails('overloaded') : echo(request)));
    const auto = { ...disk, clock: testClock({ auto: true }) };
    const rig = await started(auto);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    const turns = () => eventsOn(auto, 'turn-start').length;
    expect(turns()).toBe(1);
    for (const minutes of [1, 5, 15, 60, 60]) {
      const [failed] = (await rig.agent.state()).inbox;
      const wait = failed?.state === 'failed' ? (failed.nextTry ?? 0) - auto.clock.now() : 0;
      expect(Math.abs(wait - minutes * 60_000)).toBeLessThan(30_000);
      const before = turns();
      await auto.clock.advance(wait - 1000);
      await rig.idle();
      expect(turns()).toBe(before);
      await auto.clock.advance(1000);
      await rig.idle();
      expect(turns()).toBe(before + 1);
    }
    expect(told(auto, 'm1')).toHaveLength(1);
    down = false;
    await auto.clock.advance(61 * 60_000);
    await rig.idle();
    expect(told(auto, 'm1').at(-1)).toBe('Heard: Add milk.');
    expect(inboxOn(auto)).toEqual([]);
  });

  it('a request that failed for lack of network is retried when it is back, or after a later success', async () => {
    let down = true;
    const disk = { ...newDisk((request) => (down ? fails('network') : echo(request))) };
    const auto = { ...disk, clock: testClock({ auto: true }) };
    const rig = await started(auto);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await auto.clock.advance(3 * 3_600_000);
    await rig.idle();
    expect(eventsOn(auto, 'turn-start')).toHaveLength(1);
    down = false;
    await rig.runner.retryFor('network');
    await rig.idle();
    expect(told(auto, 'm1').at(-1)).toBe('Heard: Add milk.');

    down = true;
    await rig.say('m2', 'Add eggs');
    await rig.idle();
    down = false;
    await rig.say('m3', 'Add bread');
    await rig.idle();
    expect(told(auto, 'm2').at(-1)).toBe('Heard: Add eggs.');
    expect(inboxOn(auto)).toEqual([]);
  });

  it('a failed request says when it is retried, and does not ask for it again', async () => {
    const auto = { ...newDisk(() => fails('overloaded')), clock: testClock({ auto: true }) };
    const rig = await started(auto);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    expect(told(auto, 'm1')[0]).toMatch(/^The model is overloaded\. I’ll try again at \d.*\.$/);
    expect(told(auto, 'm1')[0]).not.toMatch(/Retry/);
  });

  it('a request that failed for a bad key is retried after a later success, when the key changes, or at load', async () => {
    for (const again of ['success', 'key', 'load'] as const) {
      let bad = true;
      const disk = newDisk((request) => (bad ? fails('key') : echo(request)));
      const rig = await started(disk);
      await rig.say('m1', 'Add milk');
      await rig.idle();
      expect(inboxOn(disk), again).toHaveLength(1);
      expect(told(disk, 'm1'), again).toEqual([
        'The API key is missing or invalid. Check it in the settings; I’ll try again when it changes.',
      ]);
      bad = false;
      if (again === 'success') await rig.say('m2', 'Add eggs');
      if (again === 'key') await rig.runner.retryFor('key');
      if (again === 'load') {
        void rig.runner.close();
        await (await started({ ...disk, hasKey: false })).idle();
        expect(inboxOn(disk), 'loaded without a key').toHaveLength(1);
        await (await started(disk)).idle();
      }
      await rig.idle();
      expect(told(disk, 'm1').at(-1), again).toBe('Heard: Add milk.');
      expect(inboxOn(disk), again).toEqual([]);
    }
  });

  it.each([
    ['network', /^There is no internet connection\. I’ll try again when you are online\.$/],
    ['endpoint', /^The model can’t be reached\. I’ll try again at \d.*\.$/],
    ['billing', /^The account has no credit left\. Add credit, .*; I’ll try again then\.$/],
  ] as const)('a request that failed for %s says when it is retried', async (kind, reply) => {
    const auto = { ...newDisk(() => fails(kind)), clock: testClock({ auto: true }) };
    const rig = await started(auto);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    expect(told(auto, 'm1')).toEqual([expect.stringMatching(reply)]);
  });

  it('a request that did not reach the endpoint is retried by time, and when the endpoint changes', async () => {
    let down = true;
    const disk = newDisk((request) => (down ? fails('endpoint') : echo(request)));
    const auto = { ...disk, clock: testClock({ auto: true }) };
    const rig = await started(auto);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await auto.clock.advance(61_000);
    await rig.idle();
    expect(eventsOn(auto, 'turn-start')).toHaveLength(2);
    down = false;
    await rig.runner.retryFor('key', 'endpoint');
    await rig.idle();
    expect(told(auto, 'm1').at(-1)).toBe('Heard: Add milk.');
    expect(inboxOn(auto)).toEqual([]);
  });

  it('a request that failed for another reason waits for the user', async () => {
    let down = true;
    const disk = newDisk((request) => (down ? fails('too-long') : echo(request)));
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    down = false;
    await rig.say('m2', 'Add eggs');
    await rig.idle();
    await rig.runner.retryFor('network', 'capacity', 'credit');
    await rig.idle();
    expect(inboxOn(disk)).toHaveLength(1);
    const [failed] = (await rig.agent.state()).inbox;
    await rig.agent.queue.retry(failed!.request.id);
    await rig.idle();
    expect(inboxOn(disk)).toEqual([]);
  });
});

describe('a spoken request that is slow to save', () => {
  it('a request means what the user could know when it arrived, however long it waits', async () => {
    const disk = newDisk((request) =>
      lastWords(request) === 'Paint it'
        ? answers([call('ask_user', { question: 'Which colour?' })])
        : echo(request),
    );
    const rig = await started(disk);
    const { write } = disk.store;
    let isSlow = true;
    disk.store.write = async (path, ...rest) => {
      // The question is asked and heard while an earlier message is still being saved.
      if (isSlow && path.startsWith('inbox/')) {
        isSlow = false;
        await rig.agent.queue.send({ text: 'Paint it' });
        await rig.idle();
        await disk.clock.advance(5_000);
      }
      return write(path, ...rest);
    };
    const first = rig.say('m1', 'What is waiting?');
    const second = rig.say('m2', 'Add milk to my list');
    await Promise.all([first, second]);
    await rig.idle();
    const requests = eventsOn(disk, 'turn-start').map(({ request }) => request.text);
    expect(requests).toContain('Add milk to my list');
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });

  it('a request refused while its id was recorded is not run, and can be delivered again', async () => {
    const disk = newDisk(echo);
    const rig = await started(disk);
    const late = new AbortController();
    const { append } = disk.store;
    disk.store.append = async (path, ...rest) => {
      if (path === 'heard.jsonl') late.abort();
      return append(path, ...rest);
    };
    expect(await rig.say('m1', 'Add milk', {}, late.signal)).toMatchObject({ ok: false });
    await rig.idle();
    expect(inboxOn(disk)).toEqual([]);
    expect(eventsOn(disk, 'turn-start')).toEqual([]);
    disk.store.append = append;
    expect(await rig.say('m1', 'Add milk')).toEqual({ ok: true });
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  });
});

describe('an answer by voice to a typed turn', () => {
  it('it does not announce what the turn said before', async () => {
    const disk = newDisk((request) => {
      if (request.history.length === 1) {
        return answers([call('send_message', { message: 'Looking for paint.' }, { wireId: 's1' })]);
      }
      if (request.history.length === 3) {
        return answers([call('ask_user', { question: 'Which colour?' }, { wireId: 'q1' })]);
      }
      return says('Painted.');
    });
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Paint it' });
    await rig.idle();
    await disk.clock.advance(5_000);
    await rig.say('m1', 'Blue');
    await rig.idle();
    expect(told(disk, 'm1')).toEqual(['Painted.']);
  });
});
