/** The word index that the vault search keeps on disk between starts. */
import { expect, it, onTestFinished } from 'vitest';
import { VaultSearch, type WordsFile } from '#tools/vault-search';
import { memoryStore } from '#tests/builders/fake-storage';
import { MemoryNotes } from '#tests/builders/fake-vault';
import { testClock } from '#tests/builders/fake-clock';
import { localEngine, NO_EDITS } from '#tests/builders/search-engines';
import { meaningParts, wordsFile } from '#tests/builders/semantic-search';

const FILES = { 'a.md': 'apple', 'b.md': 'quince', 'secret.md': '#private damson' };

/** Records the files that are read. */
class WatchedNotes extends MemoryNotes {
  readonly readPaths: string[] = [];

  override readMany(paths: readonly string[]) {
    this.readPaths.push(...paths);
    return super.readMany(paths);
  }
}

/** A start of the plugin over these notes and this store. */
function started(
  notes: MemoryNotes,
  store = memoryStore(),
  start = localEngine(),
  mayWrite = true,
) {
  const clock = testClock();
  const { signal } = new AbortController();
  const scope = () => ({
    among: notes.list().filter(({ kind }) => kind === 'file'),
    ...{ excludedTag: 'private', sees: () => true, signal },
  });
  const writes: number[] = [];
  const kept = wordsFile(store);
  const words: WordsFile = {
    ...kept,
    mayWrite: () => mayWrite,
    write: async (bytes) => {
      await kept.write(bytes);
      writes.push(clock.now());
    },
  };
  const search = new VaultSearch({
    ...{ notes, pending: NO_EDITS, clock, words, start },
    meaning: meaningParts(store, clock, undefined, undefined, async () => scope()),
  });
  onTestFinished(() => search.close());
  const ranked = async (query: string) =>
    (await search.rank({ ...scope(), query, limit: 9 }))?.best.map(({ id }) => id);
  /** Lets the background index the notes, until the index is on disk. */
  const indexed = async () => {
    const before = (await words.read())?.byteLength;
    await clock.advance(3_000);
    await expect.poll(async () => (await words.read())?.byteLength).not.toBe(before);
  };
  return { clock, store, search, writes, ranked, indexed };
}

it('the vault search keeps its word index, and the next start reads only what it shows', async () => {
  const notes = new WatchedNotes(FILES);
  const first = started(notes);
  expect(await first.ranked('quince')).toEqual(['b.md']);
  await first.indexed();
  notes.readPaths.length = 0;
  const second = started(notes, first.store);
  expect(await second.ranked('quince')).toEqual(['b.md']);
  expect(notes.readPaths.sort()).toEqual(['b.md', 'secret.md']);
});

it('the vault search finds what has changed between two starts', async () => {
  const notes = new MemoryNotes(FILES);
  const first = started(notes);
  await first.ranked('quince');
  await first.indexed();
  await notes.change('b.md', 'quince', 'a medlar');
  await notes.create('d.md', 'fig');
  const second = started(notes, first.store);
  expect(await second.ranked('quince')).toEqual([]);
  expect(await second.ranked('medlar')).toEqual(['b.md']);
  expect(await second.ranked('fig')).toEqual(['d.md']);
});

it('the vault search works with a damaged word index, and writes a new one', async () => {
  const notes = new WatchedNotes(FILES);
  const store = memoryStore();
  await store.writeBytes('words.bin', new TextEncoder().encode('damaged').buffer);
  const { ranked, indexed } = started(notes, store);
  expect(await ranked('quince')).toEqual(['b.md']);
  await indexed();
  notes.readPaths.length = 0;
  expect(await started(notes, store).ranked('apple')).toEqual(['a.md']);
  expect(notes.readPaths).not.toContain('b.md');
});

