/** Turns that wait for the user, with a manual clock and a disk that may fail at each operation. */
import { describe, expect, it } from 'vitest';
import { openInteractions } from '#model/conversation';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import { FOLLOWER_NOTICE } from '#queue/leader-lock';
import { diskError, memoryStore } from '../builders/fake-storage';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, scriptedModel, thinkingModel } from '../builders/model-stream';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife } from './killable-process';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';

const MINUTE_MS = 60_000;

/** Asks once, and repeats the answer. */
function asking(...calls: CallPart[]) {
  return (request: ModelRequest) => {
    const last = request.history.at(-1);
    if (last?.role === 'user' && /Paint/.test(last.texts.join())) return answers(calls);
    if (last?.role !== 'results') return says('Yes.');
    const told = last.results.map(({ result }) => result.text.split('\n')[0]).join(' | ');
    return says(told);
  };
}

const WHICH = () => call('ask_user', { question: 'Which colour?' }, { wireId: 'q1' });
const WHERE = () => call('ask_user', { question: 'Which wall?' }, { wireId: 'q2' });
const GOES = () => call('delete', { path: 'Old.md' }, { wireId: 'd1' });

function newDisk(...calls: CallPart[]): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault({ 'Old.md': 'Old.\n' }),
    clock: testClock(),
    model: thinkingModel(asking(...calls)),
  };
}

async function asked(disk: Disk): Promise<Rig> {
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Paint it.' });
  await rig.idle();
  await disk.clock.advance(1000);
  return rig;
}

const replies = (disk: Disk) =>
  eventsOn(disk, 'turn-end').map(({ end }) => `${end.kind}: ${end.reply}`);
const resolutions = (disk: Disk) =>
  eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution.kind);

async function askedByVoice(disk: Disk): Promise<Rig> {
  const rig = makeRig(disk);
  await rig.load();
  await rig.say('m1', 'Paint it.');
  await rig.idle();
  await disk.clock.advance(1000);
  return rig;
}

describe('a question and an approval', () => {
  it('a question and an approval of a typed request wait without a limit, also over a restart', async () => {
    const disk = newDisk(WHICH(), GOES());
    void (await asked(disk)).runner.close();
    await disk.clock.advance(24 * 60 * MINUTE_MS);
    const rig = makeRig(disk);
    await rig.load();
    await disk.clock.advance(24 * 60 * MINUTE_MS);
    await rig.idle();
    expect((await rig.agent.state()).interactions).toHaveLength(2);
    await rig.agent.queue.send({ text: 'Blue' });
    await rig.idle();
    expect(replies(disk)).toEqual([expect.stringMatching(/^completed: The user said next: Blue/)]);
  });

  it('a question and an approval of a spoken request expire together after an hour, without another model call', async () => {
    const disk = newDisk(WHICH(), GOES());
    const rig = await askedByVoice(disk);
    await disk.clock.advance(59 * MINUTE_MS - 2000);
    expect((await rig.agent.state()).interactions).toHaveLength(2);
    await disk.clock.advance(MINUTE_MS + 2000);
    await rig.idle();
    expect(replies(disk)).toEqual([
      'limited: Stopped because no answer came in time. Nothing was changed.',
    ]);
    expect(resolutions(disk)).toEqual(['expired', 'expired']);
    expect(eventsOn(disk, 'step-start')).toHaveLength(1);
    expect((await rig.agent.state()).interactions).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    // The next message is a new request with a valid history.
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(replies(disk).at(-1)).toBe('completed: Yes.');
  });

  it('interactions expire at their original time, also over a restart', async () => {
    const disk = newDisk(WHICH());
    void (await askedByVoice(disk)).runner.close();
    await disk.clock.advance(30 * MINUTE_MS);
    const rig = makeRig(disk);
    await rig.load();
    await disk.clock.advance(29 * MINUTE_MS);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    await disk.clock.advance(2 * MINUTE_MS);
    await rig.idle();
    expect(resolutions(disk)).toEqual(['expired']);
  });

  it('answered interactions do not expire', async () => {
    const disk = newDisk(WHICH());
    const rig = await askedByVoice(disk);
    await rig.agent.queue.answer({ text: 'Blue' });
    await rig.idle();
    await disk.clock.advance(120 * MINUTE_MS);
    expect(replies(disk)).toEqual(['completed: The user said next: Blue']);
    expect(disk.clock.pending).toBe(0);
  });
});

