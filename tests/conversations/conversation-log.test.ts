import { describe, expect, it } from 'vitest';
import { ConversationLog, type ConversationLogOptions } from '#conversations/conversation-log';
import { readLines } from '#conversations/conversation-file';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, TurnId } from '#model/ids';
import { diskError, memoryStore, type MemoryStore } from '../builders/fake-storage';
import { fakeSigner } from '../builders/fake-signer';

const PATH = 'conversations/a.jsonl';

function options(store: MemoryStore) {
  const told: Event[] = [];
  let time = 0;
  const log: ConversationLogOptions = {
    id: 'a' as ConversationId,
    path: PATH,
    store,
    device: 'device-1' as DeviceId,
    signer: fakeSigner(),
    now: () => (time += 1),
    pause: async () => undefined,
    notify: (event) => void told.push(event),
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

describe('The log of a conversation', () => {
  it('the log keeps the order of concurrent appends', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = ConversationLog.begin(opts);
    const names = Array.from({ length: 20 }, (_, at) => String(at));
    await Promise.all(names.map((name) => log.append(title(name))));
    expect(titlesIn(store)).toEqual(names);
    expect(told.map(({ time }) => time)).toEqual(names.map((_, at) => at + 1));
    expect(log.state.title).toBe('19');
  });

  it('the log reduces and emits an event only after it is saved', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = ConversationLog.begin(opts);
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(log.append(title('A'))).rejects.toThrow('ENOSPC');
    expect(log.state.title).toBe('');
    expect(told).toEqual([]);
  });

  it('the log continues after a disk error, in the order of the appends', async () => {
    const store = memoryStore();
    const log = ConversationLog.begin(options(store).log);
    let refusals = 1;
    store.refuse = () => {
      if ((refusals -= 1) === 0) throw diskError('EBUSY');
    };
    const results = await Promise.allSettled([log.append(title('A')), log.append(title('B'))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(titlesIn(store)).toEqual(['B']);
  });

  it('the log loses no later event when a full disk left half a line', async () => {
    const store = memoryStore();
    const log = ConversationLog.begin(options(store).log);
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
    // The append rejected, so the half line does not count as a loss.
    expect(readLines(store.files.get(PATH) ?? '').damaged).toBe(0);
  });

  it('the log loses no event after a torn last line', async () => {
    const store = memoryStore();
    const first = ConversationLog.begin(options(store).log);
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

  it('begin continues after the remains of a start that was interrupted', async () => {
    for (const left of ['', '\n', '{"type":"conv', '\0\0\0\0', '\0\0\n']) {
      const store = memoryStore({ [PATH]: left });
      expect(await ConversationLog.open(options(store).log)).toBeNull();
      const log = ConversationLog.begin(options(store).log, left);
      await log.append(START);
      await log.append(title('A'));
      expect((await ConversationLog.open(options(store).log))?.state).toEqual(log.state);
      expect(log.state).toMatchObject({ device: 'device-1', title: 'A' });
    }
  });

  it("the log of another device's conversation is read-only", async () => {
    const store = memoryStore();
    const { log: opts } = options(store);
    await ConversationLog.begin(opts).append(START);
    const before = store.files.get(PATH);
    const other = { ...opts, device: 'device-2' as DeviceId };
    const log = await ConversationLog.open(other);
    expect(log?.isOwn).toBe(false);
    await expect(log?.append(title('A'))).rejects.toMatchObject({ code: 'EFOREIGN' });
    expect(store.files.get(PATH)).toBe(before);
    expect(log?.state.title).toBe('');
  });

  it('the log reports the size of a long file of characters of two code units, wherever it is divided', async () => {
    for (const before of ['', 'a']) {
      const store = memoryStore();
      const log = ConversationLog.begin(options(store).log);
      await log.append(START);
      await log.append(title(before + '🌱'.repeat(120_000)));
      const bytes = (await store.sizes('conversations')).get('a.jsonl');
      expect((await ConversationLog.open(options(store).log))?.bytes).toBe(bytes);
    }
  });

  it('the log reports the size of its file in bytes', async () => {
    const store = memoryStore();
    const log = ConversationLog.begin(options(store).log);
    await log.append(START);
    await log.append(title('京都 – Zürich'));
    const bytes = (await store.sizes('conversations')).get('a.jsonl');
    expect(log.bytes).toBe(bytes);
    expect((await ConversationLog.open(options(store).log))?.bytes).toBe(bytes);
  });

  it('open yields to the event loop while it reads a long file', async () => {
    const store = memoryStore();
    const { log: opts } = options(store);
    const log = ConversationLog.begin(opts);
    for (let at = 0; at < 40; at += 1) await log.append(title(String(at)));
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    await ConversationLog.open({ ...opts, pause });
    // Each call of `now` advances the clock by 1 ms, and a time slice is 8 ms.
    expect(pauses).toBeGreaterThan(5);
  });

  it('append flushes the file only if asked to', async () => {
    const store = memoryStore();
    const log = ConversationLog.begin(options(store).log);
    await log.append(title('A'));
    await log.append(title('B'), { flush: true });
    expect(store.acts.map(({ flush }) => flush)).toEqual([false, true]);
  });

  it('show emits an event without saving it', async () => {
    const store = memoryStore();
    const { log: opts, told } = options(store);
    const log = ConversationLog.begin(opts);
    const delta = { type: 'text', text: 'Mi' } as const;
    log.show({ type: 'part-delta', turn: 'turn-1' as TurnId, step: 1, index: 0, delta });
    expect(told).toHaveLength(1);
    expect(store.files.size).toBe(0);
  });

  it('open returns null if there is no file, and rejects if it cannot be read', async () => {
    const store = memoryStore();
    expect(await ConversationLog.open(options(store).log)).toBeNull();
    store.unreadable.set(PATH, diskError('EIO'));
    await expect(ConversationLog.open(options(store).log)).rejects.toThrow('EIO');
  });
});
