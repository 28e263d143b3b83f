import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESTORE_WINDOW_MS } from '#conversations/repository';
import type { ConversationId } from '#model/ids';
import {
  conversationId as id,
  converse,
  openDevice,
  exchange,
  FOLDER,
  pathOf,
  type Device,
} from '#tests/builders/conversations';
import { settle } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';
import { cases } from '#tests/cases';

const MARKS = `${FOLDER}/marks-device-desk.jsonl`;

const ids = async ({ all }: Device) => (await all.list()).map((each) => each.id);
const seen = async ({ all }: Device, name: string) =>
  (await all.list()).find((each) => each.id === id(name));

/** Two devices on one folder, with one conversation each. */
async function twoDevices() {
  const store = memoryStore();
  const lap = openDevice(store, 'lap');
  await converse(lap, 'theirs', { userText: 'Theirs' });
  const desk = openDevice(store, 'desk', lap.clock);
  await converse(desk, 'mine', { userText: 'Mine' });
  await settle();
  return { store, desk, lap };
}

describe('Conversations', () => {
  it('conversations are listed by their last turn, which a new title does not affect', async () => {
    const device = openDevice(memoryStore());
    for (const name of ['one', 'two', 'three']) await converse(device, name, { userText: name });
    expect(await ids(device)).toEqual([id('one'), id('two'), id('three')]);
    await device.clock.advance(1_000);
    await device.all.rename(id('one'), 'Again');
    expect(await ids(device)).toEqual([id('one'), id('two'), id('three')]);
    expect(await seen(device, 'one')).toMatchObject({ title: 'Again', titledBy: 'user' });
    expect((await device.all.latest())?.id).toBe(id('three'));
    await exchange((await device.all.open(id('one')))!, device.clock);
    expect((await device.all.latest())?.id).toBe(id('one'));
  });

  it('open returns the same log for each conversation', async () => {
    const store = memoryStore();
    await converse(openDevice(store), 'one', {});
    const { all } = openDevice(store);
    const [first, second] = await Promise.all([all.open(id('one')), all.open(id('one'))]);
    expect(first).toBe(second);
    expect(await all.open(id('one'))).toBe(first);
  });

  it('open returns the same log while it is in use, however many others were opened since', async () => {
    const store = memoryStore();
    const device = openDevice(store);
    const { all, clock } = device;
    const names = Array.from({ length: 20 }, (_, at) => `chat${at}`);
    for (const name of names) await converse(device, name, { userText: name });
    const first = (await all.open(id('chat0')))!;
    for (const name of names.slice(1)) {
      const turns = (await all.open(id(name)))?.state.turns;
      expect(turns?.map(({ request: inbound }) => inbound.text)).toEqual([name]);
    }
    await exchange(first, clock);
    expect(await all.open(id('chat0'))).toBe(first);
    expect(first.state.turns).toHaveLength(2);
    expect((await all.latest())?.id).toBe(id('chat0'));
  });

  it('open returns the same log of an own conversation even if its file size seems to change', async () => {
    const store = memoryStore();
    const { all, clock } = openDevice(store);
    const written = await converse({ ...openDevice(store), all, clock }, 'one', {
      left: 'running',
    });
    await converse(openDevice(store), 'two', {});
    await settle();
    const opened = await all.open(id('two'));
    // Invalid UTF-8 has another length after it is decoded.
    const { sizes } = store;
    store.sizes = async (folder) => {
      const all = await sizes.call(store, folder);
      return new Map([...all].map(([name, bytes]) => [name, bytes + 2]));
    };
    await clock.advance(10_000);
    await all.list();
    expect(await all.open(id('one'))).toBe(written);
    expect(await all.open(id('two'))).toBe(opened);
    await all.refresh();
    expect(await all.open(id('one'))).toBe(written);
  });

  it('a conversation that is begun while it is opened has one log', async () => {
    const store = memoryStore();
    const { all } = openDevice(store);
    const { read } = store;
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    let reads = 0;
    store.read = async (path) => {
      if (path === pathOf('one') && (reads += 1) === 1) await beginning;
      return read.call(store, path);
    };
    const opening = all.open(id('one'));
    await settle();
    const begin = all.begin(id('one'));
    const second = all.open(id('one'));
    begun();
    expect(await opening).toBeNull();
    expect(await second).toBe(await begin);
  });

  it('open looks again for a conversation that was missing or could not be read', async () => {
    const store = memoryStore();
    await converse(openDevice(store), 'one', {});
    const { all } = openDevice(store);
    expect(await all.open(id('two'))).toBeNull();
    store.files.set(pathOf('two'), store.files.get(pathOf('one')) ?? '');
    expect(await all.open(id('two'))).not.toBeNull();
    const again = openDevice(store).all;
    store.unreadable.set(pathOf('two'), diskError('EBUSY'));
    await expect(again.open(id('two'))).rejects.toThrow('EBUSY');
    store.unreadable.clear();
    expect(await again.open(id('two'))).not.toBeNull();
  });

  it('open returns null for an invalid id', async () => {
    const store = memoryStore({ 'data.jsonl': '{"type":"x","time":1}', [MARKS]: '' });
    const { all } = openDevice(store);
    for (const name of ['../data', 'index-device-desk', 'conversation-a/../../data', '']) {
      expect(await all.open(name as ConversationId)).toBeNull();
    }
  });

  it('begin rejects on a disk error, and beginAgain makes up for it', async () => {
    const store = memoryStore();
    const { all } = openDevice(store);
    store.partly = 12;
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(all.begin(id('one'))).rejects.toThrow('ENOSPC');
    expect(await all.list()).toEqual([]);
    store.refuse = null;
    await all.beginAgain(id('one'));
    const again = openDevice(store).all;
    expect((await again.list()).map((each) => each.id)).toEqual([id('one')]);
  });

  it('begin saves the first events in one write, so that a crash never leaves a nameless chat', async () => {
    const store = memoryStore();
    const { append } = store;
    let writes = 0;
    store.append = async (path, ...given) => {
      await append.call(store, path, ...given);
      if (path === pathOf('one') && (writes += 1) === 1) throw diskError('EIO');
    };
    const { all } = openDevice(store);
    const first = [{ type: 'note-set', note: 'Lists/Shopping.md' }] as const;
    await expect(all.begin(id('one'), first)).rejects.toThrow('EIO');
    expect(await openDevice(store).all.list()).toMatchObject([{ title: 'Edits in Shopping' }]);
  });

  it('lastSpoken returns the last spoken conversation of this device since a given time', async () => {
    const { desk, lap, store } = await twoDevices();
    expect(await desk.all.lastSpoken(0)).toBeNull();
    const { clock } = desk;
    await exchange((await desk.all.open(id('mine')))!, clock, { source: 'voice' });
    const spoken = (await seen(desk, 'mine'))!.lastSpoken!;
    await converse(desk, 'typed', { source: 'typed' });
    await converse(lap, 'elsewhere', { source: 'voice' });
    await settle();
    for (const device of [desk, openDevice(store, 'desk', clock)]) {
      expect(await device.all.lastSpoken(spoken)).toBe(id('mine'));
      expect(await device.all.lastSpoken(spoken + 1)).toBeNull();
    }
    await desk.all.archive(id('mine'), true);
    expect(await desk.all.lastSpoken(spoken)).toBeNull();
  });
});

