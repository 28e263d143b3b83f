/** Commands that need no model: undo, what changed, what is waiting, stop, continue. */
import { describe, expect, it } from 'vitest';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import type { Announcement } from '#voice/turn-replies';
import { testClock } from '../builders/fake-clock';
import { answers, call, fails, says, thinkingModel } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife } from './killable-process';
import { eventsOn, heardOf, inboxOn, makeRig, type Disk } from './app-on-disk';

type Posting = Disk & { readonly posted: Map<string, Announcement> };

const APPEND = (content: string) =>
  call('edit_file', { path: 'Lists/Shopping.md', edits: [{ position: 'end', content }] });

const CALLS: Readonly<Record<string, CallPart>> = {
  'Add milk': APPEND('- milk'),
  'Add eggs': APPEND('- eggs'),
  'Ask me': call('ask_user', { question: 'Which list?' }),
  'Delete the list': call('delete', { path: 'Lists/Shopping.md' }),
};

const lastText = ({ history }: ModelRequest) => {
  const last = history.at(-1);
  return last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
};

function newDisk(
  answer = (request: ModelRequest) => {
    const made = CALLS[lastText(request)];
    return made ? answers([made]) : says('All right.');
  },
): Posting {
  return {
    store: memoryStore(),
    vault: tinyVault({ 'Lists/Shopping.md': '- bread\n' }),
    clock: testClock(),
    model: thinkingModel(answer),
    posted: new Map(),
  };
}

async function started(disk: Disk) {
  const rig = makeRig(disk);
  await rig.load();
  await rig.idle();
  return rig;
}

const told = ({ posted }: Posting, id: string) =>
  [...posted].filter(([key]) => key.startsWith(`${id} `)).map(([, posted]) => heardOf(posted));

const list = ({ vault }: Disk) => vault.texts.get('Lists/Shopping.md');
const replies = (disk: Disk) => eventsOn(disk, 'turn-end').map(({ end }) => end.reply);

