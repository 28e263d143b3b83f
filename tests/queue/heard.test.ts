/**
 * What the user can have heard decides what spoken words mean. The whole app with a real bridge; the
 * test is SmartHole.
 */
import { describe, expect, it } from 'vitest';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { createFakeConnectionRig, sleepyClock, type FakeConnection } from '../voice/rig';
import { eventsOn, inboxOn, makeRig, type Disk, type Posted } from './app-on-disk';

/** Asks when told to paint, deletes when told to tidy up, and otherwise answers at once. */
function model(...calls: CallPart[]) {
  return thinkingModel((request: ModelRequest) => {
    const last = request.history.at(-1);
    if (last?.role === 'results') {
      return says(last.results.map(({ result }) => result.text.split('\n')[0]).join(' | '));
    }
    const words = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
    const name = /Paint/.test(words) ? 'ask_user' : /Tidy/.test(words) ? 'delete' : null;
    const made = calls.filter((each) => each.name === name);
    return made.length > 0 ? answers(made) : says(`Heard: ${words}`);
  });
}

const WHICH = call('ask_user', { question: 'Which colour?' }, { wireId: 'q1' });
const GOES = call('delete', { path: 'Old.md' }, { wireId: 'd1' });

/** The app, connected to SmartHole. */
async function stage(...calls: CallPart[]) {
  const clock = sleepyClock();
  const store = memoryStore();
  const vault = tinyVault({ 'Old.md': 'Old.\n' });
  const voice: NonNullable<Disk['voice']> = {
    post: (messageIds, said) => played.bridge.reply({ ...said, messageIds }),
    drop: (abouts) => played.bridge.drop(abouts),
    shownFor: (about) => played.bridge.shownFor(about),
  };
  const disk: Disk = { store, clock, vault, model: model(...calls), voice };
  const rig = makeRig(disk);
  const played = createFakeConnectionRig({
    store,
    clock,
    onMessage: async ({ id, text }) => {
      const taken = await rig.say(id, text);
      return taken.ok ? 'ack' : { reject: taken.reason };
    },
  });
  await played.start();
  await rig.load();
  let line: FakeConnection = await played.connect();
  let spoken = 0;
  const shown = () => played.wire.lines.flatMap((each) => each.responses('notification')) as Sent[];
  const say = async (text: string) => {
    spoken += 1;
    line.deliver(`m${spoken}`, text);
    await settle();
    await rig.idle();
    await settle();
  };
  return {
    ...{ clock, disk, rig, played, vault, shown, say },
    titles: () => shown().map(({ payload }) => payload.title),
    here: () => played.shownHere.map(({ title }) => title),
    get line() {
      return line;
    },
    /** Ten in a minute: six ends, and four questions that other turns ask. */
    async useUpNotifications() {
      for (let count = 0; count < 6; count += 1) {
        await say(`Add item ${count} to my list`);
        await clock.advance(1_100);
      }
      for (let count = 0; count < 4; count += 1) {
        const key = `other-${count}`;
        const interaction = { kind: 'question', text: `Which ${count}?`, choices: [] };
        const reply = {
          kind: 'waiting',
          interaction: interaction as never,
          byVoice: false,
        } as const;
        const request = `Ask ${count}`;
        await played.bridge.reply({
          key,
          about: key,
          messageIds: ['m1'],
          reply,
          request,
          turn: null,
        });
        await clock.advance(1_100);
      }
    },
    async reconnect() {
      await clock.advance(2_000);
      line = await played.connect();
    },
    requests: () => eventsOn(disk, 'turn-start').map(({ request }) => request.text),
    replies: () => eventsOn(disk, 'turn-end').map(({ end }) => end.reply),
    conversations: () =>
      new Set(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation)).size,
  };
}

interface Sent {
  readonly messageId: string;
  readonly payload: { readonly title: string; readonly body: string };
}

const ANSWERED = 'The user said next (spoken: perhaps misheard): Blue';