describe('Title, pin, and archive', () => {
  it('changes to an own conversation are events in its file', async () => {
    const { store, desk } = await twoDevices();
    expect(await desk.all.rename(id('mine'), 'New')).toBe(true);
    expect(await desk.all.pin(id('mine'), true)).toBe(true);
    expect(await desk.all.archive(id('mine'), true)).toBe(true);
    expect(desk.told.slice(-3).map(({ type }) => type)).toEqual([
      'title-set',
      'pin-set',
      'archive-set',
    ]);
    const changed = { title: 'New', titledBy: 'user', pinned: true, archived: true };
    await settle();
    for (const device of [desk, openDevice(store), openDevice(store, 'lap')]) {
      expect(await seen(device, 'mine')).toMatchObject(changed);
      expect(await device.all.read(id('mine'))).toMatchObject(changed);
    }
    expect(store.files.has(MARKS)).toBe(false);
  });

  it("changes to another device's conversation are saved in this device's marks and apply only here", async () => {
    const { store, desk, lap } = await twoDevices();
    const theirs = store.files.get(pathOf('theirs'));
    await desk.all.rename(id('theirs'), 'New');
    await desk.all.pin(id('theirs'), true);
    await desk.all.archive(id('theirs'), true);
    await desk.all.pin(id('theirs'), false);
    expect(store.files.get(pathOf('theirs'))).toBe(theirs);
    await lap.all.rename(id('theirs'), 'Their own');
    await settle();
    for (const device of [desk, openDevice(store)]) {
      const changed = { title: 'New', titledBy: 'user', pinned: false, archived: true };
      expect(await seen(device, 'theirs')).toMatchObject(changed);
      expect(await device.all.read(id('theirs'))).toMatchObject(changed);
    }
    expect(await seen(lap, 'theirs')).toMatchObject({ title: 'Their own', archived: false });
  });

  it('a conversation that does not exist cannot be changed', async () => {
    const { desk } = await twoDevices();
    expect(await desk.all.rename(id('none'), 'New')).toBe(false);
    expect(await desk.all.pin('../x' as ConversationId, true)).toBe(false);
    expect(await desk.all.archive(id('none'), true)).toBe(false);
  });

  it('changes that cannot be saved reject and have no effect', async () => {
    const { store, desk } = await twoDevices();
    store.refuse = () => {
      throw diskError('EROFS');
    };
    await expect(desk.all.rename(id('mine'), 'New')).rejects.toThrow('EROFS');
    await expect(desk.all.rename(id('theirs'), 'New')).rejects.toThrow('EROFS');
    expect((await seen(desk, 'mine'))?.title).toBe('Mine');
    expect((await seen(desk, 'theirs'))?.title).toBe('Theirs');
  });

  it('latest skips an archived conversation until it gets a new turn', async () => {
    const { desk } = await twoDevices();
    expect((await desk.all.latest())?.id).toBe(id('mine'));
    await desk.all.archive(id('mine'), true);
    expect((await desk.all.latest())?.id).toBe(id('theirs'));
    await exchange((await desk.all.open(id('mine')))!, desk.clock);
    expect((await desk.all.latest())?.id).toBe(id('mine'));
    expect((await seen(desk, 'mine'))?.archived).toBe(false);
  });
});