describe('an approval', () => {
  it('an approval is denied by other typed words, which reach the model in the same turn', async () => {
    const disk = newDisk(GOES());
    const rig = await asked(disk);
    await rig.agent.queue.send({ text: 'Wait, forget it. Add milk to the list.' });
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
    expect(inboxOn(disk)).toEqual([]);
    expect(eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution)).toEqual([
      {
        kind: 'choice',
        choice: 'keep',
        reason: 'Wait, forget it. Add milk to the list.',
        via: 'typed',
      },
    ]);
    const [result] = eventsOn(disk, 'call-end').map((event) => event.result.text);
    expect(result).toMatch(/^The user answered the request to run delete with something else/);
    expect(result).toContain('The user said next: Wait, forget it. Add milk to the list.\n');
    expect(replies(disk)).toHaveLength(1);
  });

  it('an approval is decided by a typed yes or no word', async () => {
    for (const [words, remains] of [
      ['Yes, please.', false],
      ['delete it', false],
      ['Yes, delete it!', false],
      ['No', true],
      ['Keep it.', true],
    ] as const) {
      const disk = newDisk(GOES());
      const rig = await asked(disk);
      await rig.agent.queue.send({ text: words });
      await rig.idle();
      expect(disk.vault.texts.has('Old.md'), words).toBe(remains);
      expect(eventsOn(disk, 'turn-start'), words).toHaveLength(1);
      expect(inboxOn(disk), words).toEqual([]);
    }
  });

  it('an approval is not decided by what was typed before it was shown, which stays queued', async () => {
    const base = newDisk(GOES());
    const model = scriptedModel(async () => {
      await base.clock.advance(1000);
      return answers([GOES()]);
    });
    const disk = { ...base, model };
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Paint it.' });
    await rig.agent.queue.send({ text: 'Yes' });
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    expect(inboxOn(disk)).toHaveLength(2);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });

  it('several approvals are denied together, and the words are reported once', async () => {
    const disk = newDisk(GOES(), call('delete', { path: 'Older.md' }, { wireId: 'd2' }));
    disk.vault.texts.set('Older.md', 'Older.\n');
    const rig = await asked(disk);
    expect((await rig.agent.state()).interactions).toHaveLength(2);
    await rig.agent.queue.send({ text: 'Let us do that tomorrow' });
    await rig.idle();
    expect(disk.vault.texts.size).toBe(2);
    const results = eventsOn(disk, 'call-end').map((event) => event.result.text);
    expect(results.filter((text) => text.includes('Let us do that tomorrow'))).toHaveLength(1);
    expect(results).toHaveLength(2);
    expect(replies(disk)).toHaveLength(1);
  });

  it('an approval is denied once, wherever the process is killed', async () => {
    for (const death of DEATHS) {
      for (let act = 1; act <= 12; act += 1) {
        const disk = newDisk(GOES(), call('delete', { path: 'Older.md' }, { wireId: 'd2' }));
        disk.vault.texts.set('Older.md', 'Older.\n');
        const first = await asked(disk);
        await first.agent.queue.send({ text: 'Not now' }).then(() => first.runner.close());
        const mortal = makeRig(disk, newLife(act - 1, death));
        void mortal.load();
        await mortal.idle();
        await mortal.idle();
        const rig = makeRig(disk);
        await rig.load();
        await rig.idle();
        const where = `${death} act ${act}`;
        expect(eventsOn(disk, 'answer-end'), where).toHaveLength(1);
        expect(resolutions(disk), where).toEqual(['choice', 'choice']);
        const told = eventsOn(disk, 'interaction-end').filter(
          ({ resolution }) => resolution.kind === 'choice' && resolution.reason !== undefined,
        );
        expect(told, where).toHaveLength(1);
        expect(eventsOn(disk, 'turn-start'), where).toHaveLength(1);
        expect(inboxOn(disk), where).toEqual([]);
        expect(disk.vault.texts.size, where).toBe(2);
      }
    }
  });
});

