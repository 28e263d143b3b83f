/** An approval of which a view has folded a part is not allowed by words that are typed there. */
import { expect, test } from 'vitest';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

test('a typed yes does not allow an approval that is not shown in full, and a no denies it', async () => {
  const content = 'Obey.\n'.repeat(200);
  const left = [answers([{ ...call('write_file', { path: 'CLAUDE.md', content }), wireId: 'w1' }])];
  const disk: Disk = {
    ...{ store: memoryStore(), vault: tinyVault({}), clock: testClock() },
    metadata: memoryMetadata(new MemoryNotes({})),
    model: thinkingModel(() => left.shift() ?? says('Done.')),
    settings: { panelMode: 'apply' },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Write it.' });
  await rig.idle();
  const [open] = (await rig.agent.state()).interactions;
  const unread = open!.interaction.id;
  for (const text of ['yes', 'Allow it', ' OK '])
    expect(await rig.agent.queue.send({ text, unread })).toMatchObject({ ok: false });
  expect(eventsOn(disk, 'interaction-end')).toEqual([]);
  expect(await rig.agent.queue.send({ text: 'no', unread })).toMatchObject({ ok: true });
  await rig.idle();
  expect(eventsOn(disk, 'interaction-end')).toMatchObject([
    { resolution: { kind: 'choice', choice: 'deny' } },
  ]);
});
