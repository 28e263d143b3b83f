/**
 * Caches of searches are never visible: after any changes by tools, in editors and from outside,
 * every tool answers like a newly created one.
 */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { TFile } from 'obsidian';
import { describe, expect, it } from 'vitest';
import { settle } from '../../builders/fake-clock';
import { memoryMetadata } from '../../builders/fake-metadata';
import { MemoryNotes } from '../../builders/fake-vault';
import { memoryStore } from '../../builders/fake-storage';
import { benchAt, folderBench, ToolBench, type FolderBench } from '#tests/builders/tools';
import { cases } from '#tests/cases';
import { nextEvent } from '#tests/builders/workbench-host';

const PATHS = ['Garden.md', 'a/Shed.md', 'a/京都.md', 'Private/Diary.md', 'b/list.txt'] as const;

/** Some have equal lengths, because neither time nor size reveals every change. */
const WORDS = [
  ...['milk\n', 'shed\n', 'moss\n', 'milk\n', 'shed\n'],
  ...['milk bread\n', '# Garden\n', '## Café crème\n', 'gardn Gardens\n', '京都の苔\n', 'שלום\n'],
  ...['#private\n', '#food/summer ', '[[Shed]] ', '[[Garden|beds]] ', '[[Nowhere]]\n'],
  ...['- [ ] sow\n', '```\n# no heading\n```\n', 'milk milk milk\n', 'a '.repeat(40), '\n'],
];
const FRONTS = [
  ...['', '', '---\naliases: [Hut, Café]\ntags: [food]\n---\n', '---\ntags: private\n---\n'],
  ...['---\ntitle: Milk\nstatus: open\n---\n', '---\nbroken: [\n---\n'],
];

const START = {
  'Garden.md': '# Garden\n\nmilk [[Shed]]\n',
  'a/Shed.md': '#food milk\n',
  'b/list.txt': 'milk\n',
};

const SETTINGS = { excludedFolders: ['Private'] } as const;

/** @param paths that are asked about one by one */
const questions = (paths: readonly string[]): readonly [string, object][] => [
  ...[
    ...['milk', 'garden', 'gardne', 'cafe creme', '苔', '京都', 'hut', 'food summer', 'שלום sow'],
    ...['milk bread garden heading nowhere', 'ga', 'private'],
  ].map((query): [string, object] => ['search_vault', { query, limit: 50 }]),
  ['search_vault', { query: 'milk garden', folder: 'a', include_content: true }],
  ['search_vault', { query: 'milk bread', tags: ['food'] }],
  ['search_files', { pattern: 'milk|garden|苔' }],
  ['search_files', { pattern: '.', context_lines: 0 }],
  ['list_files', {}],
  ['query_notes', {}],
  ['query_notes', { tags: ['food'], tasks: 'open' }],
  ['query_notes', { properties: { status: 'open' }, sort: 'name' }],
  ['list_tags', {}],
  ['find_dead_links', {}],
  ['find_dead_links', { orphans: true }],
  ['explore_structure', { summaries: true }],
  ['get_properties', { paths }],
  ...paths.map((each): [string, object] => ['get_links', { path: each, depth: 2 }]),
];

async function answers(bench: ToolBench, paths: readonly string[] = PATHS): Promise<string[]> {
  const told: string[] = [];
  for (const [tool, input] of questions(paths)) {
    const { text } = await bench.call(tool, input);
    told.push(`${tool} ${JSON.stringify(input)}\n${text}`);
  }
  return told;
}

const at = fc.constantFrom(...PATHS);
const text = fc
  .tuple(fc.constantFrom(...FRONTS), fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }))
  .map(([front, words]) => front + words.join(''));
const to = fc.constantFrom(...PATHS, 'c/Moved.md', 'Private/Moved.md');

const outside = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), at, text }) },
  fc.record({ do: fc.constant('remove' as const), at }),
);
const inside = fc.oneof(
  fc.record({ do: fc.constant('move' as const), at, to }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('write' as const), at, text }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  fc.record({ do: fc.constant('rule' as const), tag: fc.constantFrom('private', 'food', '') }),
);
const editor = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('type' as const), at, text }) },
  fc.record({ do: fc.constant('close' as const), at, keep: fc.boolean() }),
);

