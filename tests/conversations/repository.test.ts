import { describe, expect, it } from 'vitest';
import { Conversations } from '#conversations/repository';
import type { ConversationId, DeviceId } from '#model/ids';
import { settle } from '#tests/builders/clock';
import { diskError, memoryStore, type MemoryStore } from '#tests/builders/store';

const INDEX = 'c/index.jsonl';
const id = (name: string) => `conversation-${name}` as ConversationId;

function conversations(store: MemoryStore, start = 0) {
  let time = start;
  return new Conversations({
    store,
    folder: 'c',
    device: 'device-1' as DeviceId,
    now: () => (time += 1),
    tell: () => {},
  });
}

async function three(store = memoryStore()) {
  const all = conversations(store);
  for (const name of ['one', 'two', 'three']) {
    const log = await all.begin(id(name));
    await log.append({ type: 'title-set', title: `Title ${name}`, by: 'person' });
  }
  await settle();
  return { store, all };
}

const titles = async (all: Conversations) => (await all.list()).map(({ title }) => title);
const THREE = ['Title one', 'Title two', 'Title three'];

describe('The conversations', () => {
  it('are listed by when they were last written in, which a new title is not', async () => {
    const { all } = await three();
    expect(await titles(all)).toEqual(THREE);
    const log = await all.open(id('one'));
    await log?.append({ type: 'title-set', title: 'Again', by: 'person' });
    await settle();
    expect(await titles(all)).toEqual(['Again', 'Title two', 'Title three']);
    expect((await all.latest())?.id).toBe(id('three'));
  });

  it('are listed after a restart without reading any of them', async () => {
    const { store } = await three();
    for (const name of ['one', 'two', 'three']) {
      store.unreadable.set(`c/${name}.jsonl`, diskError('EIO'));
    }
    expect(await titles(conversations(store))).toEqual(THREE);
  });

  it('are listed from their own files where the index is lost, and stay listed', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    const again = conversations(store, 100);
    expect(await titles(again)).toEqual(THREE);
    await again.begin(id('four'));
    // What was found out once is not lost by the first line of a new index.
    expect(await titles(conversations(store, 200))).toEqual([...THREE, '']);
  });

  it('are all listed where the first thing after losing the index is a new one', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    await conversations(store, 100).begin(id('four'));
    expect(await titles(conversations(store, 200))).toEqual([...THREE, '']);
  });

  it('are listed without one that can’t be read, and with it once it can', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    store.unreadable.set('c/conversation-two.jsonl', diskError('EBUSY'));
    expect(await titles(conversations(store))).toEqual(['Title one', 'Title three']);
    store.unreadable.clear();
    expect(await titles(conversations(store))).toEqual(THREE);
  });

  it('are listed again after the index could not be read once', async () => {
    const { store } = await three();
    const again = conversations(store);
    store.unreadable.set(INDEX, diskError('EBUSY'));
    await expect(again.list()).rejects.toThrow('EBUSY');
    store.unreadable.clear();
    expect(await titles(again)).toEqual(THREE);
  });

  it('do not lose the next line to a torn one of the index', async () => {
    const { store } = await three();
    store.files.set(INDEX, `${store.files.get(INDEX)}{"version":1,"id":"thr`);
    await conversations(store, 100).begin(id('four'));
    expect(await titles(conversations(store, 200))).toEqual([...THREE, '']);
  });

  it('do not fail because the index can’t be written', async () => {
    const { store, all } = await three();
    store.refuse = ({ path }) => {
      if (path === INDEX) throw diskError('EROFS');
    };
    const log = await all.open(id('one'));
    await log?.append({ type: 'title-set', title: 'Again', by: 'person' });
    await settle();
    expect(await titles(all)).toContain('Again');
  });

  it('are listed where the index can be neither found nor written', async () => {
    const { store } = await three();
    store.files.delete(INDEX);
    store.refuse = ({ path }) => {
      if (path === INDEX) throw diskError('EROFS');
    };
    expect(await titles(conversations(store))).toEqual(THREE);
  });

  it('are one log each, however often they are opened', async () => {
    const { all } = await three();
    expect(await all.open(id('one'))).toBe(await all.open(id('one')));
  });

  it('that are not there, or can’t be read now, are looked for again', async () => {
    const { store, all } = await three();
    expect(await all.open(id('five'))).toBeNull();
    store.files.set('c/conversation-five.jsonl', store.files.get('c/conversation-one.jsonl') ?? '');
    await settle();
    expect(await all.open(id('five'))).not.toBeNull();
    const again = conversations(store);
    store.unreadable.set('c/conversation-two.jsonl', diskError('EBUSY'));
    await expect(again.open(id('two'))).rejects.toThrow('EBUSY');
    store.unreadable.clear();
    expect(await again.open(id('two'))).not.toBeNull();
  });
});
