import type { Clock } from '#ports/clock';

/** Milliseconds of work before others get their turn. */
const SLICE = 3;

/** Asked between two pieces of a long work; waits where it is others' turn. */
export type Slices = () => Promise<void> | undefined;

export function sliced({ now, pause }: Pick<Clock, 'now' | 'pause'>): Slices {
  let until = now() + SLICE;
  return () => {
    if (now() < until) return undefined;
    return pause().then(() => {
      until = now() + SLICE;
    });
  };
}
