/** Which approval spoken words decide when several are open, or one follows another. */
import { describe, expect, it } from 'vitest';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import { notificationOf } from '#voice/notifications';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Posted } from './app-on-disk';

type Posting = Disk & { readonly posted: Map<string, Posted> };

const CALLS: Readonly<Record<string, readonly CallPart[]>> = {
  'Clean up the garden': [call('delete', { path: 'Garden.md' })],
  'Clean up the ideas': [call('delete', { path: 'Ideas.md' })],
  'Clean up the garden and the ideas': [
    call('delete', { path: 'Garden.md' }, { wireId: 'd1' }),
    call('delete', { path: 'Ideas.md' }, { wireId: 'd2' }),
  ],
  'Clean up the years': [call('delete', { path: 'Gardens.md' })],
  'Clean up one by one': [call('delete', { path: 'Garden.md' })],
  'Ask me': [call('ask_user', { question: 'Delete Ideas?' })],
  'Simone, delete it': [call('delete', { path: 'Ideas.md' })],
};

/** A model that answers "Write a long plan" only after it is released. */
function newDisk(released: Promise<void>): Posting {
  const disk = quickDisk();
  const { model } = disk;
  return {
    ...disk,
    model: {
      async *stream(request, signal) {
        const last = request.history.at(-1);
        if (last?.role === 'user' && last.texts.at(-1) === 'Write a long plan') await released;
        yield* model.stream(request, signal);
      },
    },
  };
}

function quickDisk(): Posting {
  return {
    store: memoryStore(),
    vault: tinyVault({ 'Garden.md': 'G\n', 'Gardens.md': 'Gs\n', 'Ideas.md': 'I\n' }),
    clock: testClock(),
    model: thinkingModel(({ history }: ModelRequest) => {
      const last = history.at(-1);
      const first = history.find(({ role }) => role === 'user');
      const words = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      const opening = first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
      const hasMore = /one by one|Ask me/.test(opening) && last?.role === 'results';
      if (hasMore && history.length === 3) return answers([call('delete', { path: 'Ideas.md' })]);
      const made = CALLS[words];
      return made ? answers([...made]) : says(`Heard: ${words.replace(/\?$/, '')}.`);
    }),
    posted: new Map(),
  };
}

async function stage(...requests: readonly string[]) {
  let release = () => {};
  const disk = newDisk(new Promise((resolve) => (release = resolve)));
  const rig = makeRig(disk);
  await rig.load();
  let spoken = 0;
  const say = async (text: string, wait = 0) => {
    spoken += 1;
    await rig.say(`m${spoken}`, text);
    await rig.idle();
    await disk.clock.advance(wait);
    return [...disk.posted]
      .filter(([key]) => key.startsWith(`m${spoken} `))
      .map(([, { reply, request }]) => notificationOf(reply, { request, wireName: 'simone' }).body);
  };
  for (const each of requests) await say(each, 10_000);
  const notes = () => [...disk.vault.texts.keys()].sort();
  return { disk, rig, say, notes, release };
}

const ALL = ['Garden.md', 'Gardens.md', 'Ideas.md'];

