import { describe, expect, it } from 'vitest';
import * as t from '#messages/notice-messages';
import { Lease, LeaderLock } from '#queue/leader-lock';
import { settle, testClock } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';

const PATH = '.smarthole/inbox.device-1.lease';

function vault() {
  const store = memoryStore();
  const clock = testClock();
  const gone = new Set<number>();
  const lease = (process: number) =>
    new Lease({
      store,
      clock,
      path: PATH,
      process,
      holder: `run-${process}`,
      isGone: (id) => gone.has(id),
    });
  return { store, clock, gone, lease };
}

/** Everything reported to `lease` from here on. */
function watched(lease: Lease): string[] {
  const told: string[] = [];
  lease.await(() => {
    told.push('taken');
    lease.keep(() => told.push('lost'));
  });
  return told;
}

describe('the leader lock', () => {
  it('the lock is held by one process at a time', async () => {
    const { lease, clock } = vault();
    const first = lease(1);
    expect(await first.take()).toBe('mine');
    first.keep(() => undefined);
    const second = lease(2);
    expect(await second.take()).toBe('other');
    const told = watched(second);
    await clock.advance(600_000);
    expect(told).toEqual([]);
  });

  it('the lock goes to the next process when it is released', async () => {
    const { lease, clock } = vault();
    const first = lease(1);
    await first.take();
    const second = lease(2);
    await second.take();
    const told = watched(second);
    void first.release();
    await clock.advance(1_000);
    expect(told).toEqual(['taken']);
  });

  it('the lock is taken over at once from a process that has ended', async () => {
    const { lease, clock, gone } = vault();
    await lease(1).take();
    gone.add(1);
    const taken = lease(2).take();
    await clock.advance(100);
    expect(await taken).toBe('mine');
  });

  it('the lock is taken over at once by the same process after the plugin was reloaded', async () => {
    const { store, clock, lease } = vault();
    await lease(1).take();
    const again = new Lease({
      store,
      clock,
      path: PATH,
      process: 1,
      holder: 'later',
      isGone: () => false,
    });
    const taken = again.take();
    await clock.advance(100);
    expect(await taken).toBe('mine');
  });

  it('the lock is taken over after fifteen seconds without renewal, also if it is torn', async () => {
    for (const left of [
      '{"version":1,"hol',
      '{"version":1,"holder":"run-7","process":7,"renewed":3}',
    ]) {
      const { store, lease, clock } = vault();
      store.files.set(PATH, left);
      const second = lease(2);
      expect(await second.take()).toBe('other');
      const told = watched(second);
      await clock.advance(14_000);
      expect(told).toEqual([]);
      await clock.advance(2_000);
      expect(told).toEqual(['taken']);
    }
  });

  it('a process notices that it lost the lock, and renews it after a temporary disk failure', async () => {
    const { store, lease, clock } = vault();
    const first = lease(1);
    await first.take();
    const told: string[] = [];
    first.keep(() => told.push('lost'));
    store.refuse = () => {
      throw new Error('full');
    };
    await clock.advance(20_000);
    store.refuse = null;
    expect(told).toEqual([]);
    store.files.set(PATH, '{"version":1,"holder":"run-9","process":9,"renewed":1}');
    await clock.advance(5_000);
    expect(told).toEqual(['lost']);
  });

  it('the lock goes to one of two processes that find it released at the same moment', async () => {
    const { lease, clock, gone } = vault();
    await lease(1).take();
    gone.add(1);
    const both = Promise.all([lease(2).take(), lease(3).take()]);
    await settle();
    await clock.advance(100);
    expect((await both).filter((each) => each === 'mine')).toHaveLength(1);
  });

  it('a process whose lease cannot be read follows until it can, and says so', async () => {
    const { store, lease, clock } = vault();
    const first = lease(1);
    await first.take();
    first.keep(() => undefined);
    store.unreadable.set(PATH, diskError('EBUSY'));
    const told: string[] = [];
    const second = new LeaderLock({
      lease: lease(2),
      report: (problem) => told.push(problem),
      onStatus: () => undefined,
    });
    await second.take({
      begin: async () => void told.push('begins'),
      lost: () => undefined,
    });
    await clock.advance(60_000);
    expect([second.isFollower, told]).toEqual([true, [t.leaseUnreadable]]);
    store.unreadable.clear();
    await first.release();
    await clock.advance(1_000);
    expect([second.isFollower, told]).toEqual([false, [t.leaseUnreadable, 'begins']]);
  });
});
