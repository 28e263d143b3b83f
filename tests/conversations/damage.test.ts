/** Files as a crash, a bad disk or a bad sync leaves them: never a crash of ours, and nothing of them thrown away. */
import { describe, expect, it } from 'vitest';
import {
  conversationId as id,
  converse,
  deviceOn,
  exchange,
  FOLDER,
  pathOf,
} from '#tests/builders/conversations';
import { settle, testClock } from '#tests/builders/clock';
import { diskError, memoryStore } from '#tests/builders/store';

const ONE = pathOf('one');
const MARKS = `${FOLDER}/marks-device-desk.jsonl`;

/** One conversation of three turns, whose file is then changed behind the program's back. */
async function damaged(change: (text: string) => string) {
  const store = memoryStore();
  const device = deviceOn(store);
  const said = ['First', 'Second', 'Third'].map((person) => ({ person, reply: `${person}!` }));
  await converse(device, 'one', ...said);
  await settle();
  store.files.set(ONE, change(store.files.get(ONE)!));
  return { store, again: deviceOn(store, 'desk', device.clock) };
}

const line = (number: number, put: string) => (text: string) =>
  text.split('\n').with(number, put).join('\n');

const asked = (state: { turns: readonly { request: { text: string } }[] } | undefined) =>
  state?.turns.map(({ request }) => request.text);

