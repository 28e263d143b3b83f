import { describe, expect, it } from 'vitest';
import type { ChangeId, DeviceId } from '#model/ids';
import type { ChangeLogBound } from '#edits/change-log-trim';
import { ChangeLog } from '#edits/change-log';
import { change, DEVICE } from './changes';
import { diskError, memoryStore, type MemoryStore } from '../builders/fake-storage';

const INDEX = 'ledger/device-1.index.jsonl';
const LONG = 'x'.repeat(900_000);

const ledgerOn = (store: MemoryStore, bound: ChangeLogBound | null = null) =>
  new ChangeLog(store, 'ledger', DEVICE, undefined, bound);
const write = (id: string, after = 'new', time = 10) =>
  change({ kind: 'write', path: 'A.md', before: 'old', after }, { id, time });

/** One line per change: id, path, fate, and file number. */
async function listOf(changeLog: ChangeLog): Promise<string[]> {
  const list = await changeLog.changes();
  return list.all().map(({ id, path, fate, file }) => [id, path, fate, file].join(' '));
}

/** Change log files that are read while `work` runs, without the index. */
async function readWhile(store: MemoryStore, work: () => Promise<unknown>): Promise<string[]> {
  const read: string[] = [];
  const original = store.read.bind(store);
  store.read = (path) => {
    if (/\.\d{6}\.jsonl$/.test(path)) read.push(path);
    return original(path);
  };
  await work();
  store.read = original;
  return read;
}

async function filled(store: MemoryStore): Promise<string[]> {
  const changeLog = ledgerOn(store);
  for (let at = 1; at <= 12; at += 1) {
    await changeLog.intend(write(`change-${at}`, LONG, at));
    await changeLog.setFate(`change-${at}` as ChangeId, 'done');
  }
  return listOf(changeLog);
}

