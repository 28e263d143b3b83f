/** The person's limits of money, as far as they can be held. */
import type { MoneyLimits } from '#agent/budget';
import type { Settings } from '#model/settings';
import type { UsageBook } from './usage';

type MoneySettings = Pick<Settings, 'moneyPerTurn' | 'moneyPerDay'>;

/** Null where none is set, or where nobody knows what the model costs. */
export function moneyLimits(
  { moneyPerTurn, moneyPerDay }: MoneySettings,
  usage: UsageBook,
  model: string,
): MoneyLimits | null {
  const price = usage.price(model);
  if (!price || moneyPerTurn + moneyPerDay === 0) return null;
  return { price, turn: moneyPerTurn, day: moneyPerDay, spentToday: usage.today() };
}

/** Whether the day's money is spent, for calls that no turn makes. */
export function isDaySpent(settings: MoneySettings, usage: UsageBook, model: string): boolean {
  const limits = moneyLimits(settings, usage, model);
  return limits !== null && limits.day > 0 && limits.spentToday >= limits.day;
}