describe('a question of a spoken request', () => {
  it('a question does not take a request that was spoken before it can have been heard', async () => {
    const { say, clock, requests, replies, rig, conversations } = await stage(WHICH);
    await say('Paint it');
    await clock.advance(200);
    await say('Add milk to my shopping list');
    expect(requests()).toEqual(['Paint it', 'Add milk to my shopping list']);
    expect(replies()).toEqual(['Heard: Add milk to my shopping list']);
    expect(conversations()).toBe(2);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    // From now on the user can have heard it.
    await clock.advance(1_300);
    await say('Blue');
    expect(requests()).toHaveLength(2);
    expect(replies()).toContain(ANSWERED);
  });

  it('a question does not block a request that was spoken before it was asked', async () => {
    const { line, rig, requests, replies, disk } = await stage(WHICH);
    line.deliver('m1', 'Paint it');
    line.deliver('m2', 'Add milk to my shopping list');
    await settle();
    await rig.idle();
    expect(requests()).toEqual(['Paint it', 'Add milk to my shopping list']);
    expect(replies()).toEqual(['Heard: Add milk to my shopping list']);
    expect(inboxOn(disk)).toHaveLength(1);
  });

  it('a question held back by the rate limit does not take a request', async () => {
    const { say, clock, requests, replies, titles, useUpNotifications } = await stage(WHICH);
    await useUpNotifications();
    await say('Paint it');
    await clock.advance(5_000);
    await say('Add milk to my shopping list');
    expect(titles()).toHaveLength(10);
    expect(requests()).toContain('Add milk to my shopping list');
    expect(replies()).toContain('Heard: Add milk to my shopping list');
    await clock.advance(60_000);
    expect(titles()).toContain('Waiting for your answer: Paint it');
    await say('Blue');
    expect(replies()).toContain(ANSWERED);
  });

  it('a question is answered although the clock was set back after it was heard', async () => {
    const { say, clock, replies } = await stage(WHICH);
    await say('Paint it');
    await clock.advance(5_000);
    clock.set(clock.now() - 3_600_000);
    await say('Blue');
    expect(replies()).toEqual([ANSWERED]);
  });

  it('a question that comes up while SmartHole restarts is shown by Obsidian and answered by voice afterwards', async () => {
    const { say, clock, played, line, here, shown, reconnect, requests, replies, rig } =
      await stage(WHICH);
    line.deliver('m0', 'Paint it');
    played.wire.quit();
    await settle();
    await rig.idle();
    await settle();
    expect(here()).toEqual(['Waiting for your answer: Paint it']);
    await reconnect();
    await say('Blue');
    expect(requests()).toEqual(['Paint it']);
    expect(replies()).toEqual([ANSWERED]);
    await clock.advance(60_000);
    // The answer came from the new SmartHole, which therefore shows the end.
    expect(here()).toHaveLength(1);
    expect(shown()).toMatchObject([{ messageId: 'm1', payload: { body: `${ANSWERED}.` } }]);
  });

  it('a question is answered in the conversation in which it was heard, whatever was spoken before', async () => {
    const { say, clock, replies, disk } = await stage(WHICH);
    await say('Paint it');
    await say('Add milk to my shopping list');
    await clock.advance(5_000);
    await say('Blue');
    const [painting] = eventsOn(disk, 'turn-start');
    expect(eventsOn(disk, 'answer-end')).toMatchObject([
      { text: 'Blue', conversation: painting?.conversation },
    ]);
    expect(replies()).toContain(ANSWERED);
  });

  it('a question answered in the chat before its announcement was sent is never announced', async () => {
    const { say, clock, line, titles, here, reconnect, rig } = await stage(WHICH);
    await say('Add milk to my shopping list');
    await clock.advance(1_100);
    line.deliver('m9', 'Paint it');
    line.drop();
    await settle();
    await rig.idle();
    await clock.advance(100);
    await rig.agent.queue.send({ text: 'Blue' });
    await rig.idle();
    await reconnect();
    await clock.advance(60_000);
    expect(titles()).toEqual(['Answer: Add milk to my shopping list', 'Answer: Paint it']);
    expect(here()).toEqual([]);
  });

  it('a question held back by the rate limit is not announced after it was answered', async () => {
    const { say, clock, titles, rig, useUpNotifications } = await stage(WHICH);
    await useUpNotifications();
    await say('Paint it');
    await rig.agent.queue.answer({ text: 'Blue' });
    await rig.idle();
    await clock.advance(120_000);
    expect(titles()).not.toContain('Waiting for your answer: Paint it');
    expect(titles().at(-1)).toBe('Answer: Paint it');
  });

  it('a question answered by voice is followed by one notification, to the newest message', async () => {
    const { say, clock, shown, here } = await stage(WHICH);
    await say('Paint it');
    await clock.advance(5_000);
    await say('Blue');
    await clock.advance(60_000);
    expect(shown().map(({ messageId, payload: { title } }) => [messageId, title])).toEqual([
      ['m1', 'Waiting for your answer: Paint it'],
      ['m2', 'Answer: Paint it'],
    ]);
    expect(here()).toEqual([]);
  });
});

