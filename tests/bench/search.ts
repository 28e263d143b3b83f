/**
 * Measures keyword search over many notes on disk: the first query, which builds the index, against
 * later ones. `VAULT=DIR` uses an existing folder. Prints numbers; asserts nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '#obsidian/platform/system-clock';
import { nodeModules } from '#obsidian/platform/platform';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { meaningParts } from '../builders/semantic-search';
import { VaultSearch } from '#tools/keyword-search';
import { openVault } from '#workbench/open-vault';
import { shown, watched, type Watched } from './timing/watched';

const NOTES = 7_000;
const WORDS = 60_000;
const NOTE_WORDS = 330;

export async function bench(print: (row: string) => void): Promise<void> {
  const made = process.env['VAULT'] === undefined ? madeVault() : null;
  const vault = await openVault({ vault: made ?? process.env['VAULT']!, configDir: '.obsidian' });
  const notes = obsidianVault(vault.app.asOriginalType__(), null);
  try {
    const node = nodeModules(createRequire(import.meta.url));
    if (!node) throw new Error('There is no Node.');
    const clock = systemClock(node);
    const search = new VaultSearch(notes, clock, meaningParts(nodeStorage(node, tmpdir()), clock));
    const among = notes.list().filter(({ path }) => path.endsWith('.md'));
    const bytes = among.reduce((sum, { size }) => sum + size, 0);
    print(`${among.length} notes, ${(bytes / 1e6).toFixed(1)} MB`);
    const { signal } = new AbortController();
    const rules = { hides: () => false, sees: () => true, signal };
    const { hides } = rules;
    const rank = (query: string) =>
      watched(() => search.ranks.rank({ query, among, limit: 10, ...rules, hides }));
    const word = made ? 'word77' : 'template';
    // Reads all notes first, so that the query below measures the index alone.
    const { compilePattern } = await import('#search/pattern');
    const pattern = compilePattern('zzzz');
    if (!pattern.ok) throw new Error(pattern.reason);
    const grep = () =>
      search.grep(pattern.pattern, { among, contextLines: 0, maxExcerpts: 1, ...rules });
    print(`every text read and looked through once: ${shown(await watched(grep))}`);
    const before = heap();
    const first = await rank(word);
    print(`first query, which makes the index: ${shown(first)} (block: budget 16 ms)`);
    print(`  it takes ${((heap() - before) / 1e6).toFixed(1)} MB`);
    const later = await median(() => rank(word));
    print(`the same again: ${shown(later)}`);
    print(`  the first takes ${(first.processor / later.processor).toFixed(0)} times as long`);
    const several = made ? 'word77 word1234 word9' : 'daily note template folder';
    print(`several words: ${shown(await median(() => rank(several)))}`);
    const typo = made ? 'wodr77x wrod123y' : 'calender recieve';
    print(`misspelled: ${shown(await median(() => rank(typo)))}`);
    const common = made ? 'word0 word1 word2' : 'the of and';
    print(`words that most notes have: ${shown(await median(() => rank(common)))}`);
    const [one] = among;
    const text = await notes.read(one!.path);
    if (!text.ok || !made) return;
    await notes.change(one!.path, text.value.text, `${text.value.text}\nchanged\n`);
    print(`after a change of one note: ${shown(await rank(word))}`);
  } finally {
    notes.close();
    await vault.close();
    if (made !== null) rmSync(made, { recursive: true, force: true });
  }
}

async function median<Value>(
  once: () => Promise<Watched<Value>>,
  times = 7,
): Promise<Watched<Value>> {
  const all: Watched<Value>[] = [];
  for (let at = 0; at < times; at += 1) all.push(await once());
  return all.sort((a, b) => a.milliseconds - b.milliseconds)[Math.floor(times / 2)]!;
}

/** Used bytes of the heap and array buffers after garbage collection. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Creates a vault whose word frequencies follow Zipf's law: the hundredth word is a hundredth as
 * frequent as the first.
 */
function madeVault(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const word = () => `word${Math.floor(WORDS ** random()) - 1}`;
  for (let note = 0; note < NOTES; note += 1) {
    const place = path.join(folder, `Folder ${note % 40}`);
    mkdirSync(place, { recursive: true });
    const lines = [`# ${word()} ${word()}`];
    for (let at = 0; at < NOTE_WORDS; at += 12) {
      lines.push(Array.from({ length: 12 }, word).join(' '));
      if (at % 120 === 0) lines.push('', `## ${word()}`, '');
    }
    writeFileSync(path.join(place, `${word()} ${note}.md`), lines.join('\n'));
  }
  return folder;
}
