import { describe, expect, it } from 'vitest';
import { SerialQueue, SerialQueues } from '#ports/serial-queue';

/** A task that ends when it is told to. */
function heldTask(log: string[], name: string) {
  let end = () => {};
  let fail = (_error: Error) => {};
  const held = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const task = async () => {
    log.push(`${name} begins`);
    await held;
    log.push(`${name} ends`);
    return name;
  };
  return { task, end, fail };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('SerialQueue', () => {
  it('a serial queue runs tasks one at a time in the order of the calls', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const [a, b] = [heldTask(log, 'a'), heldTask(log, 'b')];
    const results = Promise.all([queue.run(a.task), queue.run(b.task), queue.run(() => 'c')]);
    b.end();
    await settled();
    expect(log).toEqual(['a begins']);
    a.end();
    expect(await results).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('a serial queue never starts a task synchronously', async () => {
    const log: string[] = [];
    const done = new SerialQueue().run(() => log.push('task'));
    log.push('caller');
    await done;
    expect(log).toEqual(['caller', 'task']);
  });

  it('a failed task rejects only its own promise and does not stop the next task', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const thrown = queue.run(() => {
      throw new Error('thrown');
    });
    const next = queue.run(() => 'next');
    await expect(failed).rejects.toThrow('no');
    await expect(thrown).rejects.toThrow('thrown');
    expect(await next).toBe('next');
  });

  it('an ignored failure is no unhandled rejection', async () => {
    const queue = new SerialQueue();
    void queue.run(() => Promise.reject(new Error('ignored')));
    await queue.finished();
    // Vitest fails the run on an unhandled rejection.
    await settled();
  });

  it('finished resolves after all tasks so far, failed ones included', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const [a, b] = [heldTask(log, 'a'), heldTask(log, 'b')];
    expect(queue.isIdle).toBe(true);
    void queue.run(a.task);
    void queue.run(b.task);
    const finished = queue.finished().then(() => log.push('finished'));
    a.fail(new Error('no'));
    await settled();
    expect(queue.isIdle).toBe(false);
    expect(log).toEqual(['a begins', 'b begins']);
    b.end();
    await finished;
    expect(queue.isIdle).toBe(true);
    expect(log).toEqual(['a begins', 'b begins', 'b ends', 'finished']);
  });
});

describe('SerialQueues', () => {
  it('tasks of one key run in order while tasks of other keys run side by side', async () => {
    const queues = new SerialQueues<string>();
    const log: string[] = [];
    const [a1, a2, b] = ['a1', 'a2', 'b'].map((name) => heldTask(log, name));
    const last = queues.run('a', a1!.task).then(() => queues.finished('a'));
    void queues.run('a', a2!.task);
    void queues.run('b', b!.task);
    await settled();
    expect(log).toEqual(['a1 begins', 'b begins']);
    b!.end();
    await queues.finished('b');
    a1!.end();
    a2!.end();
    await last;
    expect(log.slice(2)).toEqual(['b ends', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('serial queues keep nothing of a key after its last task', async () => {
    const queues = new SerialQueues<string>();
    void queues.run('failed', () => Promise.reject(new Error('no')));
    await queues.run('a', () => undefined);
    // The next task begins at the moment the first one has ended, and must wait in the same queue.
    const log: string[] = [];
    const next = heldTask(log, 'next');
    void queues.run('a', next.task);
    await settled();
    expect(queues.size).toBe(1);
    next.end();
    await settled();
    expect(queues.size).toBe(0);
    await queues.finished('a');
  });
});
