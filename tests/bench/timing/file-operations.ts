/** Records the file operations of the plugin in this process that it waits for. */
import { promises as files } from 'node:fs';

export interface FileOperation {
  /** What was done, for example `writeFile`. */
  readonly name: string;
  readonly path: string;
  readonly began: number;
  /** Infinite while it runs. */
  ended: number;
}

const OF_PATHS = ['readFile', 'readdir', 'stat', 'mkdir', 'rename', 'rm'] as const;
const OF_HANDLES = ['writeFile', 'sync', 'datasync'] as const;

type Method = (...given: unknown[]) => Promise<unknown>;

/** Wraps what the plugin uses of Node, for the rest of this process. */
export async function recordFileOperations(): Promise<{ operations: FileOperation[] }> {
  const recording: { operations: FileOperation[] } = { operations: [] };
  const recorded = async (name: string, path: string, run: () => Promise<unknown>) => {
    const operation = { name, path, began: performance.now(), ended: Infinity };
    recording.operations.push(operation);
    return run().finally(() => (operation.ended = performance.now()));
  };
  const wrap = (
    owner: object,
    name: string,
    wrapped: (run: () => Promise<unknown>, self: object, given: unknown) => Promise<unknown>,
  ) => {
    const methods = owner as Record<string, Method>;
    const real = methods[name] as Method;
    methods[name] = function (this: object, ...given) {
      const run = () => real.apply(this, given);
      return isFromPlugin() ? wrapped(run, this, given[0]) : run();
    };
  };
  const opened = new WeakMap<object, string>();
  /** Handles whose text was written but not flushed alone, so that closing them is waited for. */
  const unflushed = new WeakSet();
  const probe = await files.open('.', 'r');
  const handles = Object.getPrototypeOf(probe) as object;
  await probe.close();
  for (const name of OF_PATHS)
    wrap(files, name, (run, _self, given) => recorded(name, String(given), run));
  for (const name of OF_HANDLES)
    wrap(handles, name, (run, self) => {
      if (name === 'writeFile') unflushed.add(self);
      if (name === 'datasync') unflushed.delete(self);
      return recorded(name, opened.get(self) ?? '', run);
    });
  wrap(files, 'open', async (run, _self, given) => {
    const handle = (await recorded('open', String(given), run)) as object;
    opened.set(handle, String(given));
    // Each handle has a method of its own for this.
    wrap(handle, 'close', (close) =>
      unflushed.has(handle) ? recorded('close', String(given), close) : close(),
    );
    return handle;
  });
  return recording;
}

/** The host watches and reads the vault as well. */
function isFromPlugin(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes('plugin:');
}

/** The largest number of operations of which each began after the one before had ended. */
export function oneAfterTheOther(operations: readonly FileOperation[]): FileOperation[] {
  const chain: FileOperation[] = [];
  let free = -Infinity;
  for (const each of operations.toSorted((a, b) => a.ended - b.ended)) {
    if (each.began < free) continue;
    chain.push(each);
    free = each.ended;
  }
  return chain;
}
