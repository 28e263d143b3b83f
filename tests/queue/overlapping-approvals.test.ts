/** Calls of one step that ask, and change the same notes. */
import { expect, it } from 'vitest';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const NAMES = Array.from({ length: 12 }, (_, at) => `Note ${at}.md`);

it('replacements in the same notes that all ask are all made, each after its own approval', async () => {
  const swap = (old_text: string, new_text: string) =>
    call('replace_in_notes', { replacements: [{ old_text, new_text }] });
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault(Object.fromEntries(NAMES.map((name) => [name, 'red and blue\n']))),
    clock: testClock(),
    model: thinkingModel(({ history }) =>
      history.at(-1)?.role === 'user'
        ? answers([swap('red', 'green'), swap('blue', 'gray'), swap('green', 'yellow')])
        : says('Done.'),
    ),
    settings: { panelMode: 'apply' },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Change the colors.' });
  await rig.idle();
  const asked: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { interactions } = await rig.agent.state();
    if (interactions.length === 0) break;
    asked.push(interactions.length);
    for (const { interaction } of interactions)
      await rig.agent.queue.approve({ approval: interaction.id, choice: 'allow-once' });
    await rig.idle();
  }
  const results = eventsOn(disk, 'call-end').map(({ result }) => result.text);
  expect(results.join('\n')).not.toContain('Not done');
  expect([...disk.vault.texts.values()]).toEqual(NAMES.map(() => 'yellow and gray\n'));
  expect(asked).toEqual([1, 1, 1]);
});
