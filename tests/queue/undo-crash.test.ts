/**
 * Undoes changes on a disk that fails at each single operation in turn. The next process must find
 * every change either undone or not, and each undo must be recorded once, whether the user or the
 * agent undoes.
 */
import { describe, expect, it } from 'vitest';
import type { TurnId } from '#model/ids';
import { ChangeLog } from '#edits/change-log';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryStore } from '../builders/fake-storage';
import { DEVICE } from '../edits/changes';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';

const BEFORE = {
  'List.md': '- bread\n- butter\n- cheese\n',
  'Idea.md': 'Beans.\n',
  'Old.md': 'Gone soon.\n',
  'Other.md': 'Mine.\n',
};

const CALLS = [
  call('edit_file', { path: 'List.md', edits: [{ old_text: 'bread', new_text: 'rye' }] }),
  call('edit_file', { path: 'List.md', edits: [{ position: 'end', content: '- milk' }] }),
  call('write_file', { path: 'Deep/New.md', content: '# New\n\nAll of it.\n' }),
  call('move', { source: 'Idea.md', destination: 'Projects/' }),
  call('delete', { path: 'Old.md' }),
  call('create_folder', { path: 'Archive' }),
];

const PUT_BACK = 'Put it all back.';

const MINE = '- bread\n- butter\n- cheese\n- mine\n';

/** After a finished turn and a line added by the user. */
async function diskAfterTurn(trashIsHere: boolean): Promise<{ disk: Disk; turn: TurnId }> {
  const vault = tinyVault(BEFORE, ['Projects']);
  vault.trashIsHere = trashIsHere;
  const calls = CALLS.map((each, at) => ({ ...each, wireId: `w${at}` }));
  const turn = () => eventsOn(disk, 'turn-start')[0]!.turn;
  const disk: Disk = {
    store: memoryStore(),
    vault,
    clock: testClock(),
    model: thinkingModel(({ history }) => {
      const asked = history.findLastIndex(
        (each) => each.role === 'user' && each.texts.includes(PUT_BACK),
      );
      const results = history.slice(asked + 1).flatMap((each) => {
        return each.role === 'results' ? each.results.map(({ result }) => result.text) : [];
      });
      const [last] = results.slice(-1);
      if (asked < 0 && last === undefined) return answers([words('All of it.'), ...calls]);
      if (asked < 0) return answers([words('Done.')]);
      if (last !== undefined && !/Call (?:undo_changes|it) again/.test(last)) {
        return answers([words('It is back.')]);
      }
      const undo = { ...call('undo_changes', { ids: [turn()] }), wireId: `u${history.length}` };
      return answers([words('Back.'), undo]);
    }),
    settings: { panelMode: 'apply', tools: { delete: 'allow' } },
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Put it in order.' });
  await rig.idle();
  vault.texts.set('List.md', `${vault.texts.get('List.md')}- mine\n`);
  expect([...vault.texts.keys()].sort()).toEqual([
    'Deep/New.md',
    'List.md',
    'Other.md',
    'Projects/Idea.md',
  ]);
  return { disk, turn: turn() };
}

type Way = (rig: Rig, turn: TurnId, disk: Disk) => Promise<unknown>;

const byUser: Way = (rig, turn) => rig.agent.changes.undo({ turn });

/** Asks the agent, unless the request of an earlier process is already accepted. */
const byAgent: Way = async (rig, turn, disk) => {
  const begun = eventsOn(disk, 'turn-start');
  const isAsked = begun.length > 1 || inboxOn(disk).some((path) => path.endsWith('.json'));
  const { conversation } = begun.find((each) => each.turn === turn)!;
  if (!isAsked) await rig.agent.queue.send({ text: PUT_BACK, conversation });
  await rig.idle();
};

async function undoAndDie(
  way: Way,
  disk: Disk,
  turn: TurnId,
  at: number,
  death: KillPoint,
): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  let isOver = false;
  void rig
    .load()
    .then(() => way(rig, turn, disk))
    .catch(() => undefined)
    .finally(() => (isOver = true));
  while (!isOver && !life.isDead) await settle();
  // What was in progress when the process was killed.
  for (let look = 0; look < 10; look += 1) await settle();
  return life.isDead;
}

async function judge(way: Way, disk: Disk, turn: TurnId): Promise<void> {
  const rig = makeRig(disk);
  await rig.load();
  if (way === byAgent) {
    await byAgent(rig, turn, disk);
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual([
      'completed',
      'completed',
    ]);
    expect(disk.vault.texts.get('List.md')).toBe(MINE);
  }
  // What was not undone yet is undone now.
  const again = await rig.agent.changes.undo({ turn });
  expect(again.ok ? again.unapplied : again.reason).toEqual(
    again.ok ? [] : 'Everything is already undone.',
  );
  expect(Object.fromEntries(disk.vault.texts)).toEqual({ ...BEFORE, 'List.md': MINE });
  expect([...disk.vault.folders]).toEqual(['Projects']);
  const list = await new ChangeLog(disk.store, 'ledger', DEVICE).changes();
  const undos = list.all().filter(({ act, fate }) => act === 'undo' && fate !== 'not-done');
  const told = eventsOn(disk, 'change-undo').flatMap((event) => event.undos);
  expect(told.toSorted()).toEqual(undos.map(({ id }) => id).toSorted());
  const taken = eventsOn(disk, 'change-undo').flatMap((event) => event.changes);
  expect(new Set(taken).size).toBe(CALLS.length);
  expect(
    list
      .ofTurn(turn)
      .filter(({ act }) => act === null)
      .map(({ id }) => list.isUndone(id)),
  ).toEqual(CALLS.map(() => true));
  const by = new Set(undos.map(({ origin }) => origin.call !== null));
  expect([...by]).toEqual([way === byAgent]);
  expect([...disk.store.files.keys()].filter((path) => path.endsWith('.act.json'))).toEqual([]);
  expect(rig.problems).toEqual([]);
}

describe.each([
  ['the user with the vault’s own trash', true, byUser],
  ['the user with the system’s trash', false, byUser],
  ['the agent with the vault’s own trash', true, byAgent],
  ['the agent with the system’s trash', false, byAgent],
])('an undo by %s', (_, trashIsHere, way) => {
  it.each(DEATHS)(
    'the undo is recovered, whichever operation is the last: killed %s it',
    async (death) => {
      let deaths = 0;
      for (; ; deaths += strideOf(13)) {
        const { disk, turn } = await diskAfterTurn(trashIsHere);
        const died = await undoAndDie(way, disk, turn, deaths, death);
        try {
          await judge(way, disk, turn);
        } catch (error) {
          throw new Error(`After a death ${death} act ${deaths}: ${(error as Error).message}`, {
            cause: error,
          });
        }
        if (!died) break;
      }
      expect(deaths).toBeGreaterThan(20);
    },
  );

  it('the undo is recovered when each process is killed after a few operations', async () => {
    for (const few of [3, 5, 9]) {
      const { disk, turn } = await diskAfterTurn(trashIsHere);
      for (let each = 0; each < 100; each += 1) {
        if (!(await undoAndDie(way, disk, turn, few + each, DEATHS[each % DEATHS.length]!))) break;
      }
      await judge(way, disk, turn);
    }
  });
});