describe('Deleting a conversation', () => {
  it('a deleted conversation cannot be listed, found, or opened, and can be restored completely', async () => {
    const { store, desk } = await twoDevices();
    for (const name of ['mine', 'theirs']) {
      const before = await desk.all.list();
      const file = store.files.get(pathOf(name));
      expect(await desk.all.remove([id(name)])).toEqual([id(name)]);
      for (const device of [desk, openDevice(store)]) {
        expect(await ids(device)).not.toContain(id(name));
        expect(await device.all.open(id(name))).toBeNull();
        expect((await device.all.search(name)).hits).toEqual([]);
      }
      expect(store.files.get(pathOf(name))).toBe(file);
      expect(await desk.all.restore([id(name)])).toEqual([id(name)]);
      expect(await desk.all.list()).toEqual(before);
      expect(await openDevice(store).all.list()).toEqual(before);
    }
  });

  it('a deleted conversation of another device still exists there', async () => {
    const { desk, lap } = await twoDevices();
    await desk.all.remove([id('theirs')]);
    await desk.clock.advance(2 * RESTORE_WINDOW_MS);
    await desk.all.retain(1_000);
    expect(await ids(lap)).toContain(id('theirs'));
    expect(await ids(desk)).toEqual([id('mine')]);
  });

  it('the file of a deleted conversation is removed after one day', async () => {
    const { store, desk } = await twoDevices();
    await desk.all.remove([id('mine')]);
    await desk.clock.advance(RESTORE_WINDOW_MS - 1);
    expect(await desk.all.retain(1_000)).toEqual([]);
    expect(store.files.has(pathOf('mine'))).toBe(true);
    await desk.clock.advance(1);
    expect(await desk.all.retain(1_000)).toEqual([id('mine')]);
    expect(store.files.has(pathOf('mine'))).toBe(false);
    expect(await desk.all.restore([id('mine')])).toEqual([]);
    expect(await ids(desk)).toEqual([id('theirs')]);
  });

  it('remove and restore return only the conversations that they changed', async () => {
    const { desk } = await twoDevices();
    expect(await desk.all.remove([id('none')])).toEqual([]);
    expect(await desk.all.restore([id('mine')])).toEqual([]);
    expect(await desk.all.remove([id('mine')])).toEqual([id('mine')]);
    expect(await desk.all.remove([id('mine')])).toEqual([]);
  });

  it('remove rejects and deletes nothing if the deletion cannot be saved', async () => {
    const { store, desk } = await twoDevices();
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(desk.all.remove([id('mine')])).rejects.toThrow('ENOSPC');
    expect(await ids(desk)).toContain(id('mine'));
  });
});