describe('a quick command', () => {
  it('"undo that" undoes the last spoken change without a model and says so first', async () => {
    let isDown = false;
    const disk = newDisk((request) => {
      if (isDown) return fails('network');
      const made = CALLS[lastText(request)];
      return made ? answers([made]) : says('Added milk.');
    });
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
    isDown = true;
    await disk.clock.advance(10_000);
    await rig.say('m2', 'Miss Simone, undo that, please.');
    await rig.idle();
    expect(list(disk)).toBe('- bread\n');
    expect(told(disk, 'm2')).toEqual(['Undone: “Add milk”, in Shopping.']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('"undo that" said again undoes the change before, and then nothing', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    for (const [at, text] of ['Add milk', 'Add eggs', 'undo that', 'undo it'].entries()) {
      await rig.say(`m${at}`, text);
      await rig.idle();
      await disk.clock.advance(10_000);
    }
    expect(list(disk)).toBe('- bread\n');
    await rig.say('m9', 'Undo that.');
    await rig.idle();
    expect(told(disk, 'm9')).toEqual([
      'Nothing to undo: no note was changed in the last 24 hours.',
    ]);
  });

  it('a change of more than a day ago is not undone by voice', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(25 * 3_600_000);
    await rig.say('m2', 'Undo that');
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
  });

  it('"undo that" undoes one change, wherever the process is killed', async () => {
    for (const death of DEATHS) {
      for (let act = 1; act <= 30; act += strideOf(7)) {
        const disk = newDisk();
        const first = await started(disk);
        for (const text of ['Add milk', 'Add eggs']) {
          await first.say(`m ${text}`, text);
          await first.idle();
          await disk.clock.advance(10_000);
        }
        void first.runner.close();
        const life = newLife(act - 1, death);
        const mortal = makeRig(disk, life);
        const taken = mortal.load().then(() => mortal.say('m2', 'Undo that'));
        const outcome = await Promise.race([taken, mortal.idle().then(() => mortal.idle())]);
        await mortal.idle();
        await disk.clock.advance(1000);
        const rig = await started(disk);
        if (!outcome || life.isDead) await rig.say('m2', 'Undo that');
        await rig.idle();
        const where = `${death} act ${act}`;
        expect(list(disk), where).toBe('- bread\n- milk\n');
        expect(inboxOn(disk), where).toEqual([]);
        expect((await rig.agent.state()).busy, where).toBe(false);
        void rig.runner.close();
      }
    }
  });

  it('a spoken command is not undone by asking for it again after a crash or by an echo', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await rig.say('m2', 'Add eggs');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m3', 'Undo that');
    await rig.say('m4', 'undo that.');
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
  });

  it('a typed /undo undoes the last change of its own chat only', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Add milk' });
    await rig.idle();
    await disk.clock.advance(1000);
    const made = await rig.agent.conversations.create();
    const conversation = made.ok ? made.conversation : undefined;
    await rig.agent.queue.send({ text: '/undo', conversation: conversation! });
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
    expect(replies(disk).at(-1)).toBe('Nothing to undo: no note was changed in this chat.');
  });

  it('typed words without a slash are a request to the agent', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Add milk' });
    await rig.idle();
    await disk.clock.advance(1000);
    await rig.agent.queue.send({ text: 'undo that' });
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
    expect(replies(disk).at(-1)).toBe('All right.');
  });

  it('the agent learns with the next request what a command did', async () => {
    const requests: ModelRequest[] = [];
    const disk = newDisk((request) => {
      requests.push(request);
      const made = CALLS[lastText(request)];
      return made ? answers([made]) : says('All right.');
    });
    const rig = await started(disk);
    for (const [at, text] of ['Add milk', 'Undo that', 'Why?'].entries()) {
      await rig.say(`m${at}`, text);
      await rig.idle();
      await disk.clock.advance(10_000);
    }
    const sent = JSON.stringify(requests.at(-1)?.history);
    expect(sent).toContain(
      'Parley carried out the request above itself and answered: Undone: “Add milk”',
    );
    expect(sent).toContain('Undid what you changed: Lists/Shopping.md');
  });

  it('a command that comes again within a second is answered again', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(10_000);
    await Promise.all([rig.say('m2', 'Undo that'), rig.say('m3', 'undo that!')]);
    await rig.idle();
    expect(told(disk, 'm2')).toHaveLength(1);
    expect(told(disk, 'm3')).toHaveLength(1);
  });

  it('"what did you do?" names the change and its request, also after it was undone', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m2', 'What did you do?');
    await rig.idle();
    expect(told(disk, 'm2')).toEqual(['1 line was added to Shopping, for “Add milk”.']);
    await disk.clock.advance(10_000);
    await rig.say('m3', 'Undo that');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m4', 'What did you do?');
    await rig.idle();
    expect(told(disk, 'm4')).toEqual([
      '1 line was added to Shopping, for “Add milk”, and undone since.',
    ]);
  });

  it('"what did you do?" names the last change after days, too', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(50 * 3_600_000);
    await rig.say('m2', 'What did you do?');
    await rig.idle();
    expect(told(disk, 'm2')).toEqual(['1 line was added to Shopping, for “Add milk”.']);
  });

  it('"what did you do?" says that a request failed', async () => {
    const disk = newDisk(() => fails('key'));
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m2', 'What did you do?');
    await rig.idle();
    expect(told(disk, 'm2')[0]).toMatch(
      /^Nothing yet: “Add milk” failed because the API key is missing or invalid\. /,
    );
  });

  it('a hidden note is not named in an answer, which the agent may read later', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await rig.agent.settings.set({ excludedFolders: ['Lists'] });
    await disk.clock.advance(10_000);
    await rig.say('m2', 'What did you do?');
    await rig.idle();
    expect(told(disk, 'm2')).toEqual(['A hidden note was changed, for “Add milk”.']);
  });

  it('"what is waiting?" names the open question, and the question stays open', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Ask me');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m2', 'What is waiting?');
    await rig.idle();
    expect(told(disk, 'm2')).toEqual(['A question: Which list?']);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    expect(eventsOn(disk, 'turn-notice').map(({ text }) => text)).toEqual([
      '“What is waiting?”: A question: Which list?',
    ]);
  });

  it('"what is waiting?" says what failed and when it is retried, and says when nothing waits', async () => {
    const disk = newDisk(() => fails('key'));
    const rig = await started(disk);
    await rig.say('m0', 'What is waiting?');
    await rig.idle();
    expect(told(disk, 'm0')).toEqual(['Nothing is waiting, and nothing is running.']);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await rig.say('m2', "What's pending?");
    await rig.idle();
    expect(told(disk, 'm2')).toEqual([
      '“Add milk” failed because the API key is missing or invalid. Check it in the settings; I’ll try again when it changes.',
    ]);
  });

  it('a spoken command without any chat begins none', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Stop');
    await rig.idle();
    expect(told(disk, 'm1')).toEqual(['Nothing is running.']);
    expect(eventsOn(disk, 'conversation-start')).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('"stop" ends a running turn at once, is told once, and leaves queued messages alone', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const disk: Posting = {
      ...newDisk(),
      model: {
        async *stream(request, signal) {
          if (lastText(request) === 'Add milk') {
            await new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => resolve());
              void held.then(resolve);
            });
            if (signal.aborted) return;
          }
          yield* says('All right.');
        },
      },
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.say('m1', 'Add milk');
    await rig.idleOrWaiting();
    const { current } = await rig.agent.state();
    await disk.clock.advance(1000);
    await rig.agent.queue.send({ text: 'And then?', conversation: current!.id });
    await rig.say('m2', 'Simone, stop');
    await rig.idle();
    release();
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['stopped', 'completed']);
    expect(told(disk, 'm1')).toHaveLength(1);
    expect(told(disk, 'm2')).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('"undo that" waits until the running turn has ended, and says so at once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const disk: Posting = {
      ...newDisk(),
      model: {
        async *stream({ history }) {
          if (history.at(-1)?.role === 'results') await held;
          yield* history.length === 1 ? answers([APPEND('- milk')]) : says('Added.');
        },
      },
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.say('m1', 'Add milk');
    await rig.idleOrWaiting();
    await disk.clock.advance(1000);
    await rig.say('m2', 'Undo that');
    await rig.idleOrWaiting();
    expect(told(disk, 'm2')).toEqual([
      'Not undone yet: still working on “Add milk”. Stop it first, then undo.',
    ]);
    release();
    await rig.idle();
    expect(list(disk)).toBe('- bread\n- milk\n');
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['completed']);
  });

  it('"continue" is left to the agent after a turn that was stopped, and after an answer', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await rig.say('m1', 'Ask me');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m2', 'Stop');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('m3', 'Continue');
    await rig.idle();
    expect(told(disk, 'm3')).toEqual(['All right.']);
    await disk.clock.advance(10_000);
    await rig.say('m4', 'go on');
    await rig.idle();
    expect(told(disk, 'm4')).toEqual(['All right.']);
    await disk.clock.advance(11 * 60_000);
    await rig.say('m5', 'go on');
    await rig.idle();
    expect(told(disk, 'm5')).toEqual(['Nothing is paused or unfinished.']);
    const [last] = eventsOn(disk, 'turn-end').slice(-1);
    expect(last?.end).toMatchObject({ kind: 'completed', outcome: 'done' });
    expect(new Set(eventsOn(disk, 'turn-start').map((event) => event.conversation)).size).toBe(1);
  });

  it('"continue" tries the failed request of its chat again', async () => {
    let isDown = true;
    const disk = newDisk((request) => {
      if (isDown) return fails('too-long');
      const made = CALLS[lastText(request)];
      return made ? answers([made]) : says('Added milk.');
    });
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    isDown = false;
    await disk.clock.advance(10_000);
    await rig.say('m2', 'Continue');
    await rig.idle();
    expect(told(disk, 'm2')).toEqual(['Trying “Add milk” again.']);
    expect(list(disk)).toBe('- bread\n- milk\n');
    expect(inboxOn(disk)).toEqual([]);
  });
});
