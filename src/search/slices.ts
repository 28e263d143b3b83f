/** How long work may hold the main thread, and how it gives it back. */
export interface Slice {
  clock: () => number;
  /** Resolves once others had their turn. */
  pause: () => Promise<void>;
  /** Default 8: with one step of work more than that it stays under a frame. */
  milliseconds?: number;
}

/** Counts the time since the thread was last given back. */
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

  /** To be called after any other wait. */
  resumed(): void {
    this.began = this.slice.clock();
  }
}

/** Runs work that is done in steps, and gives the thread back whenever a slice is over. */
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
