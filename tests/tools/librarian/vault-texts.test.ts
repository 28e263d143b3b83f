/** The texts that the vault search works with: late, unreadable, and after the plugin is unloaded. */
import { expect, it, onTestFinished } from 'vitest';
import type { FileBatch } from '#ports/vault';
import { VaultSearch } from '#tools/vault-search';
import { testClock } from '#tests/builders/fake-clock';
import { memoryStore } from '#tests/builders/fake-storage';
import { MemoryNotes } from '#tests/builders/fake-vault';
import { localEngine, NO_EDITS } from '#tests/builders/search-engines';
import { meaningParts, wordsFile } from '#tests/builders/semantic-search';

/** Reads that a test holds back or lets fail. */
class SlowNotes extends MemoryNotes {
  /** What to do before the next reads return. */
  readonly holds: (() => Promise<void>)[] = [];

  override async readMany(paths: readonly string[]): Promise<FileBatch> {
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
  let starts = 0;
  const start = localEngine();
  const words = wordsFile(store);
  const search = new VaultSearch({
    ...{ notes, pending: NO_EDITS, clock, words },
    start: (events) => {
      starts += 1;
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
  return { clock, words, search, grep, matches, starts: () => starts };
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

it('a search that runs when the plugin is unloaded ends, and nothing is started or written afterwards', async () => {
  const notes = new SlowNotes({ 'a.md': 'apple' });
  const { clock, words, search, grep, starts } = opened(notes);
  let arrive: () => void = () => undefined;
  notes.holds.push(() => new Promise((resolve) => (arrive = resolve)));
  const running = grep('apple');
  await expect.poll(() => notes.holds.length).toBe(0);
  const closed = search.close();
  expect(await running).toMatchObject({ ok: false, kind: 'stopped' });
  arrive();
  expect(await grep('apple')).toMatchObject({ ok: false, kind: 'stopped' });
  await clock.advance(10_000);
  await closed;
  expect(starts()).toBe(1);
  expect(await words.read()).toBeNull();
});

it('the kept words are removed on request', async () => {
  const { clock, words, search, matches } = opened(new SlowNotes({ 'a.md': 'apple' }));
  expect(await matches('apple')).toBe(1);
  await clock.advance(3_000);
  await expect.poll(() => words.read()).not.toBeNull();
  await search.forgetWords();
  expect(await words.read()).toBeNull();
});
