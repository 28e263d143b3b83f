/**
 * Changes several notes in one call on a disk that fails at each single operation in turn. The next
 * process must find each note wholly changed or as it was, tell the model which, and finish the
 * rest; an undo of the turn restores all of them.
 */
import { describe, expect, it } from 'vitest';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { memoryMetadata, NO_METADATA } from '../builders/fake-metadata';
import { memoryStore } from '../builders/fake-storage';
import { MemoryNotes } from '../builders/fake-vault';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { eventsOn, inboxOn, makeRig, type Disk } from './app-on-disk';

const NAMES = ['A', 'B', 'C', 'D'];
const BEFORE = Object.fromEntries(NAMES.map((name) => [`${name}.md`, `Text of ${name} #old.\n`]));

interface Way {
  readonly tool: string;
  readonly mode: 'apply' | 'review';
  /** The input for these names. */
  input(names: readonly string[]): Record<string, unknown>;
}

const paths = (names: readonly string[]) => names.map((name) => `${name}.md`);
const rename = (names: readonly string[]) => ({ tag: 'old', to: 'new', paths: paths(names) });

const properties = (names: readonly string[]) => ({ paths: paths(names), set: { state: 'new' } });
const replace = (names: readonly string[]) => ({
  replacements: [{ old_text: 'Text', new_text: 'Word' }],
  paths: paths(names),
});

const WAYS: readonly Way[] = [
  { tool: 'rename_tag', mode: 'apply', input: rename },
  { tool: 'rename_tag', mode: 'review', input: rename },
  { tool: 'update_properties', mode: 'apply', input: properties },
  { tool: 'update_properties', mode: 'review', input: properties },
  {
    tool: 'add_tags',
    mode: 'apply',
    // A call for all, and then one for those that are left.
    input: (names) =>
      names.length === NAMES.length
        ? { where: { folder: '/' }, tags: ['new'] }
        : { paths: paths(names), tags: ['new'] },
  },
  { tool: 'replace_in_notes', mode: 'apply', input: replace },
  {
    tool: 'move',
    mode: 'apply',
    input: (names) => ({
      moves: names.map((name) => ({ source: `${name}.md`, destination: 'Old/' })),
    }),
  },
  { tool: 'delete', mode: 'apply', input: (names) => ({ paths: paths(names) }) },
];

const { frontMatter, yaml } = memoryMetadata(new MemoryNotes());

/**
 * The model calls for all notes, and after an interruption for those that are not done.
 *
 * @param most notes of one call
 */
function diskFor({ tool, mode, input }: Way, most = NAMES.length): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault(BEFORE, ['Old']),
    clock: testClock(),
    metadata: { ...NO_METADATA, frontMatter, yaml },
    settings: { panelMode: mode, tools: { delete: 'allow' } },
    model: thinkingModel(({ history }) => {
      const results = history.flatMap((each) =>
        each.role === 'results' ? each.results.map(({ result }) => result.text) : [],
      );
      const done = results.filter((text) => !text.startsWith('Not done')).join('\n');
      const left = NAMES.filter((name) => !done.includes(`${name}.md`));
      if (left.length === 0) return answers([words('Done.')]);
      const next = call(tool, input(left.slice(0, most)));
      return answers([words('On it.'), { ...next, wireId: `w${results.length}` }]);
    }),
  };
}

/** All texts of the vault, without the ids of edits and chats. */
function textsOn({ vault }: Disk): object {
  const plain = (text: string) => text.replace(/\b(?:proposal|conversation)-[\w-]+/g, 'id');
  return Object.fromEntries([...vault.texts].sort().map(([path, text]) => [path, plain(text)]));
}

async function run(disk: Disk, at: number, death: KillPoint): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  void rig
    .load()
    .then(() => rig.agent.queue.send({ text: 'Change them.' }))
    .catch(() => undefined);
  await settle();
  await rig.idle();
  await settle();
  return life.isDead;
}

/** @param expected what calls on single notes leave */
async function judge(disk: Disk, expected: object): Promise<void> {
  const rig = makeRig(disk);
  await rig.load();
  const isKnown = inboxOn(disk).length > 0 || eventsOn(disk, 'turn-start').length > 0;
  if (!isKnown) await rig.agent.queue.send({ text: 'Change them.' });
  await rig.idle();
  expect(textsOn(disk)).toEqual(expected);
  expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['completed']);
  const shown = eventsOn(disk, 'call-end').flatMap(({ result: { details } }) =>
    details?.kind === 'changes' ? details.changes.map(({ path }) => path) : [],
  );
  expect(shown.toSorted()).toEqual(Object.keys(BEFORE));
  const undone = await rig.agent.changes.undo({ turn: eventsOn(disk, 'turn-start')[0]!.turn });
  expect(undone).toMatchObject({ ok: true, unapplied: [] });
  expect(Object.fromEntries([...disk.vault.texts].sort())).toEqual(BEFORE);
  expect(rig.problems).toEqual([]);
}

describe.each(WAYS.map((way) => [way.tool, way.mode, way] as const))('%s in %s', (_, __, way) => {
  it.each(DEATHS)(
    'a call for several notes ends as calls for each, killed %s any operation',
    async (death) => {
      const single = diskFor(way, 1);
      await run(single, Infinity, death);
      const expected = textsOn(single);
      expect(expected).not.toEqual(BEFORE);
      let deaths = 0;
      for (; ; deaths += strideOf(7)) {
        const disk = diskFor(way);
        const died = await run(disk, deaths, death);
        try {
          await judge(disk, expected);
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
});
