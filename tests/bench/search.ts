/**
 * Compares `search_files` with ripgrep over the same files: a first search with cold and with warm
 * files, then, with all notes indexed, again and again. `--vault DIR` uses a folder; with `--notes N --megabytes M`, a vault of that size is
 * generated there first if the folder does not exist.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateVault } from './searching/generated-vault';
import { openSearch, type OpenedSearch } from './searching/opened-search';
import { evict, hasRipgrep, ripgrep, type SearchRow, type Totals } from './searching/ripgrep';
import { median, watched } from './timing/watched';

const REPETITIONS = 5;

export async function bench(
  print: (row: string) => void,
  { vault, notes = '6000', megabytes = '30' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = vault ?? path.join(mkdtempSync(path.join(tmpdir(), 'parley-bench-')), 'vault');
  if (!existsSync(folder)) {
    generateVault(folder, { notes: Number(notes), megabytes: Number(megabytes) });
  }
  const search = await openSearch(folder);
  try {
    await compare(print, folder, search);
  } finally {
    await search.close();
    if (vault === undefined) rmSync(path.dirname(folder), { recursive: true, force: true });
  }
}

async function compare(
  print: (row: string) => void,
  folder: string,
  search: OpenedSearch,
): Promise<void> {
  print(`${search.files} files, ${(search.bytes / 1e6).toFixed(1)} MB`);
  print(`memory before the first search: ${memory()}`);
  const isThere = hasRipgrep();
  if (!isThere) print('ripgrep (`rg`) is not installed, so there is nothing to compare with.');
  const rows = rowsFor(folder, search);
  const [rare] = rows;
  if (evict(folder)) {
    const cold = await watched(() => search.find(rare!));
    print(firstText('cold', cold.milliseconds, cold.block));
    evict(folder);
    if (isThere) print(againstText(cold.milliseconds, timed(() => ripgrep(folder, rare!))[0]));
  }
  const [ours, theirs]: [number[], number[]] = [[], []];
  let block = 0;
  for (let at = 0; at < REPETITIONS; at += 1) {
    search.forget();
    const warm = await watched(() => search.find(rare!));
    block = Math.max(block, warm.block);
    ours.push(warm.milliseconds);
    if (isThere) theirs.push(timed(() => ripgrep(folder, rare!))[0]);
  }
  print(firstText('warm', median(ours), block));
  if (isThere) print(againstText(median(ours), median(theirs)));
  print(`memory: ${memory()}`);
  const built = await watched(() => search.index());
  print(
    `indexing in the background: ${built.milliseconds.toFixed(0)} ms, longest block ${built.block.toFixed(1)} ms`,
  );
  print(`memory with the index: ${memory()}`);
  print('search                                | Parley ms | ripgrep ms | ratio | matches');
  for (const row of rows) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let block = 0;
    let mine: Totals | null = null;
    let its: Totals | null = null;
    for (let at = 0; at < REPETITIONS; at += 1) {
      const once = await watched(() => search.find(row));
      ours.push(once.milliseconds);
      mine = once.value;
      block = Math.max(block, once.block);
      if (!isThere) continue;
      const [time, totals] = timed(() => ripgrep(folder, row));
      theirs.push(time);
      its = totals;
    }
    print(rowText(row.name, median(ours), median(theirs), block, mine, its));
  }
  const finding = await search.findingFirst(rare!);
  if (finding) {
    const times: number[] = [];
    for (let at = 0; at <= REPETITIONS; at += 1) {
      const { milliseconds } = await watched(finding);
      // The first of them counts the files.
      if (at > 0) times.push(milliseconds);
    }
    print(`first 50 passages with ${rare!.pattern}: ${median(times).toFixed(1)} ms`);
  }
  print(`memory after all searches: ${memory()}`);
  print('ranking:');
  for (const query of [rare!.pattern, 'water garden between', 'calender betwen', 'the of and']) {
    const times: number[] = [];
    let notes = 0;
    for (let at = 0; at < REPETITIONS; at += 1) {
      const once = await watched(() => search.rank(query));
      times.push(once.milliseconds);
      notes = once.value;
    }
    print(`  ${query}: ${median(times).toFixed(1)} ms, ${notes} notes`);
  }
}

function firstText(files: string, milliseconds: number, block: number): string {
  return `first search (${files} files): ${milliseconds.toFixed(0)} ms, longest block ${block.toFixed(1)} ms`;
}

function againstText(ours: number, theirs: number): string {
  return `  ripgrep ${theirs.toFixed(0)} ms, ratio ${(ours / theirs).toFixed(2)}`;
}

function rowText(
  name: string,
  ours: number,
  theirs: number,
  block: number,
  mine: Totals | null,
  its: Totals | null,
): string {
  const isSame = mine?.matches === its?.matches && mine?.files === its?.files;
  const totals = `${mine?.matches ?? '?'} in ${mine?.files ?? '?'}`;
  const cells = [
    name.padEnd(37),
    ours.toFixed(1).padStart(9),
    its ? theirs.toFixed(1).padStart(10) : '-'.padStart(10),
    its ? (ours / theirs).toFixed(2).padStart(5) : '-'.padStart(5),
    its && !isSame ? `${totals}, BUT RIPGREP ${its.matches} in ${its.files}` : totals,
  ];
  return `${cells.join(' | ')} (longest block ${block.toFixed(1)} ms)`;
}

/** Patterns that mean the same to both: classes are written out, because `\w` is Unicode in ripgrep. */
function rowsFor(folder: string, search: OpenedSearch): SearchRow[] {
  const rare = rareWord(folder, search);
  const folders = search.paths.flatMap((each) => (each.includes('/') ? [each.split('/')[0]!] : []));
  const glob = folders.length > 0 ? `${folders[0]}/**` : '*.md';
  return [
    { name: `rare: ${rare}`, pattern: rare },
    { name: `rare, by case: ${rare}`, pattern: rare, caseSensitive: true },
    { name: 'absent', pattern: 'zqxjkvbn' },
    { name: 'common: the', pattern: 'the' },
    { name: 'common, by case: the', pattern: 'the', caseSensitive: true },
    { name: 'several words: water|garden|between', pattern: 'water|garden|between' },
    { name: 'regex with literal', pattern: `${rare.slice(0, 4)}[a-z]+[0-9]*` },
    { name: 'regex with literal: tasks', pattern: '^- \\[ \\] [a-z]+ [a-z]+' },
    { name: 'regex with literal: links', pattern: '\\[\\[[^\\]\\n]+\\]\\]' },
    { name: 'regex with literal: endings', pattern: '[a-z]+ing ' },
    { name: 'regex without literal: dates', pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}' },
    { name: 'regex without literal: pairs', pattern: '[aeiou]{3}[0-9a-z]' },
    {
      name: 'multi-line: two headings',
      pattern: '## [a-z ]+\\r?\\n\\r?\\n- [a-z]+',
      multiline: true,
    },
    { name: 'every line', pattern: '^[-#a-z]' },
    { name: `with a glob: ${glob}`, pattern: 'the', glob },
    { name: 'with a glob: **/*1*.md', pattern: 'the', glob: '**/*1*.md' },
  ];
}

/** A long word of the note in the middle, which few other notes have. */
function rareWord(folder: string, { paths }: OpenedSearch): string {
  const sorted = [...paths].sort();
  for (let at = Math.floor(sorted.length / 2); at < sorted.length; at += 1) {
    const text = readFileSync(path.join(folder, sorted[at]!), 'utf8');
    const words = text.match(/\b[a-z]{8,14}[0-9]*\b/g) ?? [];
    const [longest] = [...words].sort((a, b) => b.length - a.length);
    if (longest !== undefined) return longest;
  }
  return 'parley';
}

function timed<Value>(work: () => Value): [milliseconds: number, value: Value] {
  const began = performance.now();
  const value = work();
  return [performance.now() - began, value];
}

function memory(): string {
  const peak = process.resourceUsage().maxRSS * 1_024;
  return `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB held, ${(peak / 1e6).toFixed(0)} MB at most`;
}
