/** What model calls cost. An estimate: the provider's bill is what counts. */
import { callUsages, spentByTools, type Turn } from './conversation';
import type { Usage } from './message';
import type { Price } from './settings';

/** US dollars for a million tokens. */
export interface ModelPrice extends Price {
  /** A call whose prompt has more than so many tokens costs so many times as much, all of it. */
  readonly longPrompt?: { readonly over: number; readonly times: number };
}

const TOKENS_PER_PRICE = 1_000_000;

/** US dollars for one model call. */
export function callCost(usage: Usage, price: ModelPrice): number {
  const { input, output, cacheRead, cacheWrite } = usage;
  const { longPrompt } = price;
  const isLong = longPrompt !== undefined && input + cacheRead + cacheWrite > longPrompt.over;
  const dollars =
    input * price.input +
    output * price.output +
    cacheRead * price.cacheRead +
    cacheWrite * price.cacheWrite;
  return (dollars * (isLong ? longPrompt.times : 1)) / TOKENS_PER_PRICE;
}

/** US dollars for all model calls of a turn, those that were tried again too. */
export function turnCost(turn: Turn, price: ModelPrice): number {
  const fees = spentByTools(turn).reduce((sum, { fee }) => sum + fee, 0);
  return callUsages(turn).reduce((sum, usage) => sum + callCost(usage, price), fees);
}
