/**
 * Moves files that have pending edits on a disk that fails at each single operation in turn. The
 * next process must know the edits as its own, wherever their files are.
 */
import { expect, it } from 'vitest';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { makeRig, type Disk } from './app-on-disk';

const FILES = { 'F/List.md': '- bread\n', 'F/Map.canvas': '{"nodes": []}\n' };
const EDITS = [
  call('edit_file', { path: 'F/List.md', edits: [{ old_text: 'bread', new_text: 'rye' }] }),
  call('edit_file', { path: 'F/Map.canvas', edits: [{ old_text: '[]', new_text: '[1]' }] }),
];

/** After a turn in Review that has proposed edits. */
async function diskWithEdits(): Promise<Disk> {
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault(FILES, ['F']),
    clock: testClock(),
    model: thinkingModel(({ history }) => {
      const newest = history.at(-1);
      if (newest?.role !== 'user') return says('Done.');
      const calls = newest.texts.at(-1)?.includes('Move')
        ? [call('move', { source: 'F', destination: 'G' })]
        : EDITS;
      return answers([
        words('On it.'),
        ...calls.map((each, at) => ({ ...each, wireId: `w${at}` })),
      ]);
    }),
    settings: { panelMode: 'review' },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Edit them.' });
  await rig.idle();
  await rig.runner.close();
  return disk;
}

async function moveAndDie(disk: Disk, at: number, death: KillPoint): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  void rig
    .load()
    .then(() => rig.agent.queue.send({ text: 'Move it.', when: 'after' }))
    .catch(() => undefined);
  for (let look = 0; look < 10; look += 1) await settle();
  return life.isDead;
}

it.each(DEATHS)(
  'edits in a folder stay this device’s when a kill %s any operation interrupts its move',
  async (death) => {
    let deaths = 0;
    for (; ; deaths += strideOf(5)) {
      const disk = await diskWithEdits();
      const died = await moveAndDie(disk, deaths, death);
      const rig = makeRig(disk);
      await rig.load();
      await rig.idle();
      const folder = disk.vault.get('G/List.md') ? 'G' : 'F';
      expect(
        rig.agent.edits.pending().map(({ path, edits }) => [path, edits[0]?.isForeign]),
        `killed ${death} ${deaths}`,
      ).toEqual([
        [`${folder}/List.md`, undefined],
        [`${folder}/Map.canvas`, undefined],
      ]);
      if (!died) break;
    }
    expect(deaths).toBeGreaterThan(8);
  },
);
