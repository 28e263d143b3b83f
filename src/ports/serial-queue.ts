/**
 * Runs tasks one at a time, in the order of the calls. A failed task does not stop the next one: only
 * its own promise rejects, and a caller that ignores that promise ignores the error.
 */
export class SerialQueue {
  #tail: Promise<void> = Promise.resolve();
  #unfinished = 0;

  /** Whether no task is running or waiting. */
  get isIdle(): boolean {
    return this.#unfinished === 0;
  }

  /** Never starts the task synchronously. */
  run<Value>(task: () => Value | PromiseLike<Value>): Promise<Value> {
    this.#unfinished += 1;
    const done = this.#tail.then(task);
    const finish = () => void (this.#unfinished -= 1);
    this.#tail = done.then(finish, finish);
    return done;
  }

  /** Resolves when all tasks so far have ended or failed. */
  finished(): Promise<void> {
    return this.#tail;
  }
}

/** A serial queue for each key; tasks of different keys run side by side. */
export class SerialQueues<Key> {
  readonly #queues = new Map<Key, SerialQueue>();

  /** Number of keys with unfinished tasks. */
  get size(): number {
    return this.#queues.size;
  }

  run<Value>(key: Key, task: () => Value | PromiseLike<Value>): Promise<Value> {
    const queue = this.#queues.get(key) ?? new SerialQueue();
    this.#queues.set(key, queue);
    const done = queue.run(task);
    void queue.finished().then(() => {
      if (queue.isIdle) this.#queues.delete(key);
    });
    return done;
  }

  /** Resolves when all tasks of the key so far have ended or failed. */
  async finished(key: Key): Promise<void> {
    await this.#queues.get(key)?.finished();
  }
}
