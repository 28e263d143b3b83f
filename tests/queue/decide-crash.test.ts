/**
 * Decides edits on a disk that fails at each single operation in turn. The next process must find
 * every edit either pending or decided, whole, and the model must be told each decision once.
 */
import { describe, expect, it } from 'vitest';
import { ChangeLog } from '#edits/change-log';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { DEVICE } from '../edits/changes';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const LIST = '# List\n\n- bread\n- butter\n\nBye.\n';
const MAP = '{\n"nodes": []\n}\n';

const CALLS = [
  call('edit_file', {
    path: 'List.md',
    edits: [
      { old_text: 'bread', new_text: 'rye' },
      { old_text: 'Bye.', new_text: 'So long.' },
    ],
  }),
  call('write_file', { path: 'New.md', content: '# New\n\nAll of it.\n' }),
  call('edit_file', { path: 'Map.canvas', edits: [{ old_text: '[]', new_text: '[1]' }] }),
];

const DECIDED = {
  accept: {
    'List.md': LIST.replace('bread', 'rye').replace('Bye.', 'So long.'),
    'Map.canvas': MAP.replace('[]', '[1]'),
    'New.md': '# New\n\nAll of it.\n',
  },
  reject: { 'List.md': LIST, 'Map.canvas': MAP },
};

/** After a finished turn in Review. */
async function diskAfterTurn(): Promise<Disk> {
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault({ 'List.md': LIST, 'Map.canvas': MAP }),
    clock: testClock(),
    model: thinkingModel(({ history }) =>
      history.some(({ role }) => role === 'results')
        ? answers([words('Done.')])
        : answers([
            words('All of it.'),
            ...CALLS.map((each, at) => ({ ...each, wireId: `w${at}` })),
          ]),
    ),
    settings: { panelMode: 'review' },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Put it in order.' });
  await rig.idle();
  expect(rig.agent.edits.pending().map(({ path, edits }) => [path, edits.length])).toEqual([
    ['List.md', 2],
    ['Map.canvas', 1],
    ['New.md', 1],
  ]);
  expect(disk.vault.texts.get('Map.canvas')).toBe(MAP);
  return disk;
}

async function decideAndDie(
  disk: Disk,
  choice: 'accept' | 'reject',
  at: number,
  death: KillPoint,
): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  void rig
    .load()
    .then(() => rig.agent.edits[choice]({ edit: 'all' }))
    .catch(() => undefined);
  for (let look = 0; look < 10; look += 1) await settle();
  return life.isDead;
}

async function judge(disk: Disk, choice: 'accept' | 'reject'): Promise<void> {
  const rig = makeRig(disk);
  await rig.load();
  // What was not decided yet is decided now.
  if (rig.agent.edits.pending().length > 0) {
    expect(await rig.agent.edits[choice]({ edit: 'all' })).toMatchObject({
      ok: true,
      unapplied: [],
    });
  }
  expect(Object.fromEntries(disk.vault.texts)).toEqual(DECIDED[choice]);
  expect(rig.agent.edits.pending()).toEqual([]);
  const list = await new ChangeLog(disk.store, 'ledger', DEVICE).changes();
  const acts = list.all().filter(({ act, fate }) => act === 'decide' && fate !== 'not-done');
  const told = eventsOn(disk, 'edits-decide');
  expect(told.map(({ change }) => change).toSorted()).toEqual(acts.map(({ id }) => id).toSorted());
  const decisions = told.flatMap((event) => event.decisions);
  expect(decisions.map((each) => each.choice)).toEqual(Array(4).fill(choice));
  expect(new Set(decisions.map(({ proposal }) => proposal)).size).toBe(4);
  expect(rig.problems).toEqual([]);
}

describe.each(['accept', 'reject'] as const)('to %s all', (choice) => {
  it.each(DEATHS)(
    'the decision is recovered, whichever operation is the last: killed %s it',
    async (death) => {
      let deaths = 0;
      for (; ; deaths += strideOf(5)) {
        const disk = await diskAfterTurn();
        const died = await decideAndDie(disk, choice, deaths, death);
        try {
          await judge(disk, choice);
        } catch (error) {
          throw new Error(`After a death ${death} act ${deaths}: ${(error as Error).message}`, {
            cause: error,
          });
        }
        if (!died) break;
      }
      expect(deaths).toBeGreaterThan(8);
    },
  );
});
