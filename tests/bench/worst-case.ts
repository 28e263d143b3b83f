/**
 * Looks for the text on which each function that reads foreign text takes the longest, and prints
 * the longest time it blocks the main thread, by size. `npm run bench -- worst-case`; FUNCTION=PATTERN
 * takes those that match.
 */
import { FUNCTIONS, type Work } from './worst-case/functions';
import { type HardInput, hardInputs } from './worst-case/inputs';

const SIZES = [8_000, 50_000, 1_000_000];

/** Random combinations, besides all marks alone. */
const COMBINATIONS = 60;

/** Inputs that are taken on to the next size. */
const KEPT = [5, 2];

/** A function that takes longer is not given a longer text. */
const GIVE_UP_MS = 3_000;

/** What a function may block the main thread for. */
export const MAX_BLOCK_MS = 50;

interface Measured {
  readonly input: HardInput;
  readonly size: number;
  /** The longest block in milliseconds of processor time. */
  readonly block: number;
  /** Growth of the heap in MB; rough, because the collector may run in between. */
  readonly heap: number;
}

export interface WorstCase {
  readonly name: string;
  readonly rows: readonly Measured[];
}

export async function bench(print: (row: string) => void): Promise<void> {
  const wanted = process.env['FUNCTION'];
  print('function | input | size | longest block | heap');
  for (const [name, work] of FUNCTIONS) {
    if (wanted !== undefined && !new RegExp(wanted, 'i').test(name)) continue;
    const { rows } = worstCase(name, work);
    for (const { input, size, block, heap } of rows) {
      const mark = block > MAX_BLOCK_MS ? ' OVER' : '';
      print(
        `${name} | ${input.name} | ${(size / 1_000).toFixed(0)} KB | ${block.toFixed(1)} ms${mark} | ${heap.toFixed(0)} MB`,
      );
    }
  }
}

/** The worst input of each size. */
export function worstCase(name: string, work: Work): WorstCase {
  let inputs = hardInputs(COMBINATIONS);
  const rows: Measured[] = [];
  SIZES.forEach((size, at) => {
    if ((rows.at(-1)?.block ?? 0) > GIVE_UP_MS) return;
    const measured: Measured[] = [];
    for (const input of inputs) {
      measured.push(measure(work, input, size));
      if ((measured.at(-1)?.block ?? 0) > GIVE_UP_MS) break;
    }
    measured.sort((a, b) => b.block - a.block);
    const [worst] = measured;
    if (worst) rows.push(worst);
    inputs = measured.slice(0, KEPT[at] ?? 3).map(({ input }) => input);
  });
  return { name, rows };
}

function measure(work: Work, input: HardInput, size: number): Measured {
  const text = input.make(size);
  const before = process.memoryUsage().heapUsed;
  // The best of a few runs, because the compiler and the collector disturb short ones.
  let block = longestBlock(work, text);
  for (let run = 0; run < 2 && size > 10_000 && block > 5 && block < 500; run += 1) {
    block = Math.min(block, longestBlock(work, text));
  }
  const heap = Math.max(0, process.memoryUsage().heapUsed - before) / 1_000_000;
  return { input, size, block, heap };
}

function longestBlock(work: Work, text: string): number {
  let block = 0;
  let [began, used] = [performance.now(), processorTime()];
  const turn = () => {
    const [now, spent] = [performance.now(), processorTime()];
    // Time that another process took did not count, nor did other threads of this one.
    block = Math.max(block, Math.min(now - began, spent - used));
    [began, used] = [now, spent];
  };
  const result = work(text);
  if (isGenerator(result)) while (result.next().done !== true) turn();
  turn();
  return block;
}

function isGenerator(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
