import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../cases';
import { NoteLocks } from '#edits/note-locks';

const PATHS = ['', 'A.md', 'B.md', 'F', 'F/C.md', 'F/G', 'F/G/D.md', 'f/c.md', 'Fo/E.md'];
const tasks = fc.array(
  fc.record({
    paths: fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 3 }),
    /** Found only when the task asks again, as a link that another task has written. */
    found: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 }),
    fails: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Says it in another way than the product: by the parts of the paths. */
function share(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.toLowerCase().split('/').filter(Boolean));
  return a!.every((part, at) => b![at] === undefined || b![at] === part);
}

it('no two tasks run for the same file, all of them run, and equal ones in the order in which they asked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), tasks, async (scheduler, all) => {
      const locks = new NoteLocks();
      const running = new Set<readonly string[]>();
      const began: number[] = [];
      const run = async ({ paths, found, fails }: (typeof all)[number], at: number) => {
        let isFirst = true;
        const held = [...paths];
        const find = async () => {
          await scheduler.schedule(Promise.resolve(), `look ${at}`);
          if (!isFirst) held.push(...found);
          isFirst = false;
          return [...held];
        };
        const task = async () => {
          began.push(at);
          const own = [...held];
          for (const other of running) {
            const both = own.filter((path) => other.some((each) => share(path, each)));
            expect(both).toEqual([]);
          }
          running.add(own);
          await scheduler.schedule(Promise.resolve(), `task ${at}`);
          running.delete(own);
          if (fails) throw new Error('failed');
          return at;
        };
        return locks.run(found.length > 0 ? find : paths, task);
      };
      const done = all.map(run);
      const results = Promise.allSettled(done);
      await scheduler.waitFor(results);
      expect(began.toSorted((a, b) => a - b)).toEqual(all.map((_, at) => at));
      for (const [at, result] of (await results).entries())
        expect(result.status).toBe(all[at]!.fails ? 'rejected' : 'fulfilled');
      const plain = began.filter((at) => all[at]!.found.length === 0);
      for (const [place, at] of plain.entries()) {
        for (const later of plain.slice(place + 1)) {
          const isSame = all[at]!.paths.some((path) => all[later]!.paths.includes(path));
          if (isSame) expect(at).toBeLessThan(later);
        }
      }
    }),
    cases,
  );
});
