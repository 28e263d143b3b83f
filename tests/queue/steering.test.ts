/** Messages that are sent while a turn runs: each joins it, waits for its end, or stops it. */
import { describe, expect, it } from 'vitest';
import type { QueuedRequest } from '#model/request';
import { diskError } from '../builders/fake-storage';
import { fails } from '../builders/model-stream';
import { eventsOn, inboxOn, makeRig, type Rig } from './app-on-disk';
import {
  begun,
  ends,
  isSteering,
  joined,
  running,
  steeringDisk,
  type SteeringDisk,
} from './steering-disk';
import { signatureOf } from '../builders/fake-signer';

describe('a message sent while a turn runs', () => {
  it('a message joins the running turn behind the results of the step', async () => {
    const { disk } = await running('Write 2 a', 'a1.md', ({ agent }) =>
      agent.queue.send({ text: 'In French, please.' }),
    );
    expect(begun(disk)).toEqual(['Write 2 a']);
    expect(joined(disk)).toEqual(['In French, please.']);
    expect(eventsOn(disk, 'steer-join')[0]?.step).toBe(1);
    expect(ends(disk)).toEqual(['completed']);
    expect(inboxOn(disk)).toEqual([]);
    const { history } = disk.model.requests[1]!;
    expect(history.map(({ role }) => role)).toEqual(['user', 'model', 'results', 'user']);
    const last = history.at(-1)!;
    expect(isSteering(last)).toBe(true);
    expect(last.role === 'user' && last.texts.at(-1)).toBe('In French, please.');
  });

  it('two messages in a row join the turn in the order in which they were sent', async () => {
    const { disk } = await running('Write 2 a', 'a1.md', async ({ agent }) => {
      await agent.queue.send({ text: 'First.' });
      await agent.queue.send({ text: 'Second.' });
    });
    expect(joined(disk)).toEqual(['First.', 'Second.']);
    expect(begun(disk)).toEqual(['Write 2 a']);
  });

  it('a message that comes while the last step runs joins the turn before its end is announced', async () => {
    const { disk } = await running('Write 1 a and end', 'a1.md', ({ agent }) =>
      agent.queue.send({ text: 'Oh wait, the report is done.' }),
    );
    expect(begun(disk)).toEqual(['Write 1 a and end']);
    expect(joined(disk)).toEqual(['Oh wait, the report is done.']);
    expect(ends(disk)).toEqual(['completed']);
    expect(disk.vault.texts.has('a1.md')).toBe(true);
    const done = eventsOn(disk, 'call-end').at(-1)?.result;
    expect(done).toMatchObject({ failed: true });
    expect(done?.text).toContain('another message');
    // The model reads the message right behind the results, before it reports.
    const { history } = disk.model.requests.at(-1)!;
    expect(history.slice(-2).map(({ role }) => role)).toEqual(['results', 'user']);
    expect(eventsOn(disk, 'turn-end')[0]?.end).toMatchObject({
      reply: 'Finished: Write 1 a and end',
    });
  });

  it('a message that no longer fits into the turn does not keep it from ending', async () => {
    const disk = steeringDisk({ stepsPerTurn: 5 });
    const act = ({ agent }: Rig) => agent.queue.send({ text: 'And this?' });
    await running('Write 4 a and end', 'a4.md', act, disk);
    expect(begun(disk)).toEqual(['Write 4 a and end', 'And this?']);
    expect(ends(disk)).toEqual(['completed', 'completed']);
    expect(joined(disk)).toEqual([]);
  });

  it.each([
    ['while the last answer is written joins the turn', 'step-end', ['One more thing.'], 1],
    ['after the end of the turn becomes the next turn', 'turn-end', [], 2],
  ] as const)('a message that comes %s', async (_, moment, joins, turns) => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    let sent = false;
    rig.agent.subscribe((event) => {
      if (sent || event.type !== moment || ('stop' in event && event.stop !== 'end')) return;
      sent = true;
      void rig.agent.queue.send({ text: 'One more thing.' });
    });
    await rig.load();
    await rig.agent.queue.send({ text: 'Write 1 a' });
    await rig.idle();
    expect(joined(disk)).toEqual(joins);
    expect(ends(disk)).toHaveLength(turns);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a message that was sent before the turn began gets a turn of its own', async () => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    const made = await rig.agent.conversations.create();
    const conversation = made.ok ? made.conversation : ('' as never);
    await rig.agent.queue.send({ text: 'Write 2 a', conversation });
    await rig.agent.queue.send({ text: 'Write 1 b', conversation });
    await disk.clock.advance(1000);
    await rig.load();
    await rig.idle();
    expect(begun(disk)).toEqual(['Write 2 a', 'Write 1 b']);
    expect(joined(disk)).toEqual([]);
  });

  it('a message of another chat does not join the turn', async () => {
    const { disk } = await running('Write 2 a', 'a1.md', async ({ agent }) => {
      const other = await agent.conversations.create();
      if (other.ok) await agent.queue.send({ text: 'Hello', conversation: other.conversation });
    });
    expect(begun(disk)).toEqual(['Write 2 a', 'Hello']);
    expect(joined(disk)).toEqual([]);
  });

  it('a queued message waits for the end of the turn', async () => {
    const { disk } = await running('Write 3 a', 'a1.md', ({ agent }) =>
      agent.queue.send({ text: 'Write 1 b', when: 'after' }),
    );
    expect(begun(disk)).toEqual(['Write 3 a', 'Write 1 b']);
    expect(joined(disk)).toEqual([]);
    expect(ends(disk)).toEqual(['completed', 'completed']);
  });

  it('a queued message joins the turn after all once it is sent now', async () => {
    const { disk } = await running('Write 3 a', 'a1.md', async ({ agent }) => {
      const sent = await agent.queue.send({ text: 'Shorter.', when: 'after' });
      if (sent.ok) expect(await agent.queue.sendNow(sent.request)).toMatchObject({ ok: true });
    });
    expect(joined(disk)).toEqual(['Shorter.']);
    expect(begun(disk)).toEqual(['Write 3 a']);
  });

  it('a message that stops the turn is next, before messages that were queued earlier', async () => {
    const { disk } = await running('Write 3 a', 'a1.md', async ({ agent }) => {
      await agent.queue.send({ text: 'Later.', when: 'after' });
      await agent.queue.send({ text: 'Rather this.', when: 'stop' });
    });
    expect(begun(disk)).toEqual(['Write 3 a', 'Rather this.', 'Later.']);
    expect(ends(disk)).toEqual(['stopped', 'completed', 'completed']);
    expect(joined(disk)).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('of two messages that stop a turn in a row, the second replaces the first', async () => {
    const { disk } = await running('Write 3 a', 'a1.md', async ({ agent }) => {
      await agent.queue.send({ text: 'Write 3 b', when: 'stop' });
      await new Promise((resolve) => setImmediate(resolve));
      await agent.queue.send({ text: 'Rather this.', when: 'stop' });
    });
    expect(begun(disk)[0]).toBe('Write 3 a');
    expect(begun(disk).filter((text) => text === 'Rather this.')).toHaveLength(1);
    expect(ends(disk).slice(0, 1)).toEqual(['stopped']);
    expect(ends(disk).at(-1)).toBe('completed');
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a message that stops a turn does not stop the turn of another chat', async () => {
    const { disk } = await running('Write 3 a', 'a1.md', async ({ agent }) => {
      const other = await agent.conversations.create();
      if (!other.ok) return;
      await agent.queue.send({ text: 'Hello', conversation: other.conversation, when: 'stop' });
    });
    expect(begun(disk)).toEqual(['Write 3 a', 'Hello']);
    expect(ends(disk)).toEqual(['completed', 'completed']);
  });

  it('a message does not join a turn with one step left, and becomes the next turn', async () => {
    const disk = steeringDisk({ stepsPerTurn: 5 });
    await running(
      'Write 9 a',
      'a4.md',
      ({ agent }) => agent.queue.send({ text: 'And this?' }),
      disk,
    );
    expect(begun(disk)).toEqual(['Write 9 a', 'And this?']);
    expect(ends(disk)).toEqual(['limited', 'completed']);
    expect(joined(disk)).toEqual([]);
  });

  it('a discarded message neither joins the turn nor runs', async () => {
    const { disk } = await running('Write 2 a', 'a1.md', async ({ agent }) => {
      const sent = await agent.queue.send({ text: 'Not this.' });
      if (sent.ok) await agent.queue.discard(sent.request);
    });
    expect([...begun(disk), ...joined(disk)]).toEqual(['Write 2 a']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a message sent to a paused turn joins it after Resume', async () => {
    const { disk, rig } = await running('Write 3 a', 'a1.md', async ({ agent }) => {
      await agent.queue.send({ text: 'Shorter.' });
      await agent.queue.pause();
    });
    expect(joined(disk)).toEqual([]);
    expect(inboxOn(disk)).toHaveLength(2);
    await rig.agent.queue.send({ text: 'And in French.' });
    await rig.idle();
    expect(joined(disk)).toEqual([]);
    await rig.agent.queue.resume();
    await rig.idle();
    expect(joined(disk)).toEqual(['Shorter.', 'And in French.']);
    expect(begun(disk)).toEqual(['Write 3 a']);
  });

  it('a failed turn keeps what joined it for its retry, and nothing runs by itself', async () => {
    const disk = steeringDisk();
    let isBroken = false;
    const { stream } = disk.model;
    disk.model.stream = (request, signal) =>
      isBroken
        ? (async function* () {
            yield* fails('invalid-request');
          })()
        : stream(request, signal);
    const { rig } = await running(
      'Write 3 a',
      'a1.md',
      async ({ agent }) => {
        await agent.queue.send({ text: 'Shorter.' });
        isBroken = true;
      },
      disk,
    );
    expect(joined(disk)).toEqual(['Shorter.']);
    expect(ends(disk)).toEqual(['failed']);
    isBroken = false;
    const [entry] = (await rig.agent.state()).inbox;
    await rig.agent.queue.retry(entry!.request.id);
    await rig.idle();
    expect(begun(disk)).toEqual(['Write 3 a', 'Write 3 a']);
    expect(ends(disk)).toEqual(['failed', 'completed']);
    const words = disk.model.requests
      .at(-1)!
      .history.flatMap((each) => (each.role === 'user' ? each.texts : []));
    expect(words).toContain('Shorter.');
    expect(words.join('\n')).toContain('What the user added to it is there, too');
  });
});

describe('a message sent while a turn asks', () => {
  async function asking(before: boolean) {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    const { stream } = disk.model;
    disk.model.stream = async function* (request, signal) {
      if (before && disk.model.requests.length === 1) {
        await rig.agent.queue.send({ text: 'Sent before the question.' });
        await disk.clock.advance(1000);
      }
      yield* stream(request, signal);
    };
    await rig.load();
    await rig.agent.queue.send({ text: 'Write 3 a and ask' });
    await rig.idle();
    await disk.clock.advance(5000);
    return { disk, rig };
  }

  it('a message sent before the question was shown joins the turn after the answer', async () => {
    const { disk, rig } = await asking(true);
    expect(joined(disk)).toEqual([]);
    await rig.agent.queue.send({ text: 'The first one.' });
    await rig.idle();
    expect(eventsOn(disk, 'answer-end').map(({ text }) => text)).toEqual(['The first one.']);
    expect(joined(disk)).toEqual(['Sent before the question.']);
    expect(begun(disk)).toEqual(['Write 3 a and ask']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a message sent to an open question answers it and does not join the turn', async () => {
    const { disk, rig } = await asking(false);
    await rig.agent.queue.send({ text: 'The first one.' });
    await rig.idle();
    expect(eventsOn(disk, 'answer-end')).toHaveLength(1);
    expect(joined(disk)).toEqual([]);
    expect(ends(disk)).toEqual(['completed']);
  });

  it('a message that is to be sent after the turn does not answer its question', async () => {
    const { disk, rig } = await asking(false);
    await rig.agent.queue.send({ text: 'Another request.', when: 'after' });
    await rig.idle();
    expect(eventsOn(disk, 'answer-end')).toEqual([]);
    await rig.agent.queue.send({ text: 'The first one.' });
    await rig.idle();
    expect(begun(disk)).toEqual(['Write 3 a and ask', 'Another request.']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a message that stops a waiting turn closes its question and is next', async () => {
    const { disk, rig } = await asking(false);
    await rig.agent.queue.send({ text: 'Never mind.', when: 'stop' });
    await rig.idle();
    expect(eventsOn(disk, 'answer-end')).toEqual([]);
    expect(ends(disk)).toEqual(['stopped', 'completed']);
    expect(begun(disk)).toEqual(['Write 3 a and ask', 'Never mind.']);
  });
});

describe('Stop while messages are pending', () => {
  it('Stop returns a typed message to the composer and leaves a spoken one in the queue', async () => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    let returned: readonly string[] = [];
    disk.during = async (path) => {
      if (path !== 'a1.md') return;
      const { conversation } = eventsOn(disk, 'turn-start')[0]!;
      await rig.agent.queue.send({ text: 'Typed.', conversation });
      await rig.say('m2', 'Spoken words for the agent');
      const stopped = await rig.agent.queue.stop(conversation);
      returned = stopped.ok ? stopped.returned : [];
    };
    await rig.load();
    await rig.say('m1', 'Write 3 a');
    await rig.idle();
    expect(returned).toEqual(['Typed.']);
    expect(begun(disk)).toEqual(['Write 3 a', 'Spoken words for the agent']);
    expect(ends(disk)).toEqual(['stopped', 'completed']);
    expect(joined(disk)).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });
});

describe('what a message that joins brings along', () => {
  const context = (disk: SteeringDisk) => eventsOn(disk, 'steer-join')[0]?.context ?? '';

  it('the model and its tools learn which note is open, if it is another one', async () => {
    const disk = steeringDisk({}, { 'Budget.md': 'Budget.\n' });
    const { rig } = await running(
      'Write 3 a',
      'a1.md',
      ({ agent }) => agent.queue.send({ text: 'And here.', activeNote: 'Budget.md' }),
      disk,
    );
    expect(context(disk)).toContain('\nActive note: Budget.md\n');
    const { conversation } = eventsOn(disk, 'turn-start')[0]!;
    const read = await rig.agent.conversations.read(conversation);
    expect(read?.turns[0]?.steering[0]?.activeNote).toBe('Budget.md');
  });

  it('the model is not told of a note that was open before, or that it may not see', async () => {
    for (const activeNote of [null, 'Private/Diary.md']) {
      const disk = steeringDisk(
        { excludedFolders: ['Private'] },
        { 'Private/Diary.md': 'Mine.\n' },
      );
      const send = ({ agent }: Rig) => agent.queue.send({ text: 'And here.', activeNote });
      await running('Write 3 a', 'a1.md', send, disk);
      expect(context(disk)).not.toContain('Active note');
    }
  });

  it('an answer that is made again takes the message and what it attached into account', async () => {
    const disk = steeringDisk({}, { 'Plan.md': 'Plan.\n' });
    const attachments = [{ kind: 'note' as const, path: 'Plan.md' }];
    const { rig } = await running(
      'Write 2 a',
      'a1.md',
      ({ agent }) => agent.queue.send({ text: 'Keep the dates.', attachments }),
      disk,
    );
    const { conversation, turn } = eventsOn(disk, 'turn-start')[0]!;
    await rig.agent.conversations.fork({ conversation, turn });
    await rig.idle();
    const again = eventsOn(disk, 'turn-start').at(-1)!.request;
    expect(again.text).toBe('Write 2 a\n\nKeep the dates.');
    expect(again.attachments).toEqual(attachments);
  });
});

describe('Stop while a message joins', () => {
  it('a message whose attachment is being read returns to the composer', async () => {
    const disk = steeringDisk({}, { 'Plan.md': 'Plan.\n' });
    const { read } = disk.vault;
    let agent: Rig['agent'] | null = null;
    const stops: Promise<readonly string[]>[] = [];
    disk.vault.read = (path) => {
      if (path === 'Plan.md') {
        stops.push(agent!.queue.stop().then((result) => (result.ok ? result.returned : [])));
      }
      return read(path);
    };
    await running(
      'Write 3 a',
      'a1.md',
      (rig) => {
        agent = rig.agent;
        const attachments = [{ kind: 'note' as const, path: 'Plan.md' }];
        return agent.queue.send({ text: 'Like this.', attachments });
      },
      disk,
    );
    expect((await Promise.all(stops)).flat()).toEqual(['Like this.']);
    expect(joined(disk)).toEqual([]);
    expect(ends(disk)).toEqual(['stopped']);
  });
});

describe('spoken words while a turn runs', () => {
  it('spoken words of the same talk join the turn, and its reply goes to the newest message', async () => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    disk.during = async (path) => {
      if (path === 'a1.md') await rig.say('m2', 'And write it in French');
    };
    await rig.load();
    await rig.say('m1', 'Write 2 a');
    await rig.idle();
    expect(begun(disk)).toEqual(['Write 2 a']);
    expect(joined(disk)).toEqual(['And write it in French']);
    const told = [...disk.posted].filter(([, { reply }]) => reply.kind === 'end');
    expect(told.map(([key]) => key.split(' ')[0])).toEqual(['m2']);
  });

  it('spoken words do not join a turn that was typed without a talk', async () => {
    const { disk } = await running('Write 2 a', 'a1.md', (rig) =>
      rig.say('m1', 'What is on my list'),
    );
    expect(begun(disk)).toEqual(['Write 2 a', 'What is on my list']);
    expect(joined(disk)).toEqual([]);
  });

  it('a quick command does not join the turn', async () => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    disk.during = async (path) => {
      if (path === 'a1.md') await rig.say('m2', 'What is waiting?');
    };
    await rig.load();
    await rig.say('m1', 'Write 2 a');
    await rig.idle();
    expect(joined(disk)).toEqual([]);
    expect(ends(disk)).toEqual(['completed']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('the same words delivered twice join the turn once', async () => {
    const disk = steeringDisk();
    const rig = makeRig(disk);
    disk.during = async (path) => {
      if (path === 'a1.md') await rig.say('m2', 'And write it in French');
      if (path === 'a2.md') await rig.say('m3', 'And write it in French');
    };
    await rig.load();
    await rig.say('m1', 'Write 3 a');
    await rig.idle();
    expect(joined(disk)).toEqual(['And write it in French']);
    expect(begun(disk)).toEqual(['Write 3 a']);
  });
});

describe('words about an approval while another turn runs', () => {
  /** Two approvals that were heard. */
  async function approving() {
    const disk = steeringDisk({}, { 'Garden.md': 'G\n', 'Ideas.md': 'I\n' });
    const rig = makeRig(disk);
    await rig.load();
    for (const [at, name] of ['Garden', 'Ideas'].entries()) {
      await rig.say(`m${at}`, `Clean up ${name}`);
      await rig.idle();
      await disk.clock.advance(20_000);
    }
    return { disk, rig };
  }

  it('words that name the note of an approval decide it and do not join the running turn', async () => {
    const { disk, rig } = await approving();
    disk.during = async (path) => {
      if (path === 'a1.md') await rig.say('m2', 'Simone, delete Ideas');
    };
    await rig.say('m3', 'Write 3 a');
    await rig.idle();
    expect(joined(disk)).toEqual([]);
    expect(disk.vault.texts.has('Ideas.md')).toBe(false);
    expect(disk.vault.texts.has('Garden.md')).toBe(true);
    expect(inboxOn(disk)).toHaveLength(1);
  });

  it('words whose decision a crash interrupted decide after the restart and do not join a turn', async () => {
    const { disk, rig } = await approving();
    const [asked] = eventsOn(disk, 'interaction-start');
    let rest = () => {};
    disk.during = async (path) => {
      if (path !== 'a1.md') return;
      await rig.say('m2', 'Or the compost heap');
      void rig.runner.close();
      await new Promise<void>((resolve) => (rest = resolve));
    };
    await rig.say('m3', 'Write 3 a');
    await rig.idleOrWaiting();
    const [inbox] = inboxOn(disk).filter((path) => disk.store.files.get(path)?.includes('compost'));
    const record = JSON.parse(disk.store.files.get(inbox!)!) as { request: QueuedRequest };
    const { request } = record.request;
    // The process ends after it has recorded the decision, and before the approval is closed.
    const answer = {
      ...{ type: 'answer-end', time: request.time, turn: asked!.turn, message: 'message-x' },
      ...{ requestId: request.id, text: request.text, source: 'voice', reply: request.reply },
      ...{ decides: asked!.interaction.id, conversation: asked!.conversation },
    };
    const file = `conversations/${asked!.conversation}.jsonl`;
    const text = `${JSON.stringify({ ...answer, signature: await signatureOf(answer) })}\n`;
    disk.store.files.set(file, `${disk.store.files.get(file)}${text}`);
    disk.during = async () => undefined;
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    rest();
    expect(joined(disk)).toEqual([]);
  });
});

describe('a message that joined and whose file cannot be removed', () => {
  const isJoinedFile = (disk: SteeringDisk, path: string) =>
    disk.store.files.get(path)?.includes('And in French') ?? false;

  /** A spoken turn with a spoken message whose file stays, and which then ends. */
  async function unremovable(disk = steeringDisk(), then = () => {}) {
    const { remove } = disk.store;
    disk.store.remove = async (path) => {
      if (isJoinedFile(disk, path)) throw diskError('EBUSY');
      await remove(path);
    };
    const rig = makeRig(disk);
    disk.during = async (path) => {
      if (path !== 'a1.md') return;
      await rig.say('m2', 'And in French');
      then();
    };
    await rig.load();
    await rig.say('m1', 'Write 2 a');
    await rig.idle();
    const restart = async () => {
      void rig.runner.close();
      disk.store.remove = remove;
      // Spoken words begin a chat of their own by now.
      await disk.clock.advance(20 * 60_000);
      const next = makeRig(disk);
      await next.load();
      await next.idle();
      return next;
    };
    return { disk, rig, restart };
  }

  it('the end of the turn is announced, and the message does not run after a restart', async () => {
    const { disk, restart } = await unremovable();
    const told = [...disk.posted.values()].filter(({ reply }) => reply.kind === 'end');
    expect(told).toHaveLength(1);
    await restart();
    expect(begun(disk)).toEqual(['Write 2 a']);
    expect(joined(disk)).toEqual(['And in French']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a failed turn can be tried again, and the message does not run after a restart', async () => {
    const disk = steeringDisk();
    let isBroken = false;
    const { stream } = disk.model;
    disk.model.stream = (request, signal) =>
      isBroken
        ? (async function* () {
            yield* fails('invalid-request');
          })()
        : stream(request, signal);
    const { rig, restart } = await unremovable(disk, () => (isBroken = true));
    const [entry] = (await rig.agent.state()).inbox;
    expect(entry?.state).toBe('failed');
    isBroken = false;
    const next = await restart();
    expect(begun(disk)).toEqual(['Write 2 a']);
    expect(inboxOn(disk)).toHaveLength(1);
    await next.agent.queue.retry(entry!.request.id);
    await next.idle();
    expect(begun(disk)).toEqual(['Write 2 a', 'Write 2 a']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('discarding a request also removes the messages that joined its turn', async () => {
    const { disk, rig } = await unremovable();
    const [entry] = (await rig.agent.state()).inbox;
    disk.store.remove = async (path) => void disk.store.files.delete(path);
    expect(await rig.agent.queue.discard(entry!.request.id)).toMatchObject({ ok: true });
    expect(inboxOn(disk)).toEqual([]);
  });
});