it('a search is answered while the background builds the index', async () => {
  const names = Array.from({ length: 2_000 }, (_, at) => [`${at}.md`, `note ${at} fruit`]);
  const notes = new WatchedNotes(Object.fromEntries(names) as Record<string, string>);
  const { clock, ranked } = started(notes);
  expect(await ranked('299')).toEqual(['299.md']);
  await clock.advance(2_000);
  expect(await ranked('fruit 1999')).toContain('1999.md');
});

it('the vault search tells a new engine of all files, even if something else started it', async () => {
  const notes = new MemoryNotes(FILES);
  const fails: ((problem: string) => void)[] = [];
  const start = localEngine();
  const { ranked, clock } = started(notes, memoryStore(), (events) => {
    fails.push(events.failed);
    return start(events);
  });
  expect(await ranked('quince')).toEqual(['b.md']);
  fails[0]!('out of memory');
  // The background starts the new engine.
  await clock.advance(3_000);
  expect(await ranked('quince')).toEqual(['b.md']);
  expect(fails).toHaveLength(2);
});

it('the vault search finds a note whose engine ended after it had received the list of files', async () => {
  const notes = new MemoryNotes(FILES);
  const store = memoryStore();
  const first = started(notes, store);
  await first.ranked('quince');
  await first.indexed();
  const fails: ((problem: string) => void)[] = [];
  const start = localEngine();
  const words = store.readBytes.bind(store);
  let isEnding = true;
  const ending = {
    ...store,
    readBytes: (path: string) => {
      // The engine ends while the vault search reads the kept index.
      if (isEnding) fails[0]!('out of memory');
      isEnding = false;
      return words(path);
    },
  };
  const second = started(notes, ending, (events) => {
    fails.push(events.failed);
    return start(events);
  });
  expect(await second.ranked('quince')).toEqual(['b.md']);
  expect(fails).toHaveLength(2);
});

/** Changes enough notes that the index should be written again. */
function changeMany(notes: MemoryNotes, text: string): void {
  for (let at = 0; at < 60; at += 1) notes.put(`new ${at}.md`, text);
}

it('the vault search writes its word index at most every five minutes', async () => {
  const notes = new MemoryNotes(FILES);
  const { clock, ranked, indexed, writes } = started(notes);
  await ranked('quince');
  await indexed();
  changeMany(notes, 'fig');
  await ranked('fig');
  await clock.advance(60_000);
  // The next write is scheduled once the background has indexed the notes.
  await expect.poll(() => clock.pending).toBe(1);
  await clock.advance(200_000);
  expect(writes).toHaveLength(1);
  await clock.advance(60_000);
  await expect.poll(() => writes).toHaveLength(2);
});

it('the vault search writes its word index at once when a note in it is gone', async () => {
  const notes = new MemoryNotes(FILES);
  const { clock, ranked, indexed, writes } = started(notes);
  await ranked('quince');
  await indexed();
  await notes.trash('b.md');
  await ranked('apple');
  await clock.advance(3_000);
  await expect.poll(() => writes).toHaveLength(2);
});

it('the vault search writes what has changed when it is closed', async () => {
  const notes = new MemoryNotes(FILES);
  const { clock, store, search, ranked, indexed, writes } = started(notes);
  await ranked('quince');
  await indexed();
  changeMany(notes, 'fig');
  await ranked('fig');
  await clock.advance(3_000);
  await expect.poll(() => clock.pending).toBe(1);
  expect(writes).toHaveLength(1);
  await search.close();
  expect(writes).toHaveLength(2);
  expect(new TextDecoder().decode((await store.readBytes('words.bin')) ?? undefined)).toContain(
    'fig',
  );
});

it('the vault search writes no word index while another process does', async () => {
  const notes = new MemoryNotes(FILES);
  const { clock, search, ranked, writes } = started(notes, memoryStore(), localEngine(), false);
  await ranked('quince');
  await clock.advance(3_000);
  changeMany(notes, 'fig');
  expect(await ranked('fig')).toHaveLength(9);
  await clock.advance(400_000);
  await search.close();
  expect(writes).toEqual([]);
});
