import { describe, expect, it } from 'vitest';
import type { Change } from '#model/change';
import type { CallId, ChangeId, DeviceId } from '#model/ids';
import { applyChange } from '#edits/apply-change';
import { ChangeLog } from '#edits/change-log';
import { change, DEVICE } from './changes';
import { tinyVault } from './vault';
import { jsonLine } from '#ports/line-file';
import { diskError, memoryStore, type MemoryStore } from '../builders/fake-storage';

const FIRST = 'ledger/device-1.000001.jsonl';
const changeLogOn = (store: MemoryStore, device = DEVICE) => new ChangeLog(store, 'ledger', device);
/** Change log files by path, without the index, which has its own tests. */
const filesOf = (store: MemoryStore) =>
  new Map([...store.files].filter(([path]) => /\.\d{6}\.jsonl$/.test(path)));
const bytes = (text: string) => new TextEncoder().encode(text).length;
const write = (id: string, call: string, after = 'new', time = 10): Change =>
  change({ kind: 'write', path: 'A.md', before: 'old', after }, { id, call, time });
const of = async (changeLog: ChangeLog, call: string) =>
  (await changeLog.ofCall(call as CallId)).map(({ change: { id }, fate }) => [id, fate]);

describe('The change log', () => {
  it('the change log flushes a change with its full texts before the vault is touched', async () => {
    const store = memoryStore();
    const vault = tinyVault({ 'A.md': 'old' });
    let found = '';
    vault.onAct = () => {
      const last = store.acts.findLast(({ path }) => path === FIRST);
      expect(last).toMatchObject({ act: 'append', flush: true });
      found = store.files.get(FIRST) ?? '';
    };
    const result = await applyChange(write('change-1', 'call-1'), changeLogOn(store), vault);
    expect(result).toEqual({ ok: true, value: null });
    expect(found).toContain('"before":"old"');
    expect(found).toContain('"after":"new"');
    expect(found).not.toContain('"fate"');
    expect(vault.texts.get('A.md')).toBe('new');
  });

  it.each([
    ['before', 7],
    ['after', null],
    ['path', {}],
    ['origin', null],
    ['time', '10'],
    ['kind', 'constructor'],
    ['act', { kind: 'undo', changes: 'all' }],
    ['proposes', [{}]],
  ])(
    'the change log leaves out a line whose %s is %j, and keeps the others',
    async (name, value) => {
      const store = memoryStore();
      const changeLog = changeLogOn(store);
      for (const id of ['change-1', 'change-2']) await changeLog.intend(write(id, id));
      const damaged = memoryStore({
        [FIRST]: store.files.get(FIRST)!.replace(/.*"change-1".*/, (line) => {
          const saved = JSON.parse(line) as { change: object };
          return JSON.stringify({ ...saved, change: { ...saved.change, [name]: value } });
        }),
      });
      const list = await changeLogOn(damaged).changes();
      expect(list.all().map(({ id }) => id)).toEqual(['change-2']);
      expect((await changeLogOn(damaged).read(list.ofNote('A.md'))).size).toBe(1);
    },
  );

  it('applyChange leaves the vault unchanged if the change log cannot be written', async () => {
    const store = memoryStore();
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    const vault = tinyVault({ 'A.md': 'old' });
    await expect(applyChange(write('change-1', 'c'), changeLogOn(store), vault)).rejects.toThrow();
    expect(vault.texts.get('A.md')).toBe('old');
  });

  it('the change log records whether a change was applied, and keeps the change if that cannot be saved', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    const vault = tinyVault({ 'A.md': 'mine' });
    const result = await applyChange(write('change-1', 'call-1'), changeLog, vault);
    expect(result).toMatchObject({ ok: false, reason: { kind: 'changed', now: 'mine' } });
    expect(await of(changeLog, 'call-1')).toEqual([['change-1', 'not-done']]);
    vault.texts.set('A.md', 'old');
    store.refuse = ({ flush }) => {
      if (!flush) throw diskError('EIO');
    };
    const second = await applyChange(write('change-2', 'call-2'), changeLog, vault);
    expect(second.ok).toBe(true);
    expect(await of(changeLog, 'call-2')).toEqual([['change-2', null]]);
  });

  it('ofCall returns the changes of one call in order, with their fates', async () => {
    const changeLog = changeLogOn(memoryStore());
    await changeLog.intend(write('change-1', 'call-1'));
    await changeLog.intend(write('change-2', 'call-2'));
    await changeLog.intend(write('change-3', 'call-1'));
    await changeLog.setFate('change-1' as ChangeId, 'done');
    expect(await of(changeLog, 'call-1')).toEqual([
      ['change-1', 'done'],
      ['change-3', null],
    ]);
    expect(await of(changeLog, 'call-3')).toEqual([]);
  });

  it('the change log keeps the order of concurrent calls', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    const ids = Array.from({ length: 20 }, (_, at) => `change-${at}`);
    await Promise.all(ids.map((id) => changeLog.intend(write(id, 'call-1'))));
    expect((await of(changeLog, 'call-1')).map(([id]) => id)).toEqual(ids);
  });

  it('the change log starts a new file before one exceeds 4 MB, and finds a call across files', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    const large = 'x'.repeat(900_000);
    for (let at = 1; at <= 10; at += 1) {
      await changeLog.intend(write(`change-${at}`, at < 3 ? 'call-1' : 'call-2', large, at));
    }
    await changeLog.setFate('change-1' as ChangeId, 'done');
    await changeLog.setFate('change-10' as ChangeId, 'not-done');
    const sizes = [...filesOf(store).values()].map(bytes);
    expect(sizes.length).toBeGreaterThan(2);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(4_000_000);
    for (const text of filesOf(store).values()) expect(text).toContain('"type":"ledger-start"');
    const found = await of(changeLog, 'call-2');
    expect(found.map(([id]) => id)).toEqual(
      Array.from({ length: 8 }, (_, at) => `change-${at + 3}`),
    );
    expect(found.at(-1)).toEqual(['change-10', 'not-done']);
  });

  it('the change log finds a fate that is in a later file than its change', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    await changeLog.intend(write('change-1', 'call-1', 'x'.repeat(3_900_000), 1));
    await changeLog.intend(write('change-2', 'call-2', 'x'.repeat(900_000), 2));
    await changeLog.setFate('change-1' as ChangeId, 'done');
    expect(filesOf(store).size).toBe(2);
    expect(await of(changeLog, 'call-1')).toEqual([['change-1', 'done']]);
  });

  it('the change log measures its files in bytes, not characters', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    for (let at = 1; at <= 4; at += 1) {
      await changeLog.intend(write(`change-${at}`, 'call-1', '苔'.repeat(500_000), at));
    }
    for (const text of filesOf(store).values()) expect(bytes(text)).toBeLessThanOrEqual(4_000_000);
  });

  it('the change log puts a change that exceeds the file limit into its own file', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    await changeLog.intend(write('change-1', 'call-1'));
    await changeLog.intend(write('change-2', 'call-1', 'x'.repeat(4_500_000)));
    await changeLog.intend(write('change-3', 'call-1'));
    expect(filesOf(store).size).toBe(3);
    expect((await of(changeLog, 'call-1')).map(([id]) => id)).toHaveLength(3);
  });

  it('the change log continues in its last file after a restart', async () => {
    const store = memoryStore();
    for (let at = 1; at <= 3; at += 1) {
      await changeLogOn(store).intend(write(`change-${at}`, 'call-1', 'x'.repeat(1_900_000), at));
    }
    expect([...filesOf(store).keys()]).toEqual([FIRST, 'ledger/device-1.000002.jsonl']);
    expect((await of(changeLogOn(store), 'call-1')).map(([id]) => id)).toEqual([
      'change-1',
      'change-2',
      'change-3',
    ]);
  });

  it('the change log loses only a torn line, and no line written after it', async () => {
    const store = memoryStore();
    await changeLogOn(store).intend(write('change-1', 'call-1'));
    const whole = store.files.get(FIRST) ?? '';
    for (const torn of ['{', '{"type":"change","change":{"id":"ch', '{"type":"change"']) {
      store.files.set(FIRST, whole + torn);
      const changeLog = changeLogOn(store);
      await changeLog.intend(write('change-2', 'call-1'));
      expect((await of(changeLog, 'call-1')).map(([id]) => id)).toEqual(['change-1', 'change-2']);
    }
  });

  it.each([
    ['half a line', () => 30],
    ['a line without its line break', (line: string) => line.length - 1],
  ])('the change log loses no later line when a full disk left %s', async (_, partly) => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    await changeLog.intend(write('change-1', 'call-1'));
    store.partly = partly(jsonLine({ type: 'change', change: write('change-2', 'call-1') }));
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(changeLog.intend(write('change-2', 'call-1'))).rejects.toThrow('ENOSPC');
    store.refuse = null;
    await changeLog.intend(write('change-3', 'call-1'));
    expect((await of(changeLog, 'call-1')).map(([id]) => id)).toEqual(['change-1', 'change-3']);
  });

  it('the change log ignores lines that it does not understand', async () => {
    const store = memoryStore();
    const changeLog = changeLogOn(store);
    await changeLog.intend(write('change-1', 'call-1'));
    const strange = '42\nnull\n[]\n{"type":"change"}\n{"type":"fate"}\n{"type":"moon-rise"}\n';
    store.files.set(FIRST, `${store.files.get(FIRST)}${strange}`);
    expect(await of(changeLog, 'call-1')).toEqual([['change-1', null]]);
  });

  it('the change log writes only files of its own device, and ignores unknown files', async () => {
    const store = memoryStore({ 'ledger/readme.txt': 'x', 'ledger/device-1.old.jsonl': 'x' });
    await changeLogOn(store, 'device-2' as DeviceId).intend(write('change-1', 'call-1'));
    const changeLog = changeLogOn(store);
    expect(await of(changeLog, 'call-1')).toEqual([]);
    await changeLog.intend(write('change-2', 'call-1'));
    expect(await of(changeLog, 'call-1')).toEqual([['change-2', null]]);
    expect(store.files.get('ledger/device-2.000001.jsonl')).not.toContain('change-2');
  });
});