describe('Retention', () => {
  async function ended(device: Device, ...names: string[]) {
    for (const name of names) {
      const log = await converse(device, name, { userText: name });
      await log.append({ type: 'conversation-end', reason: 'idle' });
    }
  }

  it('retain keeps the newest ended conversations, and all that are pinned, open, or of another device', async () => {
    const { store, desk, lap } = await twoDevices();
    await ended(lap, 'their-old');
    await ended(desk, 'old', 'pinned', 'older', 'newer', 'newest');
    const waits = await converse(desk, 'waits', { left: 'waiting' });
    await waits.append({ type: 'conversation-end', reason: 'new-chat' });
    await desk.all.pin(id('pinned'), true);
    await settle();
    const again = openDevice(store, 'desk', desk.clock);
    expect(new Set(await again.all.retain(2))).toEqual(new Set([id('old'), id('older')]));
    const left = ['theirs', 'mine', 'their-old', 'pinned', 'newer', 'newest', 'waits'];
    expect(await ids(again)).toEqual(left.map(id));
    expect(await ids(openDevice(store))).toEqual(left.map(id));
    expect(await again.all.retain(2)).toEqual([]);
    await again.all.retain(0);
    expect(await ids(again)).toEqual(
      left.filter((name) => !['newer', 'newest'].includes(name)).map(id),
    );
  });

  it('retain keeps an ended conversation while a request to it is not answered', async () => {
    const { desk } = await twoDevices();
    await ended(desk, 'old', 'asked');
    await settle();
    expect(await desk.all.retain(0, (each) => each === id('asked'))).toEqual([id('old')]);
    expect(await desk.all.retain(0)).toEqual([id('asked')]);
  });

  it('retain continues when a file cannot be removed', async () => {
    const { store, desk } = await twoDevices();
    await ended(desk, 'one', 'two');
    const remove = store.remove.bind(store);
    store.remove = async (path) => {
      if (path === pathOf('one')) throw diskError('EBUSY');
      return remove(path);
    };
    expect(await desk.all.retain(0)).toEqual([id('two')]);
    store.remove = remove;
    expect(await desk.all.retain(0)).toEqual([id('one')]);
  });
});

describe('Deleting and restoring', () => {
  type Step =
    | { readonly do: 'remove' | 'restore'; readonly names: readonly string[] }
    | { readonly do: 'restart' | 'retain' | 'wait' };
  const NAMES = ['one', 'two', 'three', 'four'];
  const NAMED = fc.subarray(NAMES, { minLength: 1 });
  const STEPS: fc.Arbitrary<Step[]> = fc.array(
    fc.oneof(
      fc.record({ do: fc.constantFrom('remove', 'restore'), names: NAMED }) as fc.Arbitrary<Step>,
      fc.record({ do: fc.constantFrom('restart', 'retain', 'wait') }) as fc.Arbitrary<Step>,
    ),
    { maxLength: 12 },
  );

  it('a deleted conversation can be restored for one day, in any order and across restarts', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const store = memoryStore();
        let device = openDevice(store);
        for (const name of NAMES) await converse(device, name, {});
        /** Deleted conversations with the time of their deletion. */
        const removed = new Map<string, number>();
        const gone = new Set<string>();
        for (const step of steps) {
          const { clock } = device;
          if (step.do === 'restart') device = openDevice(store, 'desk', clock);
          if (step.do === 'wait') await clock.advance(RESTORE_WINDOW_MS / 3);
          if (step.do === 'retain') {
            await device.all.retain(1_000);
            for (const [name, at] of removed)
              if (clock.now() - at >= RESTORE_WINDOW_MS) gone.add(name);
          }
          if (step.do === 'remove') {
            await device.all.remove(step.names.map(id));
            for (const name of step.names) {
              if (!removed.has(name)) removed.set(name, clock.now());
            }
          }
          if (step.do === 'restore') {
            await device.all.restore(step.names.map(id));
            for (const name of step.names) if (!gone.has(name)) removed.delete(name);
          }
          const listed = NAMES.filter((name) => !removed.has(name)).map(id);
          expect(new Set(await ids(device))).toEqual(new Set(listed));
          const restorable = [...removed.keys()].filter((name) => !gone.has(name)).map(id);
          const found = (await device.all.removed()).map((each) => each.id);
          expect(new Set(found)).toEqual(new Set(restorable));
        }
      }),
      { numRuns: Math.min(cases.numRuns, 100) },
    );
  });
});