describe('A damaged line', () => {
  it('in the middle loses that line only, and is told of once', async () => {
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

  it('that is whole JSON and yet no event loses that line only', async () => {
    const { again } = await damaged(line(6, '{"type":"turn-start","time":5}'));
    expect(asked((await again.all.open(id('one')))?.state)).toEqual(['First', 'Third']);
    expect(again.reported.join()).toContain('1 line of');
  });

  it('several are counted together', async () => {
    const { again } = await damaged((text) => line(3, '#')(line(2, '{}')(text)));
    await again.all.open(id('one'));
    expect(again.reported).toEqual([expect.stringMatching(/^2 lines of /)]);
  });

  it('at the end, cut while it was written, is gone on behind without a word', async () => {
    const { store, again } = await damaged((text) => text.slice(0, -30));
    const log = await again.all.open(id('one'));
    expect(log?.isOwn).toBe(true);
    await exchange(log!, again.clock, { person: 'Fourth' });
    await settle();
    const third = deviceOn(store);
    const state = (await third.all.open(id('one')))?.state;
    expect(asked(state)).toEqual(['First', 'Second', 'Third', 'Fourth']);
    expect([...again.reported, ...third.reported]).toEqual([]);
  });

  it('at the beginning does not take the conversation from its device', async () => {
    const { store, again } = await damaged(line(0, 'x'.repeat(80)));
    const log = await again.all.open(id('one'));
    expect(log?.isOwn).toBe(true);
    expect(log?.state).toMatchObject({ device: 'device-desk', title: 'First' });
    expect(log?.state.started).toBeGreaterThan(0);
    await exchange(log!, again.clock, { person: 'Fourth' });
    await settle();
    const index = [...store.files.keys()].find((file) => file.includes('/index-'))!;
    expect((await deviceOn(store).all.list())[0]).toMatchObject({ own: true, messages: 8 });
    // Without the index nobody can know whose it is, and so nobody writes in it.
    store.files.delete(index);
    const third = deviceOn(store);
    expect((await third.all.list())[0]).toMatchObject({ own: false, title: 'First' });
    expect((await third.all.open(id('one')))?.isOwn).toBe(false);
  });
});

describe('A file of which nothing is left', () => {
  it('is none where it is empty, and nothing is told', async () => {
    const { again } = await damaged(() => '');
    expect(await again.all.open(id('one'))).toBeNull();
    expect(await again.all.list()).toEqual([]);
    expect(again.reported).toEqual([]);
  });

  it('is listed as it was known, told of, and kept', async () => {
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

describe('A conversation from a newer version', () => {
  const newer = line(
    0,
    '{"type":"conversation-start","version":7,"device":"device-desk","time":1}',
  );

  it('is listed as it was known, told of when it is opened, and not written in', async () => {
    const { store, again } = await damaged(newer);
    const file = store.files.get(ONE);
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['First']);
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EVERSION' });
    await expect(again.all.rename(id('one'), 'New')).rejects.toMatchObject({ code: 'EVERSION' });
    expect((await again.all.search('Second')).unread).toBe(1);
    expect(again.reported).toEqual([
      `${ONE} was written by a newer version of Parley. It was kept as it is, and can be read once Parley is updated here.`,
    ]);
    expect(store.files.get(ONE)).toBe(file);
  });

  it('does not hide the others where the index is lost', async () => {
    const { store, again } = await damaged(newer);
    await converse(again, 'two', { person: 'Two' });
    await settle();
    for (const file of store.files.keys()) if (file.includes('/index-')) store.files.delete(file);
    const third = deviceOn(store);
    expect((await third.all.list()).map(({ title }) => title)).toEqual(['Two']);
    expect(third.reported).toHaveLength(1);
  });
});

describe('A file that can’t be read', () => {
  it('is listed, and told of when it is opened', async () => {
    const { store, again } = await damaged((text) => text);
    store.unreadable.set(ONE, diskError('EACCES'));
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['First']);
    expect(again.reported).toEqual([]);
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EACCES' });
    await expect(again.all.read(id('one'))).rejects.toMatchObject({ code: 'EACCES' });
    expect(again.reported).toEqual([expect.stringContaining(`${ONE} could not be read.`)]);
    expect(await again.all.search('Second')).toEqual({ hits: [], complete: true, unread: 1 });
  });

  it('rejects where it is the folder itself, and is listed once it can', async () => {
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

describe('What a device keeps to itself', () => {
  async function marked() {
    const store = memoryStore();
    const clock = testClock();
    await converse(deviceOn(store, 'lap', clock), 'theirs', { person: 'Theirs' });
    const desk = deviceOn(store, 'desk', clock);
    await converse(desk, 'one', { person: 'One' });
    await desk.all.remove([id('one')]);
    await desk.all.rename(id('theirs'), 'Renamed');
    await settle();
    return store;
  }

  it('loses a damaged line only, and says so', async () => {
    const store = await marked();
    const text = store.files.get(MARKS)!;
    store.files.set(MARKS, line(0, '{"version":1,"id":"conver')(text));
    const again = deviceOn(store);
    const titles = (await again.all.list()).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['One', 'Renamed']);
    expect(again.reported).toEqual([
      expect.stringMatching(/^1 line of c\/marks-.* kept as it is\.$/),
    ]);
    // It can't be made anew, so it is left as it is.
    await again.all.remove([id('one')]);
    expect(store.files.get(MARKS)?.startsWith('{"version":1,"id":"conver\n')).toBe(true);
    expect((await deviceOn(store).all.list()).map(({ title }) => title)).toEqual(['Renamed']);
  });

  it('serves again once it can be read, and says that it could not', async () => {
    const store = await marked();
    store.unreadable.set(MARKS, diskError('EBUSY'));
    const again = deviceOn(store);
    expect(await again.all.list()).toHaveLength(2);
    expect(again.reported).toEqual([expect.stringContaining('may be listed again until it can')]);
    store.unreadable.clear();
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['Renamed']);
  });

  it('takes the last of what was said, and passes by what a later version says', async () => {
    const store = await marked();
    const later = `{"version":2,"id":"conversation-theirs","title":{"new":"form"}}\n`;
    store.files.set(MARKS, store.files.get(MARKS)! + later);
    const again = deviceOn(store);
    expect((await again.all.list()).map(({ title }) => title)).toEqual(['Renamed']);
    expect(again.reported).toEqual([]);
  });
});
