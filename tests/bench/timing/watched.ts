/**
 * Wall time and CPU time of some work, and its longest block of the event loop. Times are in
 * milliseconds.
 */
export interface Watched<Value> {
  readonly value: Value;
  readonly milliseconds: number;
  /** CPU time of this process; the rest of the wall time went to other load. */
  readonly processor: number;
  /** The longest time without a turn of the event loop. */
  readonly block: number;
}

export async function watched<Value>(work: () => Promise<Value>): Promise<Watched<Value>> {
  let block = 0;
  let last = performance.now();
  let spent = processorTime();
  let isOver = false;
  const look = () => {
    const now = performance.now();
    const used = processorTime();
    // CPU time that another process took did not block this thread.
    block = Math.max(block, Math.min(now - last, used - spent));
    last = now;
    spent = used;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const began = performance.now();
  const before = processorTime();
  const value = await work();
  const milliseconds = performance.now() - began;
  const processor = processorTime() - before;
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return { value, milliseconds, processor, block };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** CPU time of this process in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export function shown({ milliseconds, processor, block }: Watched<unknown>): string {
  return `${milliseconds.toFixed(1)} ms (${processor.toFixed(1)} of processor), longest block ${block.toFixed(1)} ms`;
}
