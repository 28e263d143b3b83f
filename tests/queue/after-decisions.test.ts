/** What the user says after an approval was decided reaches the agent, whatever words it is in. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { notificationOf } from '#voice/notifications';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { tinyVault } from '../edits/vault';
import { type Disk, eventsOn, makeRig, type Posted } from './app-on-disk';

/** The agent has deleted Garden. It answers with this summary, once that may begin. */
async function deleted(summary: string, mayAnswer?: Promise<void>) {
  const inner = thinkingModel(({ history }: ModelRequest) => {
    const last = history.at(-1);
    const words = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
    if (words === 'Clean up the garden') return answers([call('delete', { path: 'Garden.md' })]);
    if (last?.role === 'results' && history.length === 3)
      return answers([call('done', { summary })]);
    return says(`Heard: ${words}.`);
  });
  const disk: Disk & { readonly posted: Map<string, Posted> } = {
    store: memoryStore(),
    vault: tinyVault({ 'Garden.md': 'G\n', 'Ideas.md': 'I\n' }),
    clock: testClock(),
    model: {
      async *stream(request, signal) {
        if (request.history.at(-1)?.role === 'results') await mayAnswer;
        yield* inner.stream(request, signal);
      },
    },
    posted: new Map(),
  };
  const rig = makeRig(disk);
  await rig.load();
  let spoken = 0;
  const say = async (text: string, wait = 0) => {
    spoken += 1;
    await rig.say(`m${spoken}`, text);
    await rig.idleOrWaiting();
    await disk.clock.advance(wait);
    return [...disk.posted]
      .filter(([key]) => key.startsWith(`m${spoken} `))
      .map(([, { reply, request }]) => notificationOf(reply, { request, wireName: null }).body);
  };
  await say('Clean up the garden', 10_000);
  await say('Simone, delete it', 5_000);
  expect([...disk.vault.texts.keys()]).toEqual(['Ideas.md']);
  return { disk, rig, say };
}

describe('after a note was deleted', () => {
  it.each([
    ['Garden is gone. Ideas is empty too; shall I delete it?', 'yes, delete it'],
    ['Garden is gone. Say "delete it" to remove Ideas as well.', 'delete it'],
    ['Garden is gone. Shall I empty the trash as well?', 'no, leave it'],
    ['Garden is gone.', 'no, keep it'],
  ])('after "%s" the agent hears "%s"', async (summary, words) => {
    const { say } = await deleted(summary);
    expect(await say(words)).toEqual([`Heard: ${words}.`]);
  });

  it('the agent hears "continue" after an answer that offers to go on', async () => {
    const { say, disk } = await deleted('Part 1 of 3 is done. Say "continue" for part 2.');
    await disk.clock.advance(60_000);
    expect(await say('continue')).toEqual(['Heard: continue.']);
  });

  it.each(['never mind', "no, don't", 'forget it', 'no'])(
    '"%s" joins the turn while it goes on',
    async (words) => {
      let release = () => {};
      const { say, rig, disk } = await deleted('Done.', new Promise((done) => (release = done)));
      await say(words);
      release();
      await rig.idle();
      expect(eventsOn(disk, 'steer-join')).toHaveLength(1);
    },
  );
});