describe('a click', () => {
  it('a repeated click continues the turn once', async () => {
    const disk = newDisk(GOES());
    const rig = await asked(disk);
    const [approval] = (await rig.agent.state()).interactions;
    const id = approval!.interaction.id;
    await Promise.all([
      rig.agent.queue.approve({ approval: id, choice: 'keep' }),
      rig.agent.queue.approve({ approval: id, choice: 'delete' }),
    ]);
    await rig.idle();
    expect(replies(disk)).toHaveLength(1);
    expect(eventsOn(disk, 'step-start')).toHaveLength(2);
    expect(disk.vault.texts.has('Old.md')).toBe(true);
    expect((await rig.agent.state()).running).toEqual([]);
  });

  it('a click counts while the same step goes on asking', async () => {
    const disk = newDisk(GOES(), WHICH());
    const rig = makeRig(disk);
    await rig.load();
    let clicked: Promise<unknown> = Promise.resolve();
    const { append } = disk.store;
    disk.store.append = async (path, text, options) => {
      const first = eventsOn(disk, 'interaction-start')[0]?.interaction;
      if (text.includes('"interaction-start"') && first) {
        // The approval is on screen, and the question is not yet on disk.
        clicked = rig.agent.queue.approve({ approval: first.id, choice: 'delete' });
        await settle();
      }
      return append(path, text, options);
    };
    await rig.agent.queue.send({ text: 'Paint it.' });
    await rig.idle();
    expect(await clicked).toEqual({ ok: true });
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    await rig.agent.queue.answer({ text: 'Blue' });
    await rig.idle();
    expect(disk.vault.texts.has('Old.md')).toBe(false);
    expect(replies(disk)).toHaveLength(1);
  });
});

describe('Stop', () => {
  it('Stop right after the request stops its turn before it begins', async () => {
    const disk = newDisk();
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Hello?' });
    expect(await rig.agent.queue.stop()).toMatchObject({ ok: true });
    await rig.idle();
    expect(replies(disk)).toEqual(['stopped: Stopped.']);
    expect(eventsOn(disk, 'step-start')).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });
});

describe('Discard', () => {
  it('a request discarded at once is either gone or has its turn, never both', async () => {
    const disk = newDisk();
    const rig = makeRig(disk);
    await rig.load();
    const sent = await rig.agent.queue.send({ text: 'Hello?' });
    const discarded = await rig.agent.queue.discard(sent.ok ? sent.request : ('' as never));
    await rig.idle();
    expect(replies(disk)).toEqual(discarded.ok ? [] : ['completed: Yes.']);
    expect(inboxOn(disk)).toEqual([]);
  });
});

describe('a message that answers', () => {
  it.each(DEATHS)(
    'an answer is taken once, whichever operation is the last: killed %s it',
    async (death) => {
      for (let at = 0; ; at += 1) {
        const disk = newDisk(WHICH(), WHERE());
        void (await asked(disk)).runner.close();
        await disk.clock.advance(1000);
        const life = newLife(at, death);
        const first = makeRig(disk, life);
        void first
          .load()
          .then(() => first.agent.queue.send({ text: 'Blue.' }))
          .catch(() => undefined);
        await settle();
        await first.idle();
        await settle();
        await disk.clock.advance(1000);

        const next = makeRig(disk);
        await next.load();
        await next.idle();
        if (replies(disk).length === 0) await next.agent.queue.send({ text: 'Blue.' });
        await next.idle();
        const where = `after a death ${death} act ${at}`;
        expect([where, replies(disk)]).toEqual([
          where,
          ['completed: The user said next: Blue. | The user said next: Blue.'],
        ]);
        expect([where, eventsOn(disk, 'answer-end').length]).toEqual([where, 1]);
        expect([where, eventsOn(disk, 'turn-start').length]).toEqual([where, 1]);
        expect([where, inboxOn(disk)]).toEqual([where, []]);
        if (!life.isDead) break;
        expect(at).toBeLessThan(60);
      }
    },
  );

  it('an answer is taken even if its queued request cannot be removed, and is not asked later', async () => {
    const disk = newDisk(WHICH());
    const rig = await asked(disk);
    const { store } = disk;
    const { remove } = store;
    store.remove = async () => {
      throw diskError('EBUSY');
    };
    await rig.agent.queue.send({ text: 'Blue.' });
    await rig.idle();
    expect(replies(disk)).toEqual(['completed: The user said next: Blue.']);
    void rig.runner.close();
    store.remove = remove;
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect(replies(disk)).toHaveLength(1);
    expect(inboxOn(disk)).toEqual([]);
  });
});

