/**
 * Files damaged by a crash, a bad disk, or a bad sync: Parley keeps running and deletes nothing of
 * them.
 */
import { describe, expect, it } from 'vitest';
import {
  conversationId as id,
  converse,
  openDevice,
  exchange,
  FOLDER,
  pathOf,
} from '#tests/builders/conversations';
import { settle, testClock } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';

const ONE = pathOf('one');
const MARKS = `${FOLDER}/marks-device-desk.jsonl`;

/** A conversation of three turns whose file is then changed from outside. */
async function damaged(change: (text: string) => string) {
  const store = memoryStore();
  const device = openDevice(store);
  const said = ['First', 'Second', 'Third'].map((userText) => ({
    userText,
    reply: `${userText}!`,
  }));
  await converse(device, 'one', ...said);
  await settle();
  store.files.set(ONE, change(store.files.get(ONE)!));
  return { store, again: openDevice(store, 'desk', device.clock) };
}

const line = (number: number, put: string) => (text: string) =>
  text.split('\n').with(number, put).join('\n');

const asked = (state: { turns: readonly { request: { text: string } }[] } | undefined) =>
  state?.turns.map(({ request }) => request.text);

describe('Damaged lines of a conversation file', () => {
  it('a conversation loses only the damaged line in its middle, and reports it once', async () => {
    const { store, again } = await damaged(line(2, '{"type":"part-e\u0000\u0000'));
    const file = store.files.get(ONE);
    const log = await again.all.open(id('one'));
    expect(asked(log?.state)).toEqual(['First', 'Second', 'Third']);
    expect(log?.state.turns[0]?.steps).toEqual([]);
    await again.all.search('nothing');
    await again.all.list();
    expect(again.reported).toEqual([
      `1 line of ${ONE} could not be read and left out. The file was kept as it is.`,
    ]);
    expect(store.files.get(ONE)).toBe(file);
  });

  it('a conversation loses only the line that is valid JSON but not an event', async () => {
    const { again } = await damaged(line(6, '{"type":"turn-start","time":5}'));
    expect(asked((await again.all.open(id('one')))?.state)).toEqual(['First', 'Third']);
    expect(again.reported.join()).toContain('1 line of');
  });

  it('several damaged lines of a conversation are reported together', async () => {
    const { again } = await damaged((text) => line(3, '#')(line(2, '{}')(text)));
    await again.all.open(id('one'));
    expect(again.reported).toEqual([expect.stringMatching(/^2 lines of /)]);
  });

  it('a conversation continues after a cut last line without a report', async () => {
    const { store, again } = await damaged((text) => text.slice(0, -30));
    const log = await again.all.open(id('one'));
    expect(log?.isOwn).toBe(true);
    await exchange(log!, again.clock, { userText: 'Fourth' });
    await settle();
    const third = openDevice(store);
    const state = (await third.all.open(id('one')))?.state;
    expect(asked(state)).toEqual(['First', 'Second', 'Third', 'Fourth']);
    expect([...again.reported, ...third.reported]).toEqual([]);
  });

  it('a conversation with a damaged first line still belongs to its device', async () => {
    const { store, again } = await damaged(line(0, 'x'.repeat(80)));
    const log = await again.all.open(id('one'));
    expect(log?.isOwn).toBe(true);
    expect(log?.state).toMatchObject({ device: 'device-desk', title: 'First' });
    expect(log?.state.started).toBeGreaterThan(0);
    await exchange(log!, again.clock, { userText: 'Fourth' });
    await settle();
    const index = [...store.files.keys()].find((file) => file.includes('/index-'))!;
    expect((await openDevice(store).all.list())[0]).toMatchObject({ own: true, messages: 8 });
    // Without the index the owner is unknown, so no device may write to the file.
    store.files.delete(index);
    const third = openDevice(store);
    expect((await third.all.list())[0]).toMatchObject({ own: false, title: 'First' });
    expect((await third.all.open(id('one')))?.isOwn).toBe(false);
  });
});

describe('A conversation file without readable lines', () => {
  it('an empty conversation file is ignored without a report', async () => {
    const { again } = await damaged(() => '');
    expect(await again.all.open(id('one'))).toBeNull();
    expect(await again.all.list()).toEqual([]);
    expect(again.reported).toEqual([]);
  });

  it('an unreadable conversation is listed from the index, reported, and kept', async () => {
    const garbage = Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7919) % 256));
    for (const left of [garbage.toString('utf8'), '\u0000'.repeat(500), '[1,2]\n"x"\n']) {
      const { store, again } = await damaged(() => left);
      expect((await again.all.list()).map(({ title }) => title)).toEqual(['First']);
      expect(again.reported).toEqual([
        `Nothing in ${ONE} could be read. The file was kept as it is.`,
      ]);
      expect(await again.all.read(id('one'))).toBeNull();
      expect((await again.all.search('Second')).hits).toEqual([]);
      expect(store.files.get(ONE)).toBe(left);
    }
  });
});

