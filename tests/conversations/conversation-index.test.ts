/** The index, which lists conversations without reading them, and how it is rebuilt. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrateIndexLine } from '#conversations/conversation-index';
import {
  conversationId,
  converse,
  openDevice,
  exchange,
  FOLDER,
  pathOf,
  type Device,
} from '../builders/conversations';
import { settle, testClock } from '../builders/fake-clock';
import { diskError, memoryStore, type MemoryStore } from '../builders/fake-storage';
import { cases } from '../cases';

const INDEX = `${FOLDER}/index-device-desk.jsonl`;
const OTHER_INDEX = `${FOLDER}/index-device-lap.jsonl`;
const FIRST_INDEX = `${FOLDER}/index.jsonl`;
const THREE = ['One', 'Two', 'Three'];

const titles = async ({ all }: Pick<Device, 'all'>) => (await all.list()).map(({ title }) => title);

async function three(store = memoryStore(), name = 'desk') {
  const device = openDevice(store, name);
  for (const title of THREE) {
    await converse(device, title.toLowerCase(), { userText: title, source: 'voice' });
  }
  await settle();
  return { store, device };
}

/** Makes all conversation files unreadable. */
function lock(store: MemoryStore) {
  for (const file of store.files.keys()) {
    if (/conversation-/.test(file)) store.unreadable.set(file, diskError('EIO'));
  }
}

const form = (name: string) =>
  readFileSync(path.join(import.meta.dirname, 'forms', name), 'utf8')
    .trim()
    .split('\n');

describe('The list of conversations after a restart', () => {
  it('the list is the same as before, without reading any conversation', async () => {
    const { store, device } = await three();
    const before = await device.all.list();
    lock(store);
    const again = openDevice(store);
    expect(await again.all.list()).toEqual(before);
    expect(again.reported).toEqual([]);
  });

  it('the list is the same as before when the last changes did not reach the index', async () => {
    const { store, device } = await three();
    store.refuse = ({ path: file }) => {
      if (file === INDEX) throw diskError('ENOSPC');
    };
    const log = await device.all.open(conversationId('two'));
    await exchange(log!, device.clock, { userText: 'More.' });
    await log!.append({ type: 'title-set', title: 'Second', by: 'user' });
    await settle();
    store.refuse = null;
    const before = await device.all.list();
    expect(before.at(-1)).toMatchObject({ title: 'Second', messages: 4 });
    expect(await openDevice(store).all.list()).toEqual(before);
  });

  it('the list and the index are rebuilt from the conversations when the index is lost', async () => {
    const { store, device } = await three();
    const before = await device.all.list();
    store.files.delete(INDEX);
    expect(await openDevice(store).all.list()).toEqual(before);
    lock(store);
    expect(await openDevice(store).all.list()).toEqual(before);
  });

  it('the list is complete when a new conversation is started after the index was lost', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    const next = openDevice(store, 'desk', testClock({ start: 2_000_000_000_000 }));
    await converse(next, 'four', { userText: 'Four' });
    await settle();
    expect(await titles(openDevice(store))).toEqual([...THREE, 'Four']);
  });

  it('the list lacks an unindexed conversation that cannot be read until it can be', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    store.unreadable.set(pathOf('two'), diskError('EBUSY'));
    const again = openDevice(store);
    expect(await titles(again)).toEqual(['One', 'Three']);
    store.unreadable.clear();
    await again.clock.advance(10_000);
    expect(await titles(again)).toEqual(THREE);
    expect(again.reported).toEqual([]);
  });

  it('the list is complete when the index can be neither read nor written', async () => {
    const { store } = await three();
    store.unreadable.set(INDEX, diskError('EACCES'));
    store.refuse = ({ path: file }) => {
      if (file === INDEX) throw diskError('EROFS');
    };
    expect(await titles(openDevice(store))).toEqual(THREE);
  });

  it('the list lacks conversations whose files are gone', async () => {
    const { store } = await three();
    store.files.delete(pathOf('two'));
    expect(await titles(openDevice(store))).toEqual(['One', 'Three']);
  });
});

