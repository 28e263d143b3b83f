/** Cost of model calls. An estimate: only the provider's bill is authoritative. */
import { callUsages, spentByTools, type Turn } from './conversation';
import type { Usage } from './message';
import type { Price } from './setting-choices';

/** US dollars per million tokens. */
export interface ModelPrice extends Price {
  /** A call with more than `over` prompt tokens costs `times` as much, for all of its tokens. */
  readonly longPrompt?: { readonly over: number; readonly times: number };
}

/** Price of writing for an hour, as a multiple of `cacheWrite`; the same for all Claude models. */
const HOUR_WRITE_FACTOR = 1.6;

const TOKENS_PER_PRICE = 1_000_000;

/** Cost of one model call, in US dollars. */
export function callCost(usage: Usage, price: ModelPrice): number {
  const { input, output, cacheRead, cacheWrite, cacheWriteHour = 0 } = usage;
  const { longPrompt } = price;
  const isLong = longPrompt !== undefined && input + cacheRead + cacheWrite > longPrompt.over;
  const dollars =
    input * price.input +
    output * price.output +
    cacheRead * price.cacheRead +
    (cacheWrite + cacheWriteHour * (HOUR_WRITE_FACTOR - 1)) * price.cacheWrite;
  return (dollars * (isLong ? longPrompt.times : 1)) / TOKENS_PER_PRICE;
}

/** Cost of a turn in US dollars, including retried calls and fees. */
export function turnCost(turn: Turn, price: ModelPrice): number {
  const fees = spentByTools(turn).reduce((sum, { fee }) => sum + fee, 0);
  return callUsages(turn).reduce((sum, usage) => sum + callCost(usage, price), fees);
}
