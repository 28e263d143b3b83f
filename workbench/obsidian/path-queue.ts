import { parentOf } from '#workbench/disk/disk';

/**
 * Work on one path at a time, in the order it was asked for. Work on a file also waits for work on the
 * folders above it, so that a notice about a note in a folder that is being renamed finds it settled.
 */
export class PathQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(paths: string[], work: () => Promise<T>): Promise<T> {
    const before = paths
      .flatMap(selfAndAbove)
      .map((path) => this.#tails.get(path) ?? Promise.resolve());
    const done = Promise.all(before).then(work);
    // Whoever comes next waits for the end, good or bad; the failure belongs to the caller.
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