describe('A conversation that arrives by sync', () => {
  it("a synced conversation is found at run time in its device's index or in its file", async () => {
    const { store, device } = await three();
    expect(await titles(device)).toEqual(THREE);
    const other = memoryStore();
    const lap = openDevice(other, 'lap', device.clock);
    await converse(lap, 'four', { userText: 'Four' });
    await converse(lap, 'five', { userText: 'Five' });
    await settle();
    for (const [file, text] of other.files) store.files.set(file, text);
    store.unreadable.set(pathOf('four'), diskError('EIO'));
    await device.clock.advance(10_000);
    expect(await titles(device)).toEqual([...THREE, 'Four', 'Five']);
    store.files.delete(OTHER_INDEX);
    expect(await titles(openDevice(store))).toEqual([...THREE, 'Five']);
    store.unreadable.clear();
    expect(await titles(openDevice(store))).toEqual([...THREE, 'Four', 'Five']);
  });

  it("a synced conversation is listed from its file when its device's index is outdated", async () => {
    const { store, device } = await three();
    const lap = openDevice(store, 'lap', device.clock);
    const log = await converse(lap, 'four', { userText: 'Four' });
    await settle();
    const early = store.files.get(OTHER_INDEX)!;
    await log.append({ type: 'title-set', title: 'Fourth', by: 'model' });
    await settle();
    store.files.set(OTHER_INDEX, early);
    const again = openDevice(store);
    expect((await again.all.list()).at(-1)).toMatchObject({ title: 'Fourth', own: false });
    expect(store.files.get(OTHER_INDEX)).toBe(early);
  });

  it('a synced conversation is read again when more of it has arrived', async () => {
    const { store, device } = await three();
    const log = await converse(openDevice(store, 'lap', device.clock), 'four', {
      userText: 'Four',
    });
    const id = conversationId('four');
    expect((await device.all.read(id))?.turns).toHaveLength(1);
    await exchange(log, device.clock, { userText: 'More' });
    await device.all.refresh();
    expect((await device.all.read(id))?.turns).toHaveLength(2);
  });
});

describe('The index', () => {
  it('each device has its own index file, and writes no other', async () => {
    const { store, device } = await three();
    const lap = openDevice(store, 'lap', device.clock);
    await converse(lap, 'four', { userText: 'Four' });
    await settle();
    const before = store.files.get(OTHER_INDEX);
    const desk = openDevice(store, 'desk', device.clock);
    await desk.all.rename(conversationId('four'), 'Mine');
    await desk.all.rename(conversationId('one'), 'First');
    await settle();
    expect(await titles(desk)).toEqual(['First', 'Two', 'Three', 'Mine']);
    expect(store.files.get(OTHER_INDEX)).toBe(before);
    expect(await titles(lap)).toContain('Four');
  });

  it('the index does not grow with events within a turn', async () => {
    const { store, device } = await three();
    const log = await device.all.open(conversationId('one'));
    const turn = await exchange(log!, device.clock, { left: 'running' });
    await settle();
    const lines = store.files.get(INDEX)!;
    await log!.append({ type: 'step-start', turn, step: 2, number: 2, of: 10 });
    await settle();
    expect(store.files.get(INDEX)).toBe(lines);
    expect((await device.all.list()).at(-1)?.openTurn).toBe('running');
  });

  it('the index is rewritten when most of its lines are outdated', async () => {
    const { store, device } = await three();
    expect(await titles(device)).toEqual(THREE);
    const log = await device.all.open(conversationId('one'));
    for (let at = 0; at < 500; at += 1) {
      await log!.append({ type: 'pin-set', pinned: at % 2 === 0 });
      await settle();
    }
    const lines = store.files.get(INDEX)!.trim().split('\n');
    expect(lines.length).toBeLessThan(300);
    lock(store);
    expect(await titles(openDevice(store))).toEqual(THREE);
  });

  it('the index loses no line after a torn one', async () => {
    const { store } = await three();
    store.files.set(INDEX, `${store.files.get(INDEX)}{"version":2,"id":"thr`);
    const next = openDevice(store, 'desk', testClock({ start: 2_000_000_000_000 }));
    await converse(next, 'four', { userText: 'Four' });
    await settle();
    lock(store);
    const again = openDevice(store);
    expect(await titles(again)).toEqual([...THREE, 'Four']);
    expect([...next.reported, ...again.reported]).toEqual([]);
  });

  it('a damaged index is rebuilt, kept aside, and reported', async () => {
    const { store, device } = await three();
    const before = await device.all.list();
    const lines = store.files.get(INDEX)!.split('\n');
    const damaged = lines.with(1, '\u0000garbage').with(-2, '{"version":2}').join('\n');
    store.files.set(INDEX, damaged);
    const again = openDevice(store);
    expect(await again.all.list()).toEqual(before);
    expect(again.reported).toEqual([
      `2 lines of ${INDEX} could not be read. The list was rebuilt from the conversations, and the damaged file was kept as ${INDEX}.damaged.`,
    ]);
    expect(store.files.get(`${INDEX}.damaged`)).toBe(damaged);
    lock(store);
    const third = openDevice(store);
    expect(await third.all.list()).toEqual(before);
    expect(third.reported).toEqual([]);
  });

  it('the index always lists the same as the conversation files', async () => {
    const act = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      what: fc.constantFrom('ask', 'speak', 'leave', 'title', 'pin', 'archive', 'end', 'restart'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const store = memoryStore();
        const clock = testClock();
        let device = openDevice(store, 'desk', clock);
        for (const { name, what } of acts) {
          const id = conversationId(name);
          const log = (await device.all.open(id)) ?? (await device.all.begin(id));
          if (what === 'ask') await exchange(log, clock, { userText: name });
          if (what === 'speak') await exchange(log, clock, { source: 'voice', left: 'waiting' });
          if (what === 'leave') await exchange(log, clock, { left: 'running' });
          if (what === 'title') await device.all.rename(id, `${name}!`);
          if (what === 'pin') await device.all.pin(id, !log.state.pinned);
          if (what === 'archive') await device.all.archive(id, true);
          if (what === 'end') await log.append({ type: 'conversation-end', reason: 'idle' });
          if (what === 'restart') device = openDevice(store, 'desk', clock);
        }
        await settle();
        const kept = await device.all.list();
        expect(await openDevice(store).all.list()).toEqual(kept);
        store.files.delete(INDEX);
        expect(await openDevice(store).all.list()).toEqual(kept);
        const ids = new Set(acts.map(({ name }) => conversationId(name)));
        expect(new Set(kept.map(({ id }) => id))).toEqual(ids);
      }),
      { numRuns: Math.min(cases.numRuns, 100) },
    );
  });
});

