/** Pending edits that are read out, accepted and rejected by voice. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, heardOf, makeRig, type Disk, type Posted } from './app-on-disk';
import { DEATHS, newLife } from './killable-process';

const edit = (path: string, old_text: string, new_text: string) =>
  call('edit_file', { path, edits: [{ old_text, new_text }] });

const CALLS: Readonly<Record<string, readonly ReturnType<typeof call>[]>> = {
  'Buy oat milk': [edit('List.md', 'milk', 'oat milk')],
  'Call Anna instead': [edit('List.md', 'bread', 'rye'), edit('Plan.md', 'Call Bob', 'Call Anna')],
  'Add a script': [edit('List.md', 'milk', '<script>alert(1)</script>')],
};

const TEXTS = { 'List.md': '- bread\n\nmilk\n', 'Plan.md': 'Call Bob\n' };

async function stage(options: Partial<Disk> = {}) {
  const posted = new Map<string, Posted>();
  const disk: Disk & { posted: Map<string, Posted> } = {
    store: memoryStore(),
    vault: tinyVault(TEXTS),
    clock: testClock(),
    model: thinkingModel(({ history }: ModelRequest) => {
      const last = history.at(-1);
      const words = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      const made = CALLS[words];
      return made ? answers([...made]) : says(`Heard: ${words}`);
    }),
    settings: { smartHoleMode: 'review', panelMode: 'review' },
    posted,
    ...options,
  };
  const rig = makeRig(disk);
  await rig.load();
  let spoken = 0;
  const say = async (text: string, wait = 10_000) => {
    spoken += 1;
    await rig.say(`m${spoken}`, text);
    await rig.idle();
    await disk.clock.advance(wait);
    return [...posted]
      .filter(([key]) => key.startsWith(`m${spoken} `))
      .map(([, posted]) => heardOf(posted));
  };
  const pending = () => rig.agent.edits.pending().flatMap(({ edits }) => edits).length;
  const text = (path: string) => disk.vault.texts.get(path);
  return { disk, rig, say, pending, text };
}

describe('one pending edit', () => {
  it.each(['Accept it', 'Simone, accept it', 'yes, accept it please', 'Apply the change'])(
    'is accepted by "%s"',
    async (phrase) => {
      const { say, pending, text } = await stage();
      await say('Buy oat milk');
      expect(await say(phrase)).toEqual(['Accepted 1 edit in List.']);
      expect(text('List.md')).toBe('- bread\n\noat milk\n');
      expect(pending()).toBe(0);
    },
  );

  it('is rejected, and nothing of it is left in the note', async () => {
    const { say, text } = await stage();
    await say('Buy oat milk');
    expect(await say('Reject it')).toEqual(['Rejected 1 edit in List.']);
    expect(text('List.md')).toBe(TEXTS['List.md']);
  });

  it.each(['Read it to me', 'What would you change?', 'Accept it?'])(
    'is read out by "%s", and not decided',
    async (phrase) => {
      const { say, pending } = await stage();
      await say('Buy oat milk');
      expect(await say(phrase)).toEqual([
        'Replace “milk” with “oat milk” in List. Say “accept it” or “reject it”.',
      ]);
      expect(pending()).toBe(1);
    },
  );

  it('is not decided before its announcement can have been heard', async () => {
    const { say, pending } = await stage();
    await say('Buy oat milk', 500);
    await say('Accept it');
    expect(pending()).toBe(1);
    await say('Accept it');
    expect(pending()).toBe(0);
  });

  it('is not decided while voice decisions are off', async () => {
    const { say, pending } = await stage({ isPaired: false });
    await say('Buy oat milk');
    expect(await say('Accept it')).toEqual([
      'Voice decisions are off, so decide in Obsidian: the edits in List.',
    ]);
    expect(pending()).toBe(1);
    expect((await say('Read it to me'))[0]).toMatch(/^Replace “milk”/);
  });

  it('is not accepted by voice if it may run or load something', async () => {
    const { say, pending, rig } = await stage();
    await say('Add a script');
    expect(await say('Accept it')).toEqual([
      'Decide in Obsidian what may run or load from elsewhere: List.',
    ]);
    expect(pending()).toBe(1);
    await rig.idle();
    expect(await say('Reject it')).toEqual(['Rejected 1 edit in List.']);
  });

  it('of a typed request is read out before it is decided', async () => {
    const { say, pending, rig, disk } = await stage();
    await rig.agent.queue.send({ text: 'Buy oat milk' });
    await rig.idle();
    await disk.clock.advance(10_000);
    expect((await say('Accept it'))[0]).toMatch(/^Replace “milk”/);
    expect(pending()).toBe(1);
    await say('Accept it');
    expect(pending()).toBe(0);
  });
});

describe('several pending edits', () => {
  it('are accepted together', async () => {
    const { say, text } = await stage();
    await say('Call Anna instead');
    expect(await say('Accept all')).toEqual(['Accepted 2 edits in List and Plan.']);
    expect(text('List.md')).toBe('- rye\n\nmilk\n');
    expect(text('Plan.md')).toBe('Call Anna\n');
  });

  it.each(['Accept it', 'Reject the second', 'Read them to me'])(
    'are read out with their numbers by "%s"',
    async (phrase) => {
      const { say, pending } = await stage();
      await say('Call Anna instead');
      expect(await say(phrase)).toEqual([
        '2 edits wait. First: Replace “bread” with “rye” in List. Second: Replace “Call Bob” with “Call Anna” in Plan. Say “accept all” or “reject the second”.',
      ]);
      expect(pending()).toBe(2);
    },
  );

  it('keep their numbers when one of them is decided', async () => {
    const { say, text, pending } = await stage();
    await say('Call Anna instead');
    await say('Read them to me');
    expect(await say('Reject the first one')).toEqual(['Rejected 1 edit in List. 1 edit waits.']);
    expect(await say('Accept the second')).toEqual(['Accepted 1 edit in Plan.']);
    expect(text('List.md')).toBe(TEXTS['List.md']);
    expect(text('Plan.md')).toBe('Call Anna\n');
    expect(pending()).toBe(0);
  });
});

describe('edits of another chat', () => {
  it('have not the numbers of those that were read out before', async () => {
    const { say, pending } = await stage();
    await say('Buy oat milk');
    await say('Read it to me', 3_600_000);
    await say('Call Anna instead');
    expect((await say('Reject the second'))[0]).toMatch(/^2 edits wait\. First: /);
    expect(pending()).toBe(3);
  });
});

describe('many long edits', () => {
  it('are read out as far as a notification shows them', async () => {
    const words = (name: string) => `${name} ${'and more '.repeat(30)}`;
    const texts = Object.fromEntries(['A', 'B', 'C'].map((name) => [`${name}.md`, words(name)]));
    const made = ['A', 'B', 'C'].map((name) =>
      edit(`${name}.md`, words(name), words(`New ${name}`)),
    );
    const { say } = await stage({
      vault: tinyVault(texts),
      model: thinkingModel(({ history }) => (history.length === 1 ? answers(made) : says('Done.'))),
    });
    await say('Change all');
    const [body] = await say('Read them to me');
    expect(body).toMatch(
      /^3 edits wait\. First: Replace “A and more .* in A\. Say “accept all” or/,
    );
    expect(await say('Reject the third')).toEqual(['Only 1 edit was read out.']);
  });
});

describe('words about edits', () => {
  it('are for the agent if none is pending', async () => {
    const { say } = await stage();
    expect(await say('Accept it')).toEqual(['Heard: Accept it.']);
    expect(await say('Read it to me')).toEqual(['Heard: Read it to me.']);
  });

  it('decide one edit, wherever the process is killed', async () => {
    for (const death of DEATHS) {
      for (let act = 1; act <= 24; act += 2) {
        const first = await stage();
        await first.say('Call Anna instead');
        await first.say('Read them to me');
        await first.say('Reject the first');
        void first.rig.runner.close();
        const life = newLife(act - 1, death);
        const mortal = makeRig(first.disk, life);
        await mortal.load();
        void mortal.say('m9', 'Accept it');
        await mortal.idle();
        await mortal.idle();
        const rig = makeRig(first.disk);
        await rig.load();
        await rig.idle();
        if (life.isDead) await rig.say('m9', 'Accept it');
        await rig.idle();
        const where = `${death} act ${act}`;
        const decided = eventsOn(first.disk, 'edits-decide').flatMap(({ decisions }) => decisions);
        expect(decided.length, where).toBeLessThanOrEqual(2);
        expect(first.disk.vault.texts.get('List.md'), where).toBe(TEXTS['List.md']);
        void rig.runner.close();
      }
    }
  });
});