describe('two open approvals', () => {
  it('"delete it" deletes nothing, and the answer names the words for each of the two', async () => {
    const { say, notes, disk } = await stage('Clean up the garden', 'Clean up the ideas');
    const told = await say('Simone, delete it');
    expect(notes()).toEqual(ALL);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(
      /^Say “Simone, delete Garden” or “Simone, keep Garden”\. 2 approvals are open\./,
    );
    expect(told[1]).toMatch(/^Say “Simone, delete Ideas” or “Simone, keep Ideas”\./);
    expect(eventsOn(disk, 'turn-notice').map(({ text }) => text)).toEqual(
      Array(2).fill(
        'Heard “Simone, delete it”, which decides nothing here. The notification names the words that do.',
      ),
    );
  });

  it.each([
    'yes',
    'Simone, yes',
    'keep it',
    'no',
    'delete them',
    'Delete it?',
    'delete the last one',
  ])('a phrase that names none of them decides none: %s', async (phrase) => {
    const { say, notes, rig } = await stage('Clean up the garden', 'Clean up the ideas');
    await say(phrase);
    expect(notes()).toEqual(ALL);
    expect((await rig.agent.state()).interactions).toHaveLength(2);
  });

  it('the second is announced with its name, which decides it alone', async () => {
    const { say, notes } = await stage('Clean up the garden');
    const told = await say('Clean up the ideas', 10_000);
    expect(told[0]).toMatch(/^Say “Simone, delete Ideas” or “Simone, keep Ideas”\./);
    await say('Simone, delete the Ideas note.');
    expect(notes()).toEqual(['Garden.md', 'Gardens.md']);
  });

  it('the first is decided by its name after the answer has named it', async () => {
    const { say, notes } = await stage('Clean up the garden', 'Clean up the ideas');
    await say('delete it', 10_000);
    await say('Yes, delete Garden');
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
  });

  it('a name that sounds like another decides nothing and is not offered', async () => {
    const { say, notes } = await stage('Clean up the garden', 'Clean up the years');
    const told = await say('delete it', 10_000);
    expect(told.every((body) => body?.startsWith('Decide in Obsidian.'))).toBe(true);
    await say('delete garden');
    expect(notes()).toEqual(ALL);
  });

  it('a name that comes twice decides once, and is no request of its own', async () => {
    const { rig, notes, disk } = await stage('Clean up the garden', 'Clean up the ideas');
    await Promise.all([rig.say('p1', 'delete Ideas'), rig.say('p2', 'Delete Ideas.')]);
    await rig.idle();
    expect(notes()).toEqual(['Garden.md', 'Gardens.md']);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
  });

  it('the one that is left is announced again, and earlier words do not decide it', async () => {
    const { say, notes, disk } = await stage('Clean up the garden', 'Clean up the ideas');
    await say('delete Ideas', 1_000);
    await say('Simone, yes', 6_000);
    await say('delete it');
    expect(notes()).toEqual(['Garden.md', 'Gardens.md']);
    const offers = [...disk.posted.values()].filter(({ key }) => /:after:/.test(key));
    expect(offers).toMatchObject([{ reply: { decided: 'Ideas will be deleted.' } }]);
    await disk.clock.advance(10_000);
    await say('delete it');
    expect(notes()).toEqual(['Gardens.md']);
  });

  it('after a restart, the one that is left is decided as it was announced again', async () => {
    const { say, notes, disk, rig } = await stage('Clean up the garden', 'Clean up the ideas');
    await say('delete it', 10_000);
    await say('delete Garden', 20_000);
    void rig.runner.close();
    const before = [...disk.posted.keys()];
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect([...disk.posted.keys()]).toEqual(before);
    await next.say('m9', 'delete it');
    await next.idle();
    expect(notes()).toEqual(['Gardens.md']);
  });

  it('an approval on screen only makes "delete it" unclear, too', async () => {
    const { say, notes, rig, disk } = await stage('Clean up the garden');
    await rig.agent.conversations.create();
    await rig.agent.queue.send({ text: 'Clean up the ideas' });
    await rig.idle();
    await disk.clock.advance(10_000);
    const told = await say('delete it', 10_000);
    expect(notes()).toEqual(ALL);
    expect(told[0]).toMatch(/Say “Simone, delete Garden”/);
    await say('delete Garden');
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
  });

  it('after a restart, both are announced as before', async () => {
    const { disk, rig } = await stage('Clean up the garden', 'Clean up the ideas');
    void rig.runner.close();
    const before = [...disk.posted.keys()];
    // The files are found in another order than that in which the approvals came up.
    const [first, second] = [...disk.store.files.keys()].filter((path) => /^inbox/.test(path));
    for (const [path, time] of [
      [first!, 2_000_000_000_000],
      [second!, 1],
    ] as const) {
      const text = disk.store.files.get(path)!;
      disk.store.files.set(path, text.replace(/"time":\d+/, `"time":${time}`));
    }
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect([...disk.posted.keys()]).toEqual(before);
  });
});

describe('an approval that follows something else', () => {
  it('the words for the first of two approvals do not decide the second, which came up a second later', async () => {
    const { say, notes, disk } = await stage('Clean up one by one');
    await say('Simone, delete it', 2_000);
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
    await say('Simone, delete it');
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
    await disk.clock.advance(10_000);
    await say('Simone, delete it');
    expect(notes()).toEqual(['Gardens.md']);
  });

  it('words that come too soon hear why they did not count, and what to do', async () => {
    const { say, disk } = await stage('Clean up one by one');
    await say('Simone, delete it', 2_000);
    const told = await say('Simone, delete it');
    expect(told).toEqual([
      expect.stringMatching(
        /^Say “Simone, delete it” or “Simone, keep it”\. That came too soon to count\. Say it again in a few seconds\./,
      ),
    ]);
    expect(eventsOn(disk, 'turn-notice').map(({ text }) => text)).toEqual([
      'Heard “Simone, delete it” too soon after it was asked, or after another decision, to count. Say it again in a few seconds.',
    ]);
  });

  it('the same holds after a restart', async () => {
    const { say, notes, disk, rig } = await stage('Clean up one by one');
    await say('Simone, delete it', 2_000);
    void rig.runner.close();
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    await next.say('m9', 'Simone, delete it');
    await next.idle();
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
  });

  it('a repeated answer to a question does not decide the approval that followed it', async () => {
    const { say, notes } = await stage('Ask me');
    await say('Yes', 6_000);
    await say('Simone, yes');
    expect(notes()).toEqual(ALL);
  });
});

