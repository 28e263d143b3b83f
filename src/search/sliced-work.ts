import type { Clock } from '#ports/clock';

/** Limits how long work may block the main thread. */
export interface Slice {
  clock: () => number;
  /** Resolves once other tasks have run. */
  pause: () => Promise<void>;
  /** Default 8, so that one more step still fits into a frame (16 ms). */
  milliseconds?: number;
}

/** Measures the time since the work last yielded the thread. */
export class SlicedWork {
  private began: number;
  private readonly longest: number;

  constructor(
    private readonly slice: Slice,
    private readonly signal?: AbortSignal,
  ) {
    this.began = slice.clock();
    this.longest = slice.milliseconds ?? 8;
  }

  get stopped(): boolean {
    return this.signal?.aborted ?? false;
  }

  get isDue(): boolean {
    return this.slice.clock() - this.began >= this.longest;
  }

  async pause(): Promise<void> {
    await this.slice.pause();
    this.resumed();
  }

  /** Restarts the slice. Call it after any wait other than `pause`. */
  resumed(): void {
    this.began = this.slice.clock();
  }
}

/** Runs work in steps and yields the thread whenever a slice is over. */
export async function inSlices<Value>(
  steps: Iterator<void, Value>,
  work: SlicedWork,
): Promise<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (work.isDue) await work.pause();
  }
}

/** The clock and abort signal of a tool call. */
interface SlicedCall {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * For work over the whole vault: pauses regularly to keep the UI responsive, and stops with the
 * call.
 */
export function slicedWork({ clock, signal }: SlicedCall): SlicedWork {
  return new SlicedWork({ clock: () => clock.now(), pause: () => clock.pause() }, signal);
}

/** Calls `work` for each item in slices. Skips the rest once the call is aborted. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  context: SlicedCall,
  work: (item: Item) => void,
): Promise<void> {
  const slices = slicedWork(context);
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
