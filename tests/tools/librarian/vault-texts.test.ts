/** The texts that the vault search works with: late, unreadable, and after the plugin is unloaded. */
import { expect, it, onTestFinished } from 'vitest';
import type { FileBatch } from '#ports/vault';
import { VaultSearch } from '#tools/vault-search';
import { testClock } from '#tests/builders/fake-clock';
import { memoryStore } from '#tests/builders/fake-storage';
import { MemoryNotes } from '#tests/builders/fake-vault';
import { localEngine, NO_EDITS } from '#tests/builders/search-engines';
import { meaningParts } from '#tests/builders/semantic-search';

/** Reads that a test holds back or lets fail. */
class SlowNotes extends MemoryNotes {
  /** What to do before the next reads return. */
  readonly holds: (() => Promise<void>)[] = [];
  /** The files that were read at once, in order. */
  readonly reads: string[] = [];

  override async readMany(paths: readonly (string | null)[]): Promise<FileBatch> {
    this.reads.push(...paths.filter((path) => path !== null));
    const batch = await super.readMany(paths);
    await this.holds.shift()?.();
    return batch;
  }
}

function opened(notes: SlowNotes) {
  const clock = testClock();
  const store = memoryStore();
  const scope = (signal: AbortSignal) => ({
    among: notes.list().filter(({ kind }) => kind === 'file'),
    ...{ excludedTag: '', sees: () => true, signal },
  });
  const { signal: open } = new AbortController();
  const fails: ((problem: string) => void)[] = [];
  const start = localEngine();
  const search = new VaultSearch({
    ...{ notes, pending: NO_EDITS, clock },
    start: (events) => {
      fails.push(events.failed);
      return start(events);
    },
    meaning: meaningParts(store, clock, undefined, undefined, async () => scope(open)),
  });
  onTestFinished(() => search.close());
  const grep = (written: string, signal = open) =>
    search.grep({ ...scope(signal), written, contextLines: 0, maxExcerpts: 9 });
  const matches = async (written: string) => {
    const answer = await grep(written);
    return answer.ok ? answer.result.matches : answer.kind;
  };
  const ranked = async (query: string) => {
    const found = await search.rank({ ...scope(open), query, limit: 9 });
    return found?.best.map(({ id }) => id);
  };
  return { clock, search, scope, grep, matches, ranked, fails };
}

it('a text that was requested before a change and arrives after it does not replace the new one', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple' });
  const { grep, matches } = opened(notes);
  let arrive: () => void = () => undefined;
  notes.holds.push(() => new Promise((resolve) => (arrive = resolve)));
  const stop = new AbortController();
  const first = grep('apple', stop.signal);
  await expect.poll(() => notes.holds.length).toBe(0);
  stop.abort();
  expect(await first).toMatchObject({ kind: 'stopped' });
  await notes.change('a.md', 'apple', 'zebra');
  expect(await matches('zebra')).toBe(1);
  arrive();
  await new Promise((resolve) => setImmediate(resolve));
  for (const written of ['zebra', 'zebra']) expect(await matches(written)).toBe(1);
  expect(await matches('apple')).toBe(0);
});

it('a search whose files cannot be read ends, names them, and reads them again the next time', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple' });
  const { grep, matches } = opened(notes);
  notes.holds.push(() => Promise.reject(new Error('The disk is gone.')));
  expect(await grep('apple')).toMatchObject({ result: { matches: 0, unread: ['a.md'] } });
  expect(await matches('apple')).toBe(1);
});

it('a search that runs when the plugin is unloaded ends, and no engine is started afterwards', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple' });
  const { search, grep, fails } = opened(notes);
  let arrive: () => void = () => undefined;
  notes.holds.push(() => new Promise((resolve) => (arrive = resolve)));
  const running = grep('apple');
  await expect.poll(() => notes.holds.length).toBe(0);
  search.close();
  expect(await running).toMatchObject({ ok: false, kind: 'stopped' });
  arrive();
  expect(await grep('apple')).toMatchObject({ ok: false, kind: 'stopped' });
  expect(fails).toHaveLength(1);
});

it('a search after the engine has failed tells a new engine of all files', async () => {
  const { matches, fails } = opened(new SlowNotes({ 'a.md': 'apple' }));
  expect(await matches('apple')).toBe(1);
  fails[0]!('out of memory');
  expect(await matches('apple')).toBe(1);
  expect(fails).toHaveLength(2);
});

it('the notes are indexed while nothing is searched, so that a search by words reads no file', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple', 'b.md': 'pear' });
  const { clock, search, matches, ranked } = opened(notes);
  search.indexInBackground();
  await clock.advance(20_000);
  await expect.poll(() => notes.reads).toEqual(['a.md', 'b.md']);
  // The engine indexes what it has read.
  for (let at = 0; at < 50; at += 1) await new Promise((resolve) => setImmediate(resolve));
  notes.reads.length = 0;
  expect(await ranked('quince')).toEqual([]);
  expect(await matches('quince')).toBe(0);
  expect(notes.reads).toEqual([]);
  await notes.change('b.md', 'pear', 'quince');
  expect(await matches('quince')).toBe(1);
  expect(await ranked('quince')).toEqual(['b.md']);
  expect(notes.reads).toEqual(['b.md']);
});

it('a search does not wait for the notes to be indexed', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple' });
  const { clock, search, matches } = opened(notes);
  search.indexInBackground();
  notes.holds.push(() => new Promise(() => undefined));
  await clock.advance(20_000);
  await expect.poll(() => notes.holds.length).toBe(0);
  expect(await matches('apple')).toBe(1);
});

it('a search counts the files that it reads for the first time, and no file twice', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`${at}.md`, `apple ${at}`]),
  );
  const notes = new SlowNotes(files);
  const { search, scope } = opened(notes);
  const counts: (readonly [done: number, all: number])[] = [];
  const progress = (done: number, all: number) => void counts.push([done, all]);
  const searched = () =>
    search.rank({ ...scope(new AbortController().signal), query: 'apple', limit: 3, progress });
  await searched();
  expect(counts.length).toBeGreaterThan(1);
  expect(counts.map(([, all]) => all)).toEqual(counts.map(() => 600));
  expect(counts.map(([done]) => done)).toEqual(
    counts.map(([done]) => done).toSorted((a, b) => a - b),
  );
  expect(counts.at(-1)).toEqual([600, 600]);
  counts.length = 0;
  await searched();
  expect(counts).toEqual([]);
  await notes.change('7.md', 'apple 7', 'pear');
  await searched();
  expect(counts).toEqual([[1, 1]]);
});