describe('words that repeat a decision', () => {
  it('delete nothing else unasked, even if the agent takes them for another deletion', async () => {
    const { say, notes } = await stage('Clean up the garden');
    await say('Simone, delete it', 5_000);
    const asked = await say('Simone, delete it', 2_000);
    expect(asked).toEqual([
      expect.stringMatching(/^Say “Simone, delete it” or “Simone, keep it”\./),
    ]);
    expect(await say('Simone, delete it')).toEqual([
      expect.stringContaining('That came too soon to count.'),
    ]);
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
  });

  it('change nothing when they contradict it at once, which the listener learns', async () => {
    const { rig, disk, notes } = await stage('Clean up the garden');
    await Promise.all([rig.say('p1', 'delete it'), rig.say('p2', 'keep it')]);
    await rig.idle();
    expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
    const told = [...disk.posted].flatMap(([key, { reply }]) =>
      key.startsWith('p2 ') && reply.kind === 'end' && reply.end.kind === 'completed'
        ? [reply.end.reply]
        : [],
    );
    expect(told).toEqual(['Garden was already decided. No other decision is waiting.']);
  });
});

it('a phrase decides at once while other turns run', async () => {
  const { rig, release, notes } = await stage('Clean up the garden');
  await rig.say('p1', 'Write a long plan');
  await rig.idleOrWaiting();
  await rig.say('p2', 'delete it');
  await rig.idleOrWaiting();
  expect(notes()).toEqual(['Gardens.md', 'Ideas.md']);
  release();
  await rig.idle();
});

describe('two approvals of one step', () => {
  it('are both announced with their names, because the first waits for the second', async () => {
    const { say } = await stage();
    const told = await say('Clean up the garden and the ideas', 10_000);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^Say “Simone, delete Garden” or “Simone, keep Garden”\./);
    expect(told[1]).toMatch(/^Say “Simone, delete Ideas” or “Simone, keep Ideas”\./);
  });
});

describe('an announced deletion', () => {
  it.each([
    'yes',
    'yes please',
    'ja',
    'sí',
    'oui',
    'go ahead',
    'okay thanks',
    'fine',
    'right',
    'you can',
    'OK',
    'all right then',
    'correct',
  ])('words that only agree delete nothing, even with the name: %s', async (words) => {
    const { say, notes } = await stage('Clean up the garden');
    const told = await say(`Simone, ${words}`);
    expect(notes()).toEqual(ALL);
    expect(told[0]).toMatch(/^Say “Simone, delete it” or “Simone, keep it”\./);
  });

  it.each([
    'delete it?',
    'Simone, delete it?',
    'Yes, delete it?',
    'Delete Garden?',
    'Simone, yes?',
    'Should I delete it?',
    'Can you delete it?',
    'Delete?',
    'Really delete it?',
  ])('a question deletes nothing: %s', async (phrase) => {
    const { say, notes } = await stage('Clean up the garden');
    await say(phrase);
    expect(notes()).toEqual(ALL);
  });

  it.each(['What can you do?', 'Delete the last note', 'Is the note ready?'])(
    'a request of common words is carried out beside it: %s',
    async (words) => {
      const { say, notes, rig, disk } = await stage('Clean up the garden');
      await rig.agent.conversations.create();
      await rig.agent.queue.send({ text: 'Hello' });
      await rig.idle();
      await disk.clock.advance(11 * 60_000);
      expect(await say(words)).toEqual([`Heard: ${words.replace(/\?$/, '')}.`]);
      expect(notes()).toEqual(ALL);
    },
  );

  it.each(['Paint it', 'Milch kaufen'])(
    'the listener learns that a short request was not carried out: %s',
    async (words) => {
      const { say } = await stage('Clean up the garden');
      const told = await say(words);
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(`. Not carried out: “${words}”. `);
    },
  );

  it('the chat does not promise phrases for an approval that voice cannot decide', async () => {
    const { say, rig, disk } = await stage();
    await rig.agent.queue.send({ text: 'Clean up the garden' });
    await rig.idle();
    await disk.clock.advance(10_000);
    const told = await say('delete it');
    expect(told[0]).toMatch(/^Decide in Obsidian\./);
    expect(eventsOn(disk, 'turn-notice').map(({ text }) => text)).toEqual([
      'Heard “delete it”, which decides nothing here. Decide in this chat.',
    ]);
  });
});
