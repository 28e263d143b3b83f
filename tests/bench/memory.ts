/**
 * The memory that Parley needs for a vault, by owner, once the agent has searched it in each way. What
 * the workbench holds in the place of Obsidian is taken off. `--vault DIR` uses a folder; otherwise a
 * vault of `--notes N` and `--megabytes M` is generated.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { stemOf } from '#text/paths';
import { systemClock } from '#obsidian/platform/system-clock';
import { benchAt, type FolderBench, NODE } from '../builders/tools';
import { workerEngine } from '../builders/search-engines';
import { bytesByOwner, type Owner } from './memory/heap-owners';
import { generateVault } from './searching/generated-vault';

/** In the worker of the search. */
const OWNERS: readonly Owner[] = [
  { name: 'texts', type: 'SearchedDocument', field: 'pieces' },
  { name: 'postings', type: 'WordIndex', field: '#postings' },
  { name: 'words', type: 'WordIndex', field: '#names' },
  { name: 'words', type: 'WordIndex', field: '#newNames' },
  { name: 'words', type: 'WordIndex', field: '#numbers' },
  { name: 'documents and trigrams', type: 'SearchEngine', field: '#documents' },
  { name: 'documents and trigrams', type: 'SearchEngine', field: '#words' },
  { name: 'documents and trigrams', type: 'SearchEngine', field: '#trigrams' },
];

const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['list_files', {}],
  ['list_tags', {}],
  ['query_notes', { tags: ['area'] }],
  ['query_notes', { properties: { created: { from: '2020-01-01' } } }],
  ['find_dead_links', { limit: 1 }],
  ['search_files', { pattern: 'zqxjkvbn' }],
  ['search_vault', { query: 'water garden between' }],
  ['search_files', { pattern: '[0-9]{4}-[0-9]{2}' }],
];

export async function bench(
  print: (row: string) => void,
  { vault, notes = '50000', megabytes = '250' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = vault ?? path.join(mkdtempSync(path.join(tmpdir(), 'parley-bench-')), 'vault');
  if (!existsSync(folder)) {
    generateVault(folder, { notes: Number(notes), megabytes: Number(megabytes) });
  }
  const workers: Worker[] = [];
  const opened = await benchAt(folder, {
    clock: systemClock(NODE),
    engine: workerEngine(kept(workers)),
  });
  try {
    await measure(print, opened, workers);
  } finally {
    await opened[Symbol.asyncDispose]();
    if (vault === undefined) rmSync(path.dirname(folder), { recursive: true, force: true });
  }
}

async function measure(
  print: (row: string) => void,
  bench: FolderBench,
  workers: readonly Worker[],
): Promise<void> {
  const files = bench.app.vault.getFiles();
  const all = files.reduce((sum, { stat }) => sum + stat.size, 0);
  const shown = (name: string, bytes: number) =>
    print(`${name.padEnd(30)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB`);
  print(`${files.length} files, ${(all / 1e6).toFixed(1)} MB`);
  const unread = held();
  // The host keeps the texts of notes that were read.
  for (const file of files) await bench.app.vault.read(file);
  const before = held();
  shown('the host: texts that were read', before - unread);
  for (const [tool, input] of CALLS) await bench.expectSuccess(tool, input);
  await bench.expectSuccess('read_file', { path: stemOf(files[0]!.path) });
  await bench.search.index(new AbortController().signal);
  const main = held() - before;
  const [worker] = workers;
  if (!worker) throw new Error('No search was started.');
  const snapshot = await worker.getHeapSnapshot();
  const owned = await bytesByOwner(snapshot, OWNERS);
  shown('main thread: lists and tables', main);
  let total = main;
  for (const [name, bytes] of owned) {
    shown(`worker: ${name}`, bytes);
    total += bytes;
  }
  print(
    `${'all'.padEnd(30)} ${(total / 1e6).toFixed(1).padStart(7)} MB, ${(total / all).toFixed(2)} times the notes`,
  );
}

/** Bytes in use on this thread, after a collection of garbage. */
function held(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Node's modules, with workers that are added to a list when they start. */
function kept(workers: Worker[]): typeof NODE {
  class KeptWorker extends Worker {
    constructor(...start: ConstructorParameters<typeof Worker>) {
      super(...start);
      workers.push(this);
    }
  }
  return { ...NODE, threads: { ...NODE.threads, Worker: KeptWorker } };
}
