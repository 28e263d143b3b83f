import { describe, expect, it } from 'vitest';
import { DeliveredIds } from '#queue/delivered-ids';
import { diskError, memoryStore } from '../builders/fake-storage';

const FILE = 'delivered.jsonl';

describe('the delivered ids', () => {
  it.each([3, '"two"'.length])(
    'an id that could not be written is not remembered after a restart, although %i characters were',
    async (partly) => {
      const store = memoryStore();
      const ids = new DeliveredIds(store, FILE);
      await ids.load([]);
      await ids.add('one');
      store.partly = partly;
      store.refuse = () => {
        throw diskError('ENOSPC');
      };
      await expect(ids.add('two')).rejects.toThrow('ENOSPC');
      store.refuse = null;
      await ids.add('three');
      const again = new DeliveredIds(store, FILE);
      await again.load([]);
      expect(['one', 'two', 'three'].map((id) => again.has(id))).toEqual([true, false, true]);
    },
  );

  it('an id is remembered after a restart, although the file was torn and could not be read', async () => {
    const store = memoryStore({ [FILE]: '"one"\n"tw' });
    store.unreadable.set(FILE, diskError('EBUSY'));
    const ids = new DeliveredIds(store, FILE);
    await expect(ids.load([])).rejects.toThrow('EBUSY');
    store.unreadable.clear();
    await ids.add('three');
    const again = new DeliveredIds(store, FILE);
    await again.load([]);
    expect(['one', 'three'].every((id) => again.has(id))).toBe(true);
  });
});
