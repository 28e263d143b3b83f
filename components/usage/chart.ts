/** What was used up day by day, as bars of a chart. */
import type { DayUsage } from '#ports/agent';
import { allTokens } from './words';

export type Measure = 'cost' | 'tokens';

export interface Bar {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly total: number;
  readonly pieces: readonly { readonly model: string; readonly value: number }[];
}

export interface Chart {
  /** One for each day, the oldest first. */
  readonly bars: readonly Bar[];
  /** By name, so that each keeps its colour; those without a bar too. */
  readonly models: readonly string[];
  readonly total: number;
  /** Of the highest bar. */
  readonly most: number;
}

const DAY = 86_400_000;

/** Those of the last `days` days, `today` the last of them. */
export function within(usage: readonly DayUsage[], today: string, days: number): DayUsage[] {
  const from = dateOf(Date.parse(today) - (days - 1) * DAY);
  return usage.filter(({ date }) => date >= from && date <= today);
}

export function chartOf(
  usage: readonly DayUsage[],
  today: string,
  days: number,
  measure: Measure,
): Chart {
  const shown = within(usage, today, days);
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

/** How many calls had no known price. */
export function unpricedIn(usage: readonly DayUsage[]): number {
  return sumOf(usage.map(({ unpriced }) => unpriced));
}

function valueOf({ usage, cost }: DayUsage, measure: Measure): number {
  return measure === 'cost' ? cost : allTokens(usage);
}

/** Days are counted as they are named, whatever the time zone. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
