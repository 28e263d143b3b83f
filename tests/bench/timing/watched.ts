/** How long something takes, and for how long at a time it holds the thread. */
export interface Watched<Value> {
  readonly value: Value;
  readonly milliseconds: number;
  /** Of them, what this process had a processor for: the rest went to whatever else the machine does. */
  readonly processor: number;
  /** The longest time for which nobody else had a turn. */
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
    // What another process had a processor for did not block this one's thread.
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

/** Milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export function shown({ milliseconds, processor, block }: Watched<unknown>): string {
  return `${milliseconds.toFixed(1)} ms (${processor.toFixed(1)} of processor), longest block ${block.toFixed(1)} ms`;
}
