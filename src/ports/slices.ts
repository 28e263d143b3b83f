/** Divides long work into slices, between which the thread does other work. */
import type { Clock } from './clock';

/**
 * Milliseconds of work before yielding the thread. Two pieces of work that alternate, and the step
 * that ends each slice, still fit into a frame (16 ms).
 */
export const SLICE_MS = 5;

export type SliceClock = Pick<Clock, 'now' | 'pause'>;

/** Measures the time since the work last yielded the thread. */
export class Slices {
  readonly #clock: SliceClock;
  readonly #signal: AbortSignal | undefined;
  #began: number;

  constructor(clock: SliceClock, signal?: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#began = clock.now();
  }

  get stopped(): boolean {
    return this.#signal?.aborted ?? false;
  }

  get isDue(): boolean {
    const passed = this.#clock.now() - this.#began;
    // The clock may be set back; without this check the work would not yield until it caught up.
    return passed >= SLICE_MS || passed < 0;
  }

  async pause(): Promise<void> {
    await this.#clock.pause();
    this.resumed();
  }

  /** Restarts the slice. Call it after any wait other than `pause`. */
  resumed(): void {
    this.#began = this.#clock.now();
  }
}

/** Runs work in steps and yields the thread whenever a slice is over. */
export async function inSlices<Value>(
  steps: Iterator<void, Value>,
  slices: Slices,
): Promise<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isDue) await slices.pause();
  }
}

/** The clock and abort signal of a tool call. */
interface SlicedCall {
  readonly clock: SliceClock;
  readonly signal: AbortSignal;
}

/** Calls `work` for each item in slices. Skips the rest once the call is aborted. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  { clock, signal }: SlicedCall,
  work: (item: Item) => void,
): Promise<void> {
  const slices = new Slices(clock, signal);
  for (const item of items) {
    work(item);
    if (!slices.isDue) continue;
    if (slices.stopped) return;
    await slices.pause();
  }
}

/** Like `filter`, in slices. Incomplete once the call is aborted. */
export async function filterInSlices<Item>(
  items: Iterable<Item>,
  context: SlicedCall,
  passes: (item: Item) => boolean,
): Promise<Item[]> {
  const passed: Item[] = [];
  await forEachInSlices(items, context, (item) => {
    if (passes(item)) passed.push(item);
  });
  return passed;
}