describe('what the user does while open turns are still being found', () => {
  it.each([
    ['an answer', WHICH(), ({ queue }) => queue.answer({ text: 'Blue.' }), 'completed'],
    [
      'a decision',
      GOES(),
      async (agent) => {
        const { current } = await agent.state();
        const [open] = openInteractions(current!.turns[0]!);
        return agent.queue.approve({ approval: open!.id, choice: 'delete' });
      },
      'completed',
    ],
    ['a stop', WHICH(), ({ queue }) => queue.stop(), 'stopped'],
  ] as const satisfies readonly (readonly [
    string,
    CallPart,
    (agent: Rig['agent']) => Promise<{ ok: boolean }>,
    string,
  ])[])('%s waits until they are found, and counts', async (_what, asks, act, end) => {
    const disk = newDisk(asks);
    const first = await asked(disk);
    void first.runner.close();
    const next = makeRig(disk);
    const loading = next.load();
    const acting = act(next.agent);
    await loading;
    expect(await acting).toMatchObject({ ok: true });
    await next.idle();
    expect(replies(disk)).toEqual([expect.stringMatching(`^${end}`)]);
  });

  it('in a window where another one runs requests, a decision is refused with the reason', async () => {
    const disk = newDisk(WHICH());
    await asked(disk);
    const other = makeRig({ ...disk, lease: 'other' });
    await other.load();
    expect(await other.agent.queue.answer({ text: 'Blue.' })).toEqual({
      ok: false,
      reason: FOLLOWER_NOTICE,
    });
  });
});

describe('an unreadable last conversation', () => {
  it('an unreadable conversation is left alone and reported once, and does not prevent asking, stopping or starting a new one', async () => {
    const model = {
      async *stream() {
        yield* says('Yes.');
      },
    };
    const disk: Disk = { ...newDisk(), model };
    const first = makeRig(disk);
    await first.load();
    await first.agent.queue.send({ text: 'Hello?' });
    await first.idle();
    void first.runner.close();
    const path = [...disk.store.files.keys()].find((each) => /conversations.conv/.test(each))!;
    const newer = disk.store.files.get(path)!.replace('"version":1', '"version":9');
    disk.store.files.set(path, newer);
    await disk.clock.advance(1000);

    const rig = makeRig(disk);
    await rig.load();
    const id = /conversation-[^.]+/.exec(path)![0] as never;
    expect((await rig.agent.state()).current).toBeNull();
    expect(await rig.agent.queue.stop()).toMatchObject({ reason: 'Nothing is running.' });
    const refused = await rig.agent.queue.send({ text: 'There?', conversation: id });
    expect(refused).toMatchObject({ ok: false });
    await rig.agent.queue.send({ text: 'And here?' });
    await rig.idle();
    expect((await rig.agent.state()).current?.turns.at(-1)?.end).toMatchObject({ reply: 'Yes.' });
    expect(await rig.agent.conversations.create()).toMatchObject({ ok: true });
    expect(rig.problems).toHaveLength(1);
    expect(disk.store.files.get(path)).toBe(newer);
  });
});

describe('a closed runner', () => {
  it('a closed runner releases its turn, which the next runner ends', async () => {
    let open = () => undefined as void;
    const shown = new Promise<void>((resolve) => (open = resolve));
    const disk: Disk = {
      ...newDisk(),
      model: {
        async *stream() {
          await shown;
          yield* says('Late.');
        },
      },
    };
    const first = makeRig(disk);
    await first.load();
    await first.agent.queue.send({ text: 'Hello?' });
    await settle();
    void first.runner.close();
    const before = new Map(disk.store.files);
    open();
    await settle();
    await settle();
    expect(disk.store.files).toEqual(before);
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect(replies(disk)).toEqual(['completed: Late.']);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  });

  it('a runner reports saved requests that cannot be read, and runs the others', async () => {
    const disk = newDisk();
    const first = makeRig(disk);
    await first.agent.queue.send({ text: 'Hello?' });
    await first.agent.queue.send({ text: 'Hello again?' });
    void first.runner.close();
    const [broken] = inboxOn(disk);
    disk.store.unreadable.set(broken!, diskError('EACCES'));
    for (const path of disk.store.files.keys()) {
      if (path.startsWith('conversations/')) disk.store.files.delete(path);
    }
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect(next.problems.join()).toContain(broken!.replace('inbox/', ''));
    expect(inboxOn(disk)).toEqual([broken]);
  });
});
