/**
 * Talks about an edit, and chooses a version of it, on a disk that fails at each single operation in
 * turn. The next process must finish it: each reply revises the edit once, and the other edit
 * keeps its bytes.
 */
import { describe, expect, it } from 'vitest';
import type { ProposalId } from '#model/ids';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';

const PLAN = 'Plan.md';
const TEXT = 'One.\n\nTwo.\n\nThree.\n';

interface Stage {
  readonly disk: Disk;
  readonly edit: ProposalId;
  /** The block of the other edit. */
  readonly other: string;
}

/** Two pending edits, of which the first has two versions. */
async function twoEdits(): Promise<Stage> {
  const disk: Disk = {
    ...{ store: memoryStore(), vault: tinyVault({ [PLAN]: TEXT }), clock: testClock() },
    settings: { panelMode: 'review' },
    model: thinkingModel(({ history }) => {
      const wireId = `w${history.length}`;
      const last = history.at(-1);
      const result = last?.role === 'results' ? last.results[0]?.result : undefined;
      if (result?.details?.kind === 'changes') return says('Done.');
      // Another process has not shown these lines yet.
      if (result?.failed) return answers([call('read_file', { path: PLAN }, { wireId })]);
      const told = JSON.stringify(history.findLast(({ role }) => role === 'user'));
      const position = /position \\"([^"\\]+)\\"/.exec(told)?.[1];
      const words = /Say (\w+)/.exec(told)?.[1] ?? '';
      const edits = position
        ? [{ position, content: words }]
        : [
            { old_text: 'One.', new_text: 'Un.' },
            { old_text: 'Three.', new_text: 'Trois.' },
          ];
      return answers([call('edit_file', { path: PLAN, edits }, { wireId })]);
    }),
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'In French.' });
  await rig.idle();
  const edit = rig.agent.edits.pending()[0]?.edits[0]?.id as ProposalId;
  await rig.agent.editReplies.send({ edit, note: PLAN, text: 'Say Eins' });
  await rig.idle();
  void rig.runner.close();
  return { disk, edit, other: blocks(disk)[1] ?? '' };
}

function blocks({ vault }: Disk): string[] {
  const { parts } = readEdits(vault.texts.get(PLAN) ?? '', ANY_DEVICE);
  return parts.flatMap(({ edit, raw }) => (edit ? [raw] : []));
}

async function actAndDie(
  { disk }: Stage,
  act: (rig: Rig) => Promise<unknown>,
  at: number,
  death: KillPoint,
): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  void rig
    .load()
    .then(() => act(rig))
    .catch(() => undefined);
  for (let look = 0; look < 30; look += 1) await settle();
  return life.isDead;
}

async function texts(rig: Rig, { edit }: Stage): Promise<string[]> {
  return (await rig.agent.edits.versions(edit, PLAN)).map(({ after }) => after.trim());
}

async function judgeReply(stage: Stage): Promise<void> {
  const { disk, edit, other } = stage;
  const rig = makeRig(disk);
  await rig.load();
  await rig.idle();
  const isSent = eventsOn(disk, 'turn-start').some(({ request }) => request.text === 'Say Zwei');
  if (!isSent) {
    // The reply was lost before it was on disk, which the user was told.
    expect(await texts(rig, stage)).toEqual(['Un.', 'Eins']);
    await rig.agent.editReplies.send({ edit, note: PLAN, text: 'Say Zwei' });
    await rig.idle();
  }
  expect(await texts(rig, stage)).toEqual(['Un.', 'Eins', 'Zwei']);
  expect(blocks(disk)).toHaveLength(2);
  expect(blocks(disk)[1]).toBe(other);
  expect(eventsOn(disk, 'turn-end')).toHaveLength(3);
  expect(inboxOn(disk)).toEqual([]);
  expect(rig.problems).toEqual([]);
  await rig.agent.edits.reject({ edit: 'all' });
  expect(disk.vault.texts.get(PLAN)).toBe(TEXT);
}

async function judgeChoice(stage: Stage): Promise<void> {
  const { disk, edit, other } = stage;
  const rig = makeRig(disk);
  await rig.load();
  await rig.idle();
  await rig.agent.edits.chooseVersion({ edit, note: PLAN, version: 0 });
  const versions = await rig.agent.edits.versions(edit, PLAN);
  expect(versions.map(({ after, isCurrent }) => [after.trim(), isCurrent])).toEqual([
    ['Un.', true],
    ['Eins', false],
  ]);
  expect(blocks(disk)[1]).toBe(other);
  const told = eventsOn(disk, 'edits-decide');
  expect(told.map(({ decisions }) => decisions[0]?.choice)).toEqual(['choose']);
  expect(rig.problems).toEqual([]);
}

const CASES = [
  {
    what: 'a reply',
    act:
      ({ edit }: Stage) =>
      (rig: Rig) =>
        rig.agent.editReplies.send({ edit, note: PLAN, text: 'Say Zwei' }),
    judge: judgeReply,
    least: 10,
  },
  {
    what: 'the choice of a version',
    act:
      ({ edit }: Stage) =>
      (rig: Rig) =>
        rig.agent.edits.chooseVersion({ edit, note: PLAN, version: 0 }),
    judge: judgeChoice,
    least: 4,
  },
];

describe.each(CASES)('$what', ({ act, judge, least }) => {
  it.each(DEATHS)(
    'a reply to an edit is finished after the process is killed %s any disk operation',
    async (death) => {
      let deaths = 0;
      for (; ; deaths += strideOf(7)) {
        const stage = await twoEdits();
        const died = await actAndDie(stage, act(stage), deaths, death);
        try {
          await judge(stage);
        } catch (error) {
          throw new Error(`After a death ${death} act ${deaths}: ${(error as Error).message}`, {
            cause: error,
          });
        }
        if (!died) break;
      }
      expect(deaths).toBeGreaterThan(least);
    },
  );
});