describe('A conversation of a newer version', () => {
  const newer = line(
    0,
    '{"type":"conversation-start","version":7,"device":"device-desk","time":1}',
  );

  it('a conversation of a newer version is listed from the index, reported when opened, and not written to', async () => {
    const { store, again } = await damaged(newer);
    const file = store.files.get(ONE);
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['First']);
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EVERSION' });
    await expect(again.all.rename(id('one'), 'New')).rejects.toMatchObject({ code: 'EVERSION' });
    expect((await again.all.search('Second')).unread).toBe(1);
    expect(again.reported).toEqual([
      `${ONE} was written by a newer version of Parley. It was left as is. Update Parley here to read it.`,
    ]);
    expect(store.files.get(ONE)).toBe(file);
  });

  it('a conversation of a newer version does not hide the others when the index is lost', async () => {
    const { store, again } = await damaged(newer);
    await converse(again, 'two', { userText: 'Two' });
    await settle();
    for (const file of store.files.keys()) if (file.includes('/index-')) store.files.delete(file);
    const third = openDevice(store);
    expect((await third.all.list()).map(({ title }) => title)).toEqual(['Two']);
    expect(third.reported).toHaveLength(1);
  });
});

describe('A file that cannot be read', () => {
  it('a conversation that cannot be read is listed, and reported once when it is opened', async () => {
    const { store, again } = await damaged((text) => text);
    store.unreadable.set(ONE, diskError('EACCES'));
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['First']);
    expect(again.reported).toEqual([]);
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EACCES' });
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EACCES' });
    expect(again.reported).toEqual([expect.stringContaining(`${ONE} could not be read.`)]);
    expect(await again.all.search('Second')).toEqual({ hits: [], complete: true, unread: 1 });
  });

  it('listing rejects if the folder cannot be read at first, and uses the last list later', async () => {
    const { store, again } = await damaged((text) => text);
    const { sizes } = store;
    store.sizes = () => Promise.reject(diskError('EACCES'));
    await expect(again.all.list()).rejects.toThrow('EACCES');
    store.sizes = sizes;
    expect(await again.all.list()).toHaveLength(1);
    await again.clock.advance(10_000);
    store.sizes = () => Promise.reject(diskError('EACCES'));
    expect(await again.all.list()).toHaveLength(1);
  });
});

describe('The marks of a device', () => {
  async function marked() {
    const store = memoryStore();
    const clock = testClock();
    await converse(openDevice(store, 'lap', clock), 'theirs', { userText: 'Theirs' });
    const desk = openDevice(store, 'desk', clock);
    await converse(desk, 'one', { userText: 'One' });
    await desk.all.remove([id('one')]);
    await desk.all.rename(id('theirs'), 'Renamed');
    await settle();
    return store;
  }

  it('the marks file loses only its damaged line, and reports it', async () => {
    const store = await marked();
    const text = store.files.get(MARKS)!;
    store.files.set(MARKS, line(0, '{"version":1,"id":"conver')(text));
    const again = openDevice(store);
    const titles = (await again.all.list()).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['One', 'Renamed']);
    expect(again.reported).toEqual([
      expect.stringMatching(/^1 line of c\/marks-.* kept as it is\.$/),
    ]);
    // Marks cannot be rebuilt, so the damaged file is left as it is.
    await again.all.remove([id('one')]);
    expect(store.files.get(MARKS)?.startsWith('{"version":1,"id":"conver\n')).toBe(true);
    expect((await openDevice(store).all.list()).map(({ title }) => title)).toEqual(['Renamed']);
  });

  it('the marks apply again once their file can be read, after a report that it could not', async () => {
    const store = await marked();
    store.unreadable.set(MARKS, diskError('EBUSY'));
    const again = openDevice(store);
    expect(await again.all.list()).toHaveLength(2);
    expect(again.reported).toEqual([
      expect.stringContaining('Until it can be, deleted chats may be listed again.'),
    ]);
    store.unreadable.clear();
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['Renamed']);
  });

  it('the marks file ignores lines of a later version', async () => {
    const store = await marked();
    const later = `{"version":2,"id":"conversation-theirs","title":{"new":"form"}}\n`;
    store.files.set(MARKS, store.files.get(MARKS)! + later);
    const again = openDevice(store);
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['Renamed']);
    expect(again.reported).toEqual([]);
  });
});
