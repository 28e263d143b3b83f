/** Questions in plain text: a spoken turn that ends with one waits for the answer. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import type { Announcement } from '#voice/turn-replies';
import { notificationOf } from '#voice/notifications';
import { testClock } from '../builders/fake-clock';
import { says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, inboxOn, makeRig, type Disk } from './app-on-disk';

type Posting = Disk & {
  readonly posted: Map<string, Announcement>;
  readonly requests: ModelRequest[];
};

/** Asks in plain text at first, and repeats what the user said after that. */
function newDisk(question: string): Posting {
  const requests: ModelRequest[] = [];
  return {
    requests,
    store: memoryStore(),
    vault: tinyVault({ 'Note.md': 'Note.\n' }),
    clock: testClock(),
    model: thinkingModel((request) => {
      requests.push(request);
      const last = request.history.at(-1);
      const text = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      return says(request.history.length === 1 ? question : `Heard: ${text}`);
    }),
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
  [...posted]
    .filter(([key]) => key.startsWith(`${id} `))
    .map(([, { reply, request }]) => notificationOf(reply, { request, wireName: 'simone' }));

describe('a question in the plain text of a spoken turn', () => {
  it.each(['Which list?', 'There are two lists. **Which one?**', 'Welche Liste meinst du? '])(
    'the turn waits, is announced as a question, and continues with the answer ("%s")',
    async (question) => {
      const disk = newDisk(question);
      const rig = await started(disk);
      await rig.say('m1', 'Add milk');
      await rig.idle();
      const { interactions } = await rig.agent.state();
      expect(interactions.map(({ interaction }) => interaction.kind)).toEqual(['question']);
      expect(told(disk, 'm1')[0]).toMatchObject({
        title: 'Waiting for your answer: Add milk',
        priority: 'high',
      });
      await disk.clock.advance(10_000);
      await rig.say('m2', 'The shopping list');
      await rig.idle();
      expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
      expect(eventsOn(disk, 'turn-end').map(({ end }) => end.reply)).toEqual([
        'Heard: The shopping list',
      ]);
      expect(disk.requests.at(-1)?.history.map(({ role }) => role)).toEqual([
        'user',
        'model',
        'user',
      ]);
      expect(inboxOn(disk)).toEqual([]);
    },
  );

  it('the question survives a restart and can be answered by typing', async () => {
    const disk = newDisk('Which list?');
    const first = await started(disk);
    await first.say('m1', 'Add milk');
    await first.idle();
    void first.runner.close();
    await disk.clock.advance(10_000);
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Shopping' });
    await rig.idle();
    expect(told(disk, 'm1').map(({ title }) => title)).toEqual([
      'Waiting for your answer: Add milk',
      'Answer: Add milk',
    ]);
  });

  it('the turn of a question without an answer ends as limited', async () => {
    const disk = newDisk('Which list?');
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(61 * 60_000);
    await rig.idle();
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['limited']);
    expect(eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution.kind)).toEqual([
      'expired',
    ]);
  });

  it('a typed message with an attachment closes the question and joins its turn', async () => {
    const disk = newDisk('Which list?');
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.agent.queue.send({
      text: 'This one',
      attachments: [{ kind: 'note', path: 'Note.md' }],
    });
    await rig.idle();
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.reply)).toEqual(['Heard: This one']);
    expect(JSON.stringify(disk.requests.at(-1)?.history)).toContain('Attached: Note.md');
  });

  it('an answer that ends with a full stop ends the turn', async () => {
    const disk = newDisk('Which list? I took the shopping list.');
    const rig = await started(disk);
    await rig.say('m1', 'Add milk');
    await rig.idle();
    expect(told(disk, 'm1').map(({ title }) => title)).toEqual(['Answer: Add milk']);
  });

  it('a typed turn ends with its question, which the next message answers', async () => {
    const disk = newDisk('Which list?');
    const rig = await started(disk);
    await rig.agent.queue.send({ text: 'Add milk' });
    await rig.idle();
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.reply)).toEqual(['Which list?']);
  });
});