describe('Migration of the index', () => {
  it('migrateIndexLine converts lines of version 1 to the current version', () => {
    const migrated = new Map(
      form('index-1.before.jsonl').map((line) => {
        const made = migrateIndexLine(JSON.parse(line) as Record<string, unknown>);
        return [made?.id, made];
      }),
    );
    expect([...migrated.values()]).toEqual(
      form('index-1.after.jsonl').map((line) => JSON.parse(line) as unknown),
    );
  });

  it('a version 1 index is used for conversations that cannot be read yet', async () => {
    const { store, device } = await three();
    const before = await device.all.list();
    const old = before.map(({ id, title, started, updated, ended }) =>
      JSON.stringify({ version: 1, id, title, started, updated, ended }),
    );
    store.files.delete(INDEX);
    store.files.set(FIRST_INDEX, `${old.join('\n')}\n`);
    store.unreadable.set(pathOf('two'), diskError('EACCES'));
    expect(await titles(openDevice(store))).toEqual(THREE);
    // The old index is read only once.
    store.unreadable.set(FIRST_INDEX, diskError('EIO'));
    expect(await titles(openDevice(store))).toEqual(THREE);
    store.unreadable.clear();
    expect(await openDevice(store).all.list()).toEqual(before);
    expect(store.files.get(FIRST_INDEX)).toBe(`${old.join('\n')}\n`);
  });

  it('migrateIndexLine adds the number of changed notes, an empty preview and no note to older lines', () => {
    const [line = ''] = form('index-1.after.jsonl');
    const whole = JSON.parse(line) as Record<string, unknown>;
    const { changed: _changed, preview: _preview, quickEditsOf: _note, ...rest } = whole;
    const older = { ...rest, notes: ['A.md'] };
    expect(migrateIndexLine(older)).toEqual({
      ...older,
      ...{ changed: 1, preview: '', quickEditsOf: null },
    });
  });

  it('migrateIndexLine returns null if a field is missing or of the wrong type', () => {
    const [line = ''] = form('index-1.after.jsonl');
    const whole = JSON.parse(line) as Record<string, unknown>;
    expect(migrateIndexLine(whole)).toEqual(whole);
    for (const change of [
      ...[{ id: '../data' }, { id: 7 }, { title: null }, { updated: '1' }, { ended: 'never' }],
      ...[{ version: 0 }, { version: undefined }, { bytes: null }, { tools: 'move' }],
      ...[{ changed: null }, { preview: 7 }],
    ]) {
      expect(migrateIndexLine({ ...whole, ...change })).toBeNull();
    }
  });

  it('the index ignores and keeps lines of a later version', async () => {
    const { store, device } = await three();
    const before = await device.all.list();
    const later = '{"version":9,"id":"conversation-one","all":"other"}\n';
    store.files.set(INDEX, later);
    const again = openDevice(store);
    expect(await again.all.list()).toEqual(before);
    expect(store.files.get(INDEX)?.startsWith(later)).toBe(true);
    expect(again.reported).toEqual([]);
  });
});
