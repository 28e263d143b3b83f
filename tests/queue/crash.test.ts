/**
 * Runs a turn on a disk that fails at each single operation in turn: before it, in the middle, or
 * after it but before it is confirmed. The next process must reach the same end.
 */
import { describe, expect, it } from 'vitest';
import type { CallPart } from '#model/message';
import type { ToolPresentation } from '#model/setting-choices';
import type { ModelRequest } from '#ports/model-provider';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { diskError, memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import * as notices from '#messages/notice-messages';
import { eventsOn, inboxOn, keptReplies, makeRig, type Disk, type Rig } from './app-on-disk';

interface Wanted {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

const REQUEST = 'Put it in order.';

const WANTED: readonly Wanted[] = [
  { name: 'read_file', input: { path: 'List.md' } },
  {
    name: 'edit_file',
    input: { path: 'List.md', edits: [{ position: 'end', content: '- milk' }] },
  },
  { name: 'write_file', input: { path: 'New.md', content: '# New\n\nAll of it.\n' } },
  { name: 'move', input: { source: 'Idea.md', destination: 'Projects/' } },
  { name: 'create_folder', input: { path: 'Archive' } },
];
const BEFORE = { 'List.md': '- bread\n', 'Idea.md': 'Beans.\n', 'Other.md': 'Mine.\n' };
const AFTER = {
  'List.md': '- bread\n- milk\n',
  'New.md': '# New\n\nAll of it.\n',
  'Other.md': 'Mine.\n',
  'Projects/Idea.md': 'Beans.\n',
};

/** Repeats a call reported as not done, and never one reported as done. */
function persistent(request: ModelRequest, wanted: readonly Wanted[], perStep: number) {
  const results = request.history.flatMap((message) =>
    message.role === 'results' ? message.results : [],
  );
  const of = (index: number) => results.filter(({ wireId }) => wireId.startsWith(`w${index}-`));
  const open = wanted.flatMap((each, index): CallPart[] => {
    const made = of(index);
    const isDone = made.some(({ result }) => !/^Not done/.test(result.text));
    return isDone ? [] : [asOffered(request, each, `w${index}-${made.length}`)];
  });
  const done = { name: 'done', input: { summary: 'Done.', outcome: 'done' } };
  const end = asOffered(request, done, `e${results.length}`);
  return open.length > 0
    ? answers([words('Next.'), ...open.slice(0, perStep)])
    : answers([words('All done.'), end]);
}

/** By tool name, or as a mode of its agent. */
function asOffered({ prompt }: ModelRequest, { name, input }: Wanted, wireId: string): CallPart {
  const agent = prompt.tools.find(({ tools }) => tools?.includes(name));
  return agent
    ? call(agent.name, { mode: name, ...input }, { wireId })
    : call(name, input, { wireId });
}

function newDisk(perStep: number, toolPresentation: ToolPresentation = 'flat'): Disk {
  return {
    settings: { toolPresentation },
    store: memoryStore(),
    vault: tinyVault(BEFORE, ['Projects']),
    clock: testClock(),
    model: thinkingModel((request) => persistent(request, WANTED, perStep)),
  };
}

/** How the request arrives, and what its sender receives in the end. */
interface Way {
  readonly way: string;
  ask(rig: Rig): Promise<unknown>;
  told(disk: Disk): Promise<readonly string[]>;
  readonly tells: readonly string[];
}

const WAYS: readonly Way[] = [
  {
    way: 'typed',
    ask: async ({ agent }) =>
      expect(await agent.queue.send({ text: REQUEST })).toMatchObject({ ok: true }),
    told: async () => [],
    tells: [],
  },
  {
    way: 'spoken',
    ask: async ({ say }) => expect(await say('m1', REQUEST)).toEqual({ ok: true }),
    told: async (disk) =>
      (await keptReplies(disk)).map(({ notification }) => notification.title ?? ''),
    tells: ['Done: Put it in order'],
  },
];

/** Runs it until it is killed at operation `at`; false if it reached the end. */
async function runAndDie(disk: Disk, way: Way, at: number, death: KillPoint): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  const { idle } = rig;
  void rig
    .load()
    .then(() => way.ask(rig))
    .catch(() => undefined);
  await settle();
  await idle();
  await settle();
  return life.isDead;
}

/** The next process sends the request again if the first one did not confirm it. */
async function goOn(disk: Disk, way: Way): Promise<void> {
  const rig = makeRig(disk);
  const { load, idle, problems } = rig;
  await load();
  const isKnown = inboxOn(disk).length > 0 || eventsOn(disk, 'turn-start').length > 0;
  if (!isKnown) await way.ask(rig);
  await idle();
  expect(problems).toEqual([]);
}

/** Whether the agent had begun to answer, and had not ended. */
function isUnderWay(disk: Disk): boolean {
  return eventsOn(disk, 'step-start').length > 0 && eventsOn(disk, 'turn-end').length === 0;
}

/** It promises nothing if the agent was told that something is unknown. */
function restartNotice(disk: Disk): string {
  const results = eventsOn(disk, 'call-end').map(({ result }) => result.text);
  return notices.continuedAfterRestart(!results.join().includes('Unknown'));
}

const notified = (disk: Disk) => eventsOn(disk, 'turn-notice').map(({ text }) => text);

async function judge(disk: Disk, way: Way): Promise<void> {
  const { vault } = disk;
  expect(Object.fromEntries([...vault.texts].sort())).toEqual(AFTER);
  expect([...vault.folders].sort()).toEqual(['Archive', 'Projects']);
  expect(inboxOn(disk)).toEqual([]);
  expect(await way.told(disk)).toEqual(way.tells);
  expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
  expect(eventsOn(disk, 'turn-end').map(({ end }) => end)).toEqual([
    { kind: 'completed', outcome: 'done', reply: 'Done.' },
  ]);
  const ended = eventsOn(disk, 'call-end').map((event) => event.call);
  expect(new Set(ended).size).toBe(ended.length);
  const started = eventsOn(disk, 'call-start').map((event) => event.call);
  expect(new Set(started).size).toBe(started.length);
}

const TURNS = [
  ...WAYS.flatMap((way) => [1, 3].map((perStep) => ({ way, perStep, presented: 'flat' as const }))),
  { way: WAYS[0]!, perStep: 3, presented: 'agents' as const },
].map((each) => ({ ...each, way: each.way.way, asked: each.way }));

describe.each(TURNS)(
  'a $way turn with $perStep calls per step and tools presented as $presented',
  (each) => {
    const { perStep, presented, asked } = each;

    it.each(DEATHS)(
      'a turn ends once, whichever operation is the last: killed %s it',
      async (death) => {
        let deaths = 0;
        for (; ; deaths += strideOf(29)) {
          const disk = newDisk(perStep, presented);
          const died = await runAndDie(disk, asked, deaths, death);
          const isTold = isUnderWay(disk);
          await goOn(disk, asked);
          try {
            await judge(disk, asked);
            expect(notified(disk)).toEqual(isTold ? [restartNotice(disk)] : []);
          } catch (error) {
            throw new Error(`After a death ${death} act ${deaths}: ${(error as Error).message}`, {
              cause: error,
            });
          }
          if (!died) break;
        }
        expect(deaths).toBeGreaterThan(40);
      },
    );

    it('a turn ends once when each process is killed after a few operations', async () => {
      for (const few of [7, 11, 16]) {
        const disk = newDisk(perStep, presented);
        for (let each = 0; each < 100; each += 1) {
          const died = await runOn(disk, asked, few + each, DEATHS[each % DEATHS.length]!);
          if (!died) break;
        }
        await goOn(disk, asked);
        await judge(disk, asked);
        expect(notified(disk)).toEqual([restartNotice(disk)]);
      }
    });
  },
);

async function runOn(disk: Disk, way: Way, at: number, death: KillPoint): Promise<boolean> {
  const isKnown = inboxOn(disk).length > 0 || eventsOn(disk, 'turn-start').length > 0;
  if (!isKnown) return runAndDie(disk, way, at, death);
  const life = newLife(at, death);
  const { load, idle } = makeRig(disk, life);
  void load();
  await settle();
  await idle();
  await settle();
  return life.isDead;
}

describe('a call that fails by a bug after it changed a note', () => {
  it('the change is reported as done, so that a retry does not repeat it', async () => {
    const disk = newDisk(1);
    const { change } = disk.vault;
    disk.vault.change = async (...args) => {
      await change(...args);
      throw new TypeError('A mistake.');
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Do all of it.' });
    await rig.idle();
    expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['failed']);
    expect(eventsOn(disk, 'call-end').at(-1)?.result.text).toMatch(/^Done: edit_file had changed/);
    disk.vault.change = change;
    const [entry] = (await rig.agent.state()).inbox;
    await rig.agent.queue.retry(entry!.request.id);
    await rig.idle();
    expect(Object.fromEntries(disk.vault.texts)).toEqual(AFTER);
  });
});

describe('a disk that refuses one write of a chat', () => {
  it('the user reads of no restart, in the failed turn and in its retry', async () => {
    for (let at = 1; ; at += 1) {
      const disk = newDisk(1);
      let left = at;
      disk.store.refuse = ({ path }) => {
        if (!path.startsWith('conversations/')) return;
        left -= 1;
        if (left === 0) throw diskError('EBUSY');
      };
      const rig = makeRig(disk);
      await rig.load();
      await rig.agent.queue.send({ text: REQUEST });
      await rig.idle();
      for (const { request } of (await rig.agent.state()).inbox)
        await rig.agent.queue.retry(request.id);
      await rig.idle();
      expect(notified(disk), `write ${at} is refused`).toEqual([]);
      await rig.runner.close();
      if (left > 0) break;
    }
  });
});

describe('a change that cannot be written to the change log', () => {
  it('the model reads the error without the path on this machine', async () => {
    const disk = newDisk(1);
    disk.store.refuse = ({ path }) => {
      if (!path.startsWith('ledger/')) return;
      const error = new Error("EACCES: permission denied, open '/home/ann/Vault/ledger'");
      throw Object.assign(error, { code: 'EACCES' });
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Do all of it.' });
    await rig.idle();
    const told = eventsOn(disk, 'call-end').map(({ result }) => result.text);
    expect(told.join()).toContain('(EACCES: permission denied) Nothing was changed by this call.');
    expect(told.join()).not.toContain('/home');
    expect(Object.fromEntries(disk.vault.texts)).toEqual(BEFORE);
  });
});
