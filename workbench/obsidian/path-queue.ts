import { parentOf } from '#workbench/disk/disk';

/**
 * Runs operations on a path one at a time, in call order. An operation on a file also waits for
 * those on the folders above it, so that a check of a note in a folder that is being renamed sees
 * the result.
 */
export class PathQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(paths: string[], work: () => Promise<T>): Promise<T> {
    const before = paths
      .flatMap(selfAndAbove)
      .map((path) => this.#tails.get(path) ?? Promise.resolve());
    const done = Promise.all(before).then(work);
    // The next operation runs even if this one fails; its caller handles the failure.
    const tail = done.catch(() => undefined);
    for (const path of paths) this.#tails.set(path, tail);
    void tail.then(() => {
      for (const path of paths) if (this.#tails.get(path) === tail) this.#tails.delete(path);
    });
    return done;
  }

  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}

function selfAndAbove(path: string): string[] {
  const all = [path];
  for (let at = path; at !== ''; at = parentOf(at)) all.push(parentOf(at));
  return all;
}
