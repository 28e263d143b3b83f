/**
 * Loads the built plugin once in a fresh process and prints what that cost: milliseconds to evaluate `main.js` and to
 * run `onload`, and the heap in MB that the plugin holds afterward (with `--expose-gc`).
 */
import { bootHeadless } from './boot-headless';

export interface StartCost {
  readonly evaluateMs: number;
  readonly onloadMs: number;
  readonly heapMb: number;
}

export async function probe(vault: string, pluginDir: string): Promise<StartCost> {
  const before = usedHeap();
  let heapMb = 0;
  const host = await bootHeadless({
    vault,
    pluginDir,
    onLoaded: () => {
      heapMb = (usedHeap() - before) / 1e6;
    },
  });
  await host.close();
  return {
    evaluateMs: durationOf('plugin-evaluate'),
    onloadMs: durationOf('plugin-onload'),
    heapMb,
  };
}

function usedHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function durationOf(name: string): number {
  return performance.getEntriesByName(name, 'measure')[0]?.duration ?? Number.NaN;
}

const [vault, pluginDir] = process.argv.slice(2);
if (vault === undefined || pluginDir === undefined) {
  throw new Error('Usage: start-probe VAULT PLUGIN_FOLDER');
}
process.stdout.write(`${JSON.stringify(await probe(vault, pluginDir))}\n`);
process.exit();
