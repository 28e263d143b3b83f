import { describe, expect, it } from 'vitest';
import { ConversationLog, type ConversationLogOptions } from '#conversations/conversation-log';
import { readLines } from '#conversations/conversation-file';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, TurnId } from '#model/ids';
import { diskError, memoryStore, type MemoryStore } from '#tests/builders/store';

const PATH = 'conversations/a.jsonl';

function options(store: MemoryStore) {
  const told: Event[] = [];
  let time = 0;
  const log: ConversationLogOptions = {
    id: 'a' as ConversationId,
    path: PATH,
    store,
    device: 'device-1' as DeviceId,
    now: () => (time += 1),
    pause: async () => undefined,
    tell: (event) => void told.push(event),
  };
  return { log, told };
}

const START = {
  type: 'conversation-start',
  version: 1,
  device: 'device-1' as DeviceId,
} as const;
const title = (text: string) => ({ type: 'title-set', title: text, by: 'user' }) as const;
const titlesIn = (store: MemoryStore) =>
  readLines(store.files.get(PATH) ?? '').events.map((event) =>
    event.type === 'title-set' ? event.title : event.type,
  );

describe('A conversation’s log', () => {
  it('keeps the order of the calls, whoever waits for whom', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = await ConversationLog.begin(opts);
    const names = Array.from({ length: 20 }, (_, at) => String(at));
    await Promise.all(names.map((name) => log.append(title(name))));
    expect(titlesIn(store)).toEqual(names);
    expect(told.map(({ time }) => time)).toEqual(names.map((_, at) => at + 1));
    expect(log.state.title).toBe('19');
  });

  it('folds and tells an event only once it is kept', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = await ConversationLog.begin(opts);
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(log.append(title('A'))).rejects.toThrow('ENOSPC');
    expect(log.state.title).toBe('');
    expect(told).toEqual([]);
  });

  it('goes on after the disk has refused, in the order of the calls', async () => {
    const store = memoryStore();
    const log = await ConversationLog.begin(options(store).log);
    let refusals = 1;
    store.refuse = () => {
      if ((refusals -= 1) === 0) throw diskError('EBUSY');
    };
    const results = await Promise.allSettled([log.append(title('A')), log.append(title('B'))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(titlesIn(store)).toEqual(['B']);
  });

  it('does not let half a line that a full disk left swallow the next', async () => {
    const store = memoryStore();
    const log = await ConversationLog.begin(options(store).log);
    await log.append(title('A'));
    store.partly = 12;
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(log.append(title('B'))).rejects.toThrow();
    store.refuse = null;
    await log.append(title('C'));
    await log.append(title('D'));
    expect(titlesIn(store)).toEqual(['A', 'C', 'D']);
    // Nobody was told that it was kept, so nothing was lost.
    expect(readLines(store.files.get(PATH) ?? '').damaged).toBe(0);
  });

  it('does not let a torn last line swallow the next', async () => {
    const store = memoryStore();
    const first = await ConversationLog.begin(options(store).log);
    await first.append(START);
    await first.append(title('A'));
    store.files.set(PATH, `${store.files.get(PATH)}{"type":"title-se`);
    const again = await ConversationLog.open(options(store).log);
    expect(again?.damage).toMatchObject({ damaged: 0, lost: false });
    await again?.append(title('B'));
    await again?.append(title('C'));
    expect(titlesIn(store)).toEqual(['conversation-start', 'A', 'B', 'C']);
    expect(readLines(store.files.get(PATH) ?? '').damaged).toBe(0);
  });

  it('begins behind what a power cut left of an earlier beginning', async () => {
    for (const left of ['', '\n', '{"type":"conv', '\0\0\0\0', '\0\0\n']) {
      const store = memoryStore({ [PATH]: left });
      expect(await ConversationLog.open(options(store).log)).toBeNull();
      const log = await ConversationLog.begin(options(store).log);
      await log.append(START);
      await log.append(title('A'));
      expect((await ConversationLog.open(options(store).log))?.state).toEqual(log.state);
      expect(log.state).toMatchObject({ device: 'device-1', title: 'A' });
    }
  });

  it('is only read where another device owns it', async () => {
    const store = memoryStore();
    const { log: opts } = options(store);
    await (await ConversationLog.begin(opts)).append(START);
    const before = store.files.get(PATH);
    const other = { ...opts, device: 'device-2' as DeviceId };
    const log = await ConversationLog.open(other);
    expect(log?.isOwn).toBe(false);
    await expect(log?.append(title('A'))).rejects.toMatchObject({ code: 'EFOREIGN' });
    expect(store.files.get(PATH)).toBe(before);
    expect(log?.state.title).toBe('');
  });

  it('knows the size of its file', async () => {
    const store = memoryStore();
    const log = await ConversationLog.begin(options(store).log);
    await log.append(START);
    await log.append(title('京都 – Zürich'));
    const bytes = (await store.sizes('conversations')).get('a.jsonl');
    expect(log.bytes).toBe(bytes);
    expect((await ConversationLog.open(options(store).log))?.bytes).toBe(bytes);
  });

  it('gives the thread back while it reads a long file', async () => {
    const store = memoryStore();
    const { log: opts } = options(store);
    const log = await ConversationLog.begin(opts);
    for (let at = 0; at < 40; at += 1) await log.append(title(String(at)));
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    await ConversationLog.open({ ...opts, pause });
    // Time moves by one at each look at the clock, and a slice is eight.
    expect(pauses).toBeGreaterThan(5);
  });

  it('asks for a flush only where it is told to', async () => {
    const store = memoryStore();
    const log = await ConversationLog.begin(options(store).log);
    await log.append(title('A'));
    await log.append(title('B'), { flush: true });
    expect(store.acts.map(({ flush }) => flush)).toEqual([false, true]);
  });

  it('shows what grows without keeping it', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = await ConversationLog.begin(opts);
    const delta = { type: 'text', text: 'Mi' } as const;
    log.show({ type: 'part-delta', turn: 'turn-1' as TurnId, step: 1, index: 0, delta });
    expect(told).toHaveLength(1);
    expect(store.files.size).toBe(0);
  });

  it('is null where there is no file, and rejects where it can’t be read', async () => {
    const store = memoryStore();
    expect(await ConversationLog.open(options(store).log)).toBeNull();
    store.unreadable.set(PATH, diskError('EIO'));
    await expect(ConversationLog.open(options(store).log)).rejects.toThrow('EIO');
  });
});
