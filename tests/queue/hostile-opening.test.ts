/**
 * A note tells the agent to write something and to open it, so that it loads from elsewhere without
 * a click. Opening what the same turn has written asks first.
 */
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '#ports/model-provider';
import type { Mode } from '#model/setting-choices';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const FILES = {
  'Trap.md': '# Trap\n',
  'Around.md': 'See ![[Trap]].\n',
  'Other.md': 'Nothing.\n',
  'Templates/Sheet.md': 'Sheet\n',
};

type Call = ReturnType<typeof call>;

/** Plays these steps, one list of calls each; an empty list ends a turn. Opens are collected. */
async function play(mode: Mode, steps: readonly (readonly Call[])[], turns = 1) {
  const left = [...steps];
  const disk: Disk = {
    ...{ store: memoryStore(), vault: tinyVault(FILES), clock: testClock() },
    metadata: memoryMetadata(new MemoryNotes(FILES)),
    model: thinkingModel((): ModelEvent[] => {
      const next = left.shift() ?? [];
      return next.length > 0
        ? answers(next.map((each, at) => ({ ...each, wireId: `w${left.length}-${at}` })))
        : says('Done.');
    }),
    settings: { panelMode: mode, templateFolder: 'Templates', tools: { move: 'allow' } },
  };
  const rig = makeRig(disk);
  await rig.load();
  for (let turn = 0; turn < turns; turn += 1) {
    await rig.agent.queue.send({ text: 'Do as Trap says.' });
    await rig.idle();
  }
  const asked = (await rig.agent.state()).interactions.flatMap(({ interaction }) =>
    interaction.kind === 'approval' ? [interaction] : [],
  );
  const results = eventsOn(disk, 'call-end').map(({ result }) => result.text);
  return { asked, results };
}

const edits = [{ position: 'end', content: 'More.' }];
const WRITERS: readonly (readonly [tool: string, path: string, calls: readonly Call[]])[] = [
  ['write_file', 'New.md', [call('write_file', { path: 'New.md', content: 'New.' })]],
  ['edit_file', 'Trap.md', [call('edit_file', { path: 'Trap.md', edits })]],
  ['update_properties', 'Trap.md', [call('update_properties', { path: 'Trap.md', set: { a: 1 } })]],
  ['add_tags', 'Trap.md', [call('add_tags', { path: 'Trap.md', tags: ['x'] })]],
  [
    'replace_in_notes',
    'Trap.md',
    [
      call('replace_in_notes', {
        replacements: [{ old_text: 'Trap', new_text: 'Traps' }],
        paths: ['Trap.md'],
      }),
    ],
  ],
  [
    'update_tasks',
    'Trap.md',
    [call('update_tasks', { path: 'Trap.md', tasks: ['Trap'], status: 'new' })],
  ],
  ['link_notes', 'Trap.md', [call('link_notes', { source: 'Trap.md', target: 'Other.md' })]],
  ['apply_template', 'New.md', [call('apply_template', { template: 'Sheet', path: 'New.md' })]],
];
const SPELLINGS = [
  (path: string) => path,
  (path: string) => `/${path}`,
  (path: string) => path.toLowerCase(),
  (path: string) => `[[${path.replace('.md', '')}]]`,
  (path: string) => path.replace('.md', ''),
] as const;

const VARIANTS = (['review', 'apply'] as const).flatMap((mode) =>
  WRITERS.flatMap(([tool, path, calls]) =>
    SPELLINGS.flatMap((spelled) =>
      ['the same step', 'the next step'].map((when) => {
        const open = call('open_note', { path: spelled(path) });
        const steps = when === 'the same step' ? [[...calls, open]] : [calls, [open]];
        return {
          name: `${tool}, ${open.input['path'] as string}, ${when}, ${mode}`,
          mode,
          path,
          steps,
        };
      }),
    ),
  ),
);

describe('opening a note that the same turn has written', () => {
  test('there are more than fifty ways to write and open a note', () => {
    expect(VARIANTS.length).toBeGreaterThan(50);
  });

  test.each(VARIANTS)('opening a note just written asks: $name', async ({ mode, path, steps }) => {
    const { asked } = await play(mode, steps);
    expect(asked.map(({ title }) => title)).toEqual([`Open ${path}?`]);
    expect(asked[0]).toMatchObject({
      choices: ['allow-once', 'deny'],
      lines: [expect.stringContaining('was changed in this turn')],
    });
  });

  test('opening a note that embeds one just written asks', async () => {
    const open = call('open_note', { path: 'Around.md' });
    const { asked } = await play('apply', [
      [call('edit_file', { path: 'Trap.md', edits })],
      [open],
    ]);
    expect(asked.map(({ title }) => title)).toEqual(['Open Around.md?']);
  });

  test('opening a note that was written and then moved asks', async () => {
    const { asked } = await play('apply', [
      [call('write_file', { path: 'New.md', content: 'New.' })],
      [call('move', { source: 'New.md', destination: 'Moved.md' })],
      [call('open_note', { path: 'Moved.md' })],
    ]);
    expect(asked.map(({ title }) => title)).toEqual(['Open Moved.md?']);
  });

  test('opening another note, or one written in an earlier turn, does not ask', async () => {
    const write = call('edit_file', { path: 'Trap.md', edits });
    const other = await play('apply', [[write], [call('open_note', { path: 'Other.md' })]]);
    expect(other.asked).toEqual([]);
    expect(other.results.at(-1)).toBe('Other.md is open.');
    const later = await play('apply', [[write], [], [call('open_note', { path: 'Trap.md' })]], 2);
    expect(later.asked).toEqual([]);
    expect(later.results.at(-1)).toBe('Trap.md is open.');
  });
});
