/**
 * How long the tools that look at the whole vault take: at first, again, after one note has changed,
 * and after a thousand have changed at once. `--vault DIR` uses a folder; otherwise a vault of
 * `--notes N` and `--megabytes M` is generated.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#obsidian/platform/system-clock';
import { benchAt, type FolderBench, NODE } from '../builders/tools';
import { generateVault } from './searching/generated-vault';
import { median, watched } from './timing/watched';

const REPETITIONS = 5;
const MANY = 1_000;

export async function bench(
  print: (row: string) => void,
  { vault, notes = '50000', megabytes = '25', only = '' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = vault ?? path.join(mkdtempSync(path.join(tmpdir(), 'parley-bench-')), 'vault');
  if (!existsSync(folder)) {
    generateVault(folder, { notes: Number(notes), megabytes: Number(megabytes) });
  }
  const opened = await benchAt(folder, {
    settings: { excludedTag: 'area/private' },
    clock: systemClock(NODE),
  });
  try {
    await compare(print, opened, only);
  } finally {
    await opened[Symbol.asyncDispose]();
    if (vault === undefined) rmSync(path.dirname(folder), { recursive: true, force: true });
  }
}

interface Row {
  readonly name: string;
  readonly tool: string;
  readonly input: object;
}

async function compare(
  print: (row: string) => void,
  bench: FolderBench,
  only: string,
): Promise<void> {
  const files = bench.app.vault.getMarkdownFiles();
  const middle = files[Math.floor(files.length / 2)]!;
  print(`${files.length} notes`);
  const rows: readonly Row[] = [
    { name: 'list_files', tool: 'list_files', input: {} },
    { name: 'list_files with a glob', tool: 'list_files', input: { pattern: '*7*.md' } },
    { name: 'list_tags', tool: 'list_tags', input: {} },
    { name: 'query_notes by tag', tool: 'query_notes', input: { tags: ['area'] } },
    {
      name: 'query_notes by property',
      tool: 'query_notes',
      input: { properties: { created: { from: '2020-01-01' } } },
    },
    { name: 'query_notes by link', tool: 'query_notes', input: { links_to: middle.path } },
    {
      name: 'query_notes by date',
      tool: 'query_notes',
      input: { modified: { from: '2030-01-01' } },
    },
    { name: 'find_dead_links', tool: 'find_dead_links', input: { limit: 1 } },
    { name: 'orphans', tool: 'find_dead_links', input: { orphans: true } },
    { name: 'get_links', tool: 'get_links', input: { path: middle.path, depth: 2 } },
    { name: 'look-up by name', tool: 'get_file_info', input: { path: middle.basename } },
    { name: 'look-up without result', tool: 'get_file_info', input: { path: 'no such note' } },
    { name: 'explore_structure', tool: 'explore_structure', input: {} },
  ];
  print(
    'call                     |  first | again | one changed | 1,000 changed | longest block (1,000)',
  );
  for (const { name, tool, input } of rows.filter((row) => row.name.startsWith(only))) {
    const call = () => watched(() => bench.call(tool, input));
    await touch(bench, 1);
    const first = await call();
    const again: number[] = [];
    for (let at = 0; at < REPETITIONS; at += 1) again.push((await call()).processor);
    const changed: number[] = [];
    for (let at = 0; at < REPETITIONS; at += 1) {
      await touch(bench, 1);
      changed.push((await call()).processor);
    }
    await touch(bench, MANY);
    const many = await call();
    const cells = [
      name.padEnd(24),
      first.processor.toFixed(0).padStart(6),
      median(again).toFixed(1).padStart(5),
      median(changed).toFixed(1).padStart(11),
      many.processor.toFixed(1).padStart(13),
      `${Math.max(first.block, many.block).toFixed(1)} ms`,
    ];
    print(cells.join(' | '));
  }
}

let round = 0;

/** Changes notes as another program would, and waits until the host has indexed them again. */
async function touch({ app, metadata }: FolderBench, count: number): Promise<void> {
  const files = app.vault.getMarkdownFiles();
  for (let at = 0; at < count; at += 1) {
    const file = files[(round * 7_919 + at * 31) % files.length]!;
    await app.vault.process(
      file,
      (text) => `${text}\nTouched ${round} [[nowhere ${at}]] #touched\n`,
    );
  }
  round += 1;
  while (metadata.behind().size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
