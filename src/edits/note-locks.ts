/**
 * Lets one change at a time touch a file. A lock is held while a change is planned on the text of
 * its files and applied, and never while something waits for the model or the user.
 */
import { isWithin } from '#text/paths';

interface Lock {
  /** In lower case, because a file may be found by another spelling. */
  readonly paths: readonly string[];
  begin(): void;
}

/** Finds the paths to lock; the same ones, or more, when it is called again. */
export type FindPaths = () => Promise<readonly string[]>;

export class NoteLocks {
  /** In the order in which they were asked for; those that wait are among them. */
  readonly #locks = new Set<Lock>();

  /**
   * Runs the task while no other one runs for these files, for a folder of theirs, or for a file in
   * one of these folders; '' is the whole vault. All paths are locked together, and locks are given
   * in the order in which they were asked for, so that no task waits forever. A task must not lock
   * again.
   */
  async run<Value>(
    paths: readonly string[] | FindPaths,
    task: () => Promise<Value>,
  ): Promise<Value> {
    let wanted = typeof paths === 'function' ? await paths() : paths;
    for (;;) {
      const lock = this.#ask(wanted);
      try {
        await lock.given;
        // Something else may have run meanwhile, and changed what there is to lock.
        const now = typeof paths === 'function' ? await paths() : wanted;
        const both = new Set([...wanted, ...now]);
        if (both.size > new Set(wanted).size) {
          wanted = [...both];
          continue;
        }
        return await task();
      } finally {
        this.#release(lock.lock);
      }
    }
  }

  /** `given` resolves when the lock is held. */
  #ask(paths: readonly string[]): { lock: Lock; given: Promise<void> } {
    let begin = () => {};
    const given = new Promise<void>((resolve) => (begin = resolve));
    const lock = { paths: paths.map((path) => path.toLowerCase()), begin };
    this.#locks.add(lock);
    if (this.#isFree(lock)) begin();
    return { lock, given };
  }

  #release(lock: Lock): void {
    this.#locks.delete(lock);
    for (const each of this.#locks) if (this.#isFree(each)) each.begin();
  }

  /** Whether no earlier lock has one of its files. */
  #isFree(lock: Lock): boolean {
    for (const earlier of this.#locks) {
      if (earlier === lock) return true;
      if (earlier.paths.some((one) => lock.paths.some((other) => overlap(one, other))))
        return false;
    }
    return true;
  }
}

function overlap(one: string, other: string): boolean {
  return one === '' || other === '' || isWithin(one, other) || isWithin(other, one);
}
