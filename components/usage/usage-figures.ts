/** Formats tokens and costs: text, chart bars, and the cost of each model call. */
import * as t from '#messages/usage-messages';
import type { Turn } from '#model/conversation';
import type { Usage } from '#model/message';
import { callCost, type ModelPrice } from '#model/model-cost';
import type { DayUsage } from '#ports/app/agent';

export function allTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/** For example "820", "6.5k" or "1.2M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return `${tokens}`;
  return tokens < 999_950
    ? `${(tokens / 1_000).toFixed(1)}k`
    : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Below this, costs are in hundredths of a cent. */
const SMALL_DOLLARS = 0.1;

/** Formats costs of one column alike: as many digits as their total needs. */
export function costFormat(total: number): (dollars: number) => string {
  const digits = total < SMALL_DOLLARS ? 4 : 2;
  const least = 10 ** -digits;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (dollars) => {
    if (dollars === 0) return '$0';
    const isTooSmall = dollars < least / 2;
    return `${isTooSmall ? '<' : ''}$${(isTooSmall ? least : dollars).toLocaleString('en', options)}`;
  };
}

/** For example "$0.0042" or "$1.20". */
export function formatCost(dollars: number): string {
  return costFormat(dollars)(dollars);
}

/** Of the prompt, in percent. */
export function cachedShare({ input, cacheRead, cacheWrite }: Usage): number {
  return Math.round((cacheRead / Math.max(1, input + cacheRead + cacheWrite)) * 100);
}

/**
 * For example "≈ $0.0042, 6.5k tokens, 84% cached"; '' if nothing was used.
 * @param cost null if unknown
 */
export function formatUsage(usage: Usage, cost: number | null): string {
  const tokens = allTokens(usage);
  if (tokens === 0) return '';
  const cached = cachedShare(usage);
  return [
    ...(cost === null ? [] : [`≈ ${formatCost(cost)}`]),
    t.tokenCount(formatTokens(tokens)),
    ...(cached > 0 ? [t.cachedShare(cached)] : []),
  ].join(', ');
}

export type Measure = 'cost' | 'tokens';

export interface Bar {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly total: number;
  readonly pieces: readonly { readonly model: string; readonly value: number }[];
}

export interface Chart {
  /** One per day, oldest first. */
  readonly bars: readonly Bar[];
  /** By name, so that each model keeps its color; includes models without a bar. */
  readonly models: readonly string[];
  readonly total: number;
  /** Value of the highest bar. */
  readonly most: number;
}

const DAY = 86_400_000;

/** The last `days` days, up to `today`. */
export function lastDays(usage: readonly DayUsage[], today: string, days: number): DayUsage[] {
  const from = dateOf(Date.parse(today) - (days - 1) * DAY);
  return usage.filter(({ date }) => date >= from && date <= today);
}

export function chartOf(
  usage: readonly DayUsage[],
  today: string,
  days: number,
  measure: Measure,
): Chart {
  const shown = lastDays(usage, today, days);
  const models = [...new Set(shown.map(({ model }) => model))].sort();
  const bars = Array.from({ length: days }, (_, at): Bar => {
    const date = dateOf(Date.parse(today) - (days - 1 - at) * DAY);
    const pieces = shown
      .filter((each) => each.date === date)
      .map((each) => ({ model: each.model, value: valueOf(each, measure) }))
      .filter(({ value }) => value > 0)
      .sort((one, other) => (one.model < other.model ? -1 : 1));
    return { date, pieces, total: sumOf(pieces.map(({ value }) => value)) };
  });
  const totals = bars.map(({ total }) => total);
  return { bars, models, total: sumOf(totals), most: Math.max(0, ...totals) };
}

/** Number of calls with an unknown price. */
export function countUnpriced(usage: readonly DayUsage[]): number {
  return sumOf(usage.map(({ unpriced }) => unpriced));
}

function valueOf({ usage, cost }: DayUsage, measure: Measure): number {
  return measure === 'cost' ? cost : allTokens(usage);
}

/** Computed on date strings, so the time zone does not matter. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export interface CallCost {
  /** For example "2" or "2, retried". */
  readonly what: string;
  readonly usage: Usage;
  /** US dollars; null if the price is unknown. */
  readonly cost: number | null;
}

/** In the order they were made; calls without usage are left out. */
export function callCosts(turn: Turn, price: ModelPrice | null): CallCost[] {
  const steps = turn.steps.map(({ index, number, voided, calls, usage }) => ({
    at: index,
    what: voided ? t.retriedCall(number) : calls.length === 0 ? t.answerCall(number) : `${number}`,
    ...{ usage, fee: 0 },
  }));
  const summaries = turn.compactions.map(({ step, usage }) => ({
    at: step - 0.5,
    what: t.summary,
    ...{ usage, fee: 0 },
  }));
  const byTools = turn.steps.flatMap(({ index, number, calls }) =>
    calls.flatMap((call) => {
      const spent = call.state === 'finished' ? call.result.spent : undefined;
      const what = t.toolCall(number, call.part.name.replaceAll('_', ' '));
      return spent ? [{ at: index, what, ...spent }] : [];
    }),
  );
  return [...steps, ...summaries, ...byTools]
    .filter(({ usage }) => allTokens(usage) > 0)
    .sort((one, other) => one.at - other.at)
    .map(({ what, usage, fee }) => ({ what, usage, cost: price && callCost(usage, price) + fee }));
}