describe('an approval of a spoken request', () => {
  it('an approval is not decided by the answer to a question that was heard after it', async () => {
    const { say, clock, replies, vault, rig } = await stage(WHICH, GOES);
    await say('Tidy up');
    await clock.advance(60_000);
    await say('Paint the old fence');
    await clock.advance(60_000);
    await say('Simone, yes');
    expect(replies()).toEqual(['The user said next (spoken: perhaps misheard): Simone, yes']);
    expect(vault.texts.has('Old.md')).toBe(true);
    const [open] = (await rig.agent.state()).interactions;
    expect(open?.interaction.kind).toBe('approval');
    await clock.advance(60_000);
    await say('Simone, delete it');
    expect(vault.texts.has('Old.md')).toBe(false);
  });

  it('an approval is decided although the clock was set back after it was heard', async () => {
    const { say, clock, vault } = await stage(GOES);
    await say('Tidy up');
    await clock.advance(5_000);
    clock.set(clock.now() - 3_600_000);
    await say('Delete it');
    expect(vault.texts.has('Old.md')).toBe(false);
  });

  it.each(['Yes', 'Simone, yes', 'Ja', 'Delete it?'])(
    'an approval that SmartHole may still hold back is not decided by words for something else: %s',
    async (words) => {
      const { say, clock, vault } = await stage(GOES);
      await say('Tidy up');
      await clock.advance(5_000);
      await say(words);
      expect(vault.texts.has('Old.md')).toBe(true);
    },
  );

  it('an approval decided by voice is followed by one notification', async () => {
    const { say, clock, shown, vault } = await stage(GOES);
    await say('Tidy up');
    await clock.advance(5_000);
    await say('Keep it');
    await clock.advance(60_000);
    expect(vault.texts.has('Old.md')).toBe(true);
    expect(shown().map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
    expect(shown()[1]?.payload.title).not.toMatch(/\(2\)$/);
  });

  it('an approval decided by a click before its announcement was sent is never announced', async () => {
    const { line, clock, titles, rig, reconnect } = await stage(GOES);
    line.deliver('m1', 'Tidy up');
    line.drop();
    await settle();
    await rig.idle();
    const [open] = (await rig.agent.state()).interactions;
    await rig.agent.queue.approve({ approval: open!.interaction.id, choice: 'keep' });
    await rig.idle();
    await reconnect();
    await clock.advance(60_000);
    expect(titles()).toHaveLength(1);
    expect(titles()[0]).not.toMatch(/^Waiting/);
  });

  it('an approval that nobody can have heard does not swallow a short request', async () => {
    const { say, clock, replies, vault } = await stage(GOES);
    await say('Tidy up');
    await clock.advance(200);
    await say('Add milk');
    expect(replies()).toEqual(['Heard: Add milk']);
    expect(vault.texts.has('Old.md')).toBe(true);
  });

  it('an approval that Obsidian showed after a restart of SmartHole is decided by voice', async () => {
    const { say, played, line, here, reconnect, rig, vault, clock } = await stage(GOES);
    line.deliver('m0', 'Tidy up');
    played.wire.quit();
    await settle();
    await rig.idle();
    await settle();
    await clock.advance(1_000);
    expect(here()).toEqual(['Delete Old?']);
    await reconnect();
    await say('Delete it');
    expect(vault.texts.has('Old.md')).toBe(false);
  });
});

describe('a spoken request of another device', () => {
  it('a question of another device is neither announced nor answered here', async () => {
    const posted = new Map<string, Posted>();
    const store = memoryStore();
    const disk: Disk = {
      ...{ store, posted, clock: testClock(), model: model(WHICH) },
      vault: tinyVault({}),
    };
    const first = makeRig(disk);
    await first.load();
    await first.say('m1', 'Paint it');
    await first.idle();
    void first.runner.close();
    posted.clear();
    // The files arrive on another device by sync.
    for (const [path, text] of store.files) {
      if (/^(conversations|inbox)\//.test(path)) {
        store.files.set(path, text.replaceAll('device-1', 'device-2'));
      }
    }
    await disk.clock.advance(5_000);
    const other = makeRig(disk);
    await other.load();
    await other.idle();
    expect([...posted.keys()]).toEqual([]);
    await other.say('m2', 'Blue');
    await other.idle();
    expect(eventsOn(disk, 'answer-end')).toEqual([]);
    expect([...posted.values()].map(({ request }) => request)).toEqual(['Blue']);
  });
});