type Inside = typeof inside extends fc.Arbitrary<infer Step> ? Step : never;

async function act(bench: ToolBench, step: Inside): Promise<void> {
  switch (step.do) {
    case 'move':
      await bench.call('move', { source: step.at, destination: step.to });
      return;
    case 'write':
      // In review mode this adds a pending edit, in the note or held beside it.
      await bench.call('read_file', { path: step.at });
      await bench.call('write_file', { path: step.at, content: step.text });
      return;
    case 'ask':
      await answers(bench);
      return;
    case 'rule':
      bench.settings = { ...bench.settings, excludedTag: step.tag };
      return;
  }
}

/** A new process does not know where a file went that was moved. */
function knownPaths(
  steps: readonly { readonly do: string; readonly at?: string }[],
  { notes }: ToolBench,
): string[] {
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? [step.at] : [])));
  return PATHS.filter((each) => !moved.has(each) || notes.get(each));
}

/** Waits for the host's index: once it has read the note written last, it has read all. */
async function allRead({ app, folder, noticed }: FolderBench): Promise<void> {
  const { metadataCache } = app;
  const isLast = (file: unknown) => (file as TFile).path === 'Last.md';
  const read = nextEvent(metadataCache, 'changed', isLast).then(() =>
    nextEvent(metadataCache, 'resolved'),
  );
  fs.writeFileSync(path.join(folder, 'Last.md'), 'The last.\n');
  await noticed('Last.md');
  await read;
}

describe('Librarian tools after changes', () => {
  it('librarian tools answer like new ones after unsaved changes and pending edits in memory', async () => {
    const steps = fc.array(fc.oneof(outside, inside, editor), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const notes = new MemoryNotes(START);
        const metadata = memoryMetadata(notes);
        const store = memoryStore();
        const settings = { ...SETTINGS, panelMode: 'review' } as const;
        const live = new ToolBench(notes, metadata, store, { settings });
        await live.pending.start();
        for (const step of all) {
          if (step.do === 'put') notes.put(step.at, step.text);
          else if (step.do === 'remove') await notes.trash(step.at);
          else if (step.do === 'type') {
            if (notes.get(step.at)) notes.type(step.at, step.text);
          } else if (step.do === 'close') notes.closeEditor(step.at, step.keep);
          else await act(live, step);
        }
        await settle();
        const fresh = new ToolBench(notes, metadata, store, { settings: live.settings });
        await fresh.pending.start();
        const paths = knownPaths(all, live);
        expect(await answers(live, paths)).toEqual(await answers(fresh, paths));
        live.pending.close();
        fresh.pending.close();
      }),
      { ...cases, numRuns: Math.ceil(cases.numRuns / 6) },
    );
  });

  it('librarian tools answer like new ones after changes of files by another program', async () => {
    const steps = fc.array(fc.oneof(outside, inside), { minLength: 3, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await using live = await folderBench(START, { settings: SETTINGS });
        await live.pending.start();
        await answers(live);
        for (const step of all) {
          if (step.do === 'put' || step.do === 'remove') {
            const full = path.join(live.folder, step.at);
            fs.mkdirSync(path.dirname(full), { recursive: true });
            if (step.do === 'put') fs.writeFileSync(full, step.text);
            else fs.rmSync(full, { force: true });
            await live.noticed(path.dirname(step.at), step.at);
          } else await act(live, step);
        }
        await allRead(live);
        const { settings, changeLog } = live;
        await using fresh = await benchAt(live.folder, { settings, changeLog });
        await fresh.pending.start();
        const paths = knownPaths(all, live);
        expect(await answers(live, paths)).toEqual(await answers(fresh, paths));
        live.pending.close();
        fresh.pending.close();
      }),
      { ...cases, numRuns: Math.ceil(cases.numRuns / 30) },
    );
  });
});