describe('The index of the change log', () => {
  it('the index lists all changes without reading the change log, which is read only for texts', async () => {
    const store = memoryStore();
    const told = await filled(store);
    expect(told).toHaveLength(12);
    expect(told[0]).toBe('change-1 A.md done 1');
    expect(told.at(-1)).toBe('change-12 A.md done 3');
    const again = ledgerOn(store);
    expect(await readWhile(store, async () => expect(await listOf(again)).toEqual(told))).toEqual(
      [],
    );
    expect(store.files.get(INDEX)?.length).toBeLessThan(10_000);
    const [found] = (await again.changes()).all();
    const read = await readWhile(store, async () => {
      const texts = await again.read([found!]);
      expect(texts.get(found!.id)).toMatchObject({ before: 'old', after: LONG });
    });
    expect(read).toEqual(['ledger/device-1.000001.jsonl']);
  });

  it('the index is not rewritten at start, and grows with each new change', async () => {
    const store = memoryStore();
    await filled(store);
    const before = store.files.get(INDEX)!;
    const again = ledgerOn(store);
    expect(await readWhile(store, () => again.intend(write('change-13')))).toEqual([]);
    await again.changes();
    expect(store.files.get(INDEX)?.startsWith(before)).toBe(true);
    expect(await listOf(ledgerOn(store))).toEqual(await listOf(again));
  });

  it.each<[string, (text: string) => string | null]>([
    ['is gone', () => null],
    ['is empty', () => ''],
    ['is torn', (text) => text.slice(0, text.length / 2)],
    ['has a damaged line', (text) => text.replace('"change-2"', '"chan')],
    ['lacks a line', (text) => text.replace(/\{[^\n]*"id":"change-5"[^\n]*\n/, '')],
    ['lacks its beginning', (text) => text.split('\n').slice(3).join('\n')],
    ['is of another version', (text) => text.replace(/"version":\d+/, '"version":0')],
  ])('the index is rebuilt and saved when it %s', async (_, damage) => {
    const store = memoryStore();
    const told = await filled(store);
    const damaged = damage(store.files.get(INDEX)!);
    if (damaged === null) store.files.delete(INDEX);
    else store.files.set(INDEX, damaged);
    const changeLog = ledgerOn(store);
    expect(
      (await readWhile(store, async () => expect(await listOf(changeLog)).toEqual(told))).length,
    ).toBeGreaterThan(0);
    await changeLog.intend(write('change-13'));
    const later = ledgerOn(store);
    const read = await readWhile(store, async () => expect(await listOf(later)).toHaveLength(13));
    expect(read).toEqual([]);
  });

  it('the index reads only the change log files that it does not cover', async () => {
    const store = memoryStore();
    await filled(store);
    store.refuse = ({ path }) => {
      if (path === INDEX) throw diskError('ENOSPC');
    };
    const changeLog = ledgerOn(store);
    await changeLog.intend(write('change-13'));
    await changeLog.changes();
    store.refuse = null;
    const again = ledgerOn(store);
    const read = await readWhile(store, async () => expect(await listOf(again)).toHaveLength(13));
    expect(read).toEqual(['ledger/device-1.000003.jsonl']);
  });

  it('the change list includes the changes of other devices, but writes no index for them', async () => {
    const store = memoryStore();
    const other = new ChangeLog(store, 'ledger', 'device-2' as DeviceId);
    await other.intend(write('change-b', 'new', 20));
    await other.changes();
    store.files.delete('ledger/device-2.index.jsonl');
    const changeLog = ledgerOn(store);
    await changeLog.intend(write('change-a', 'new', 10));
    await changeLog.intend(write('change-c', 'new', 30));
    const ids = async () => (await changeLog.changes()).all().map(({ id }) => id);
    expect(await ids()).toEqual(['change-a', 'change-b', 'change-c']);
    expect([...store.files.keys()]).not.toContain('ledger/device-2.index.jsonl');
    await other.intend(write('change-d', 'new', 40));
    expect(await ids()).toEqual(['change-a', 'change-b', 'change-c', 'change-d']);
    const [, second] = (await changeLog.changes()).all();
    expect((await changeLog.read([second!])).get('change-b' as ChangeId)).toBeDefined();
  });

  it('the change log records a rename by the user once, and only if it may affect a change', async () => {
    const store = memoryStore();
    const changeLog = ledgerOn(store);
    await changeLog.renamed('A.md', 'B.md', 1);
    expect([...store.files.keys()]).toEqual([]);
    await changeLog.intend(write('change-1'));
    await changeLog.setFate('change-1' as ChangeId, 'done');
    await changeLog.renamed('In', 'Out', 2);
    await changeLog.renamed('In/A.md', 'Out/A.md', 2);
    await changeLog.renamed('A.md', 'Z.md', 3);
    const move = change({ kind: 'move', path: 'x', to: 'y' }, { id: 'change-2' });
    await changeLog.intend(move);
    await changeLog.renamed('x', 'y', 4);
    await changeLog.renamed('x/A.md', 'y/A.md', 4);
    const text = store.files.get('ledger/device-1.000001.jsonl') ?? '';
    expect(text.match(/"rename"/g)).toHaveLength(2);
    store.files.delete(INDEX);
    expect((await ledgerOn(store).changes()).placeNow('change-1' as ChangeId, 'A.md')).toBe('Z.md');
  });
});

describe('The size limit of the change log', () => {
  const nothing: ChangeLogBound = { most: () => 8_000_000, isPending: () => false };
  const names = (store: MemoryStore) =>
    [...store.files.keys()].filter((path) => !path.endsWith('.index.jsonl')).sort();

  async function fill(changeLog: ChangeLog, from: number, to: number): Promise<void> {
    for (let at = from; at <= to; at += 1) {
      await changeLog.intend(write(`change-${String(at).padStart(3, '0')}`, LONG, at));
    }
    await changeLog.trim();
  }

  it('trimming deletes the oldest files, and lists their changes without a file', async () => {
    const store = memoryStore();
    const changeLog = ledgerOn(store, nothing);
    await fill(changeLog, 1, 20);
    expect(names(store)).toEqual(['ledger/device-1.000004.jsonl', 'ledger/device-1.000005.jsonl']);
    const list = await changeLog.changes();
    expect(list.get('change-001' as ChangeId)).toMatchObject({ file: null });
    expect(list.get('change-020' as ChangeId)).toMatchObject({ file: 5 });
    expect((await changeLog.read(list.all())).size).toBe(8);
    expect(await listOf(ledgerOn(store))).toEqual(await listOf(changeLog));
  });

  it('trimming keeps files with detached proposals or pending edits', async () => {
    const store = memoryStore();
    const isPending: ChangeLogBound['isPending'] = ({ id }) => id === 'change-006';
    const changeLog = ledgerOn(store, { ...nothing, isPending });
    await changeLog.intend(
      change({ kind: 'hold', path: 'x.canvas', before: null, after: '{}' }, { id: 'change-000' }),
    );
    await fill(changeLog, 1, 20);
    expect(names(store)).toEqual([1, 2, 5].map((number) => `ledger/device-1.00000${number}.jsonl`));
  });

  it('trimming counts the saved bytes of deletions, and removes them with their changes', async () => {
    const store = memoryStore();
    const changeLog = ledgerOn(store, nothing);
    const taken = async (id: string) => {
      const kept = await changeLog.keep(id as ChangeId, 0, new ArrayBuffer(3_000_000));
      const holds = { files: [{ path: 'a.png', size: 3_000_000, kept }], folders: [] };
      await changeLog.intend(
        change({ kind: 'delete', path: 'a.png', before: null, holds }, { id }),
      );
    };
    await changeLog.keep('change-000' as ChangeId, 0, new ArrayBuffer(10));
    await taken('change-001');
    await taken('change-002');
    await taken('change-003');
    await changeLog.trim();
    expect(names(store)).toEqual([
      'ledger/device-1.000001.jsonl',
      'ledger/kept/device-1/change-002.0',
      'ledger/kept/device-1/change-003.0',
    ]);
    await fill(changeLog, 4, 20);
    expect(names(store).filter((path) => path.includes('kept'))).toEqual([]);
  });

  it('trimming leaves the files of other devices alone', async () => {
    const store = memoryStore();
    await fill(new ChangeLog(store, 'ledger', 'device-2' as DeviceId), 1, 20);
    await ledgerOn(store, nothing).trim();
    expect(names(store)).toHaveLength(5);
  });
});
