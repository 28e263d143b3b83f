/**
 * The file format of the usage log: one model call per line, so that a torn line loses only that
 * call.
 */
import type { MoneyLimits } from '#agent/turn-limits';
import type { Usage } from '#model/message';
import type { Settings } from '#model/settings';
import type { UsageLog } from './usage-log';

export interface ModelCall {
  /** When the call ended, in milliseconds since 1970. */
  readonly time: number;
  readonly model: string;
  readonly what: 'turn' | 'compaction' | 'background' | 'search';
  readonly usage: Usage;
  /** US dollars at the price of that time, or null if it was unknown. */
  readonly cost: number | null;
}

const USAGE_VERSION = 1;

const KINDS: readonly ModelCall['what'][] = ['turn', 'compaction', 'background', 'search'];

export function usageLine(call: ModelCall): string {
  return `${JSON.stringify({ version: USAGE_VERSION, ...call })}\n`;
}

/** Skips lines that are unreadable or of a newer version. */
export function* readUsage(
  text: string,
  order: 'oldest-first' | 'newest-first' = 'oldest-first',
): Generator<ModelCall> {
  for (const line of order === 'oldest-first' ? forwards(text) : backwards(text)) {
    const call = parsed(line);
    if (call) yield call;
  }
}

function* forwards(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, to);
    from = to + 1;
  }
}

function* backwards(text: string): Generator<string> {
  for (let to = text.length; to > 0;) {
    const start = text.lastIndexOf('\n', to - 1) + 1;
    yield text.slice(start, to);
    to = start - 1;
  }
}

function parsed(line: string): ModelCall | null {
  if (line === '') return null;
  try {
    const saved = JSON.parse(line) as Partial<ModelCall> & { version?: unknown };
    const { version, time, model, what, usage, cost } = saved;
    if (version !== USAGE_VERSION || typeof time !== 'number' || typeof model !== 'string') {
      return null;
    }
    const isCall =
      what !== undefined &&
      KINDS.includes(what) &&
      isUsage(usage) &&
      (cost === null || typeof cost === 'number');
    return isCall ? { time, model, what, usage, cost } : null;
  } catch {
    return null;
  }
}

function isUsage(usage: unknown): usage is Usage {
  if (typeof usage !== 'object' || usage === null) return false;
  const { input, output, cacheRead, cacheWrite } = usage as Partial<Usage>;
  return [input, output, cacheRead, cacheWrite].every((count) => typeof count === 'number');
}

type MoneySettings = Pick<Settings, 'moneyPerTurn' | 'moneyPerDay'>;

/** Null if no limit is set, or if the price of the model is unknown. */
export function moneyLimits(
  { moneyPerTurn, moneyPerDay }: MoneySettings,
  usage: UsageLog,
  model: string,
): MoneyLimits | null {
  const price = usage.price(model);
  if (!price || moneyPerTurn + moneyPerDay === 0) return null;
  return { price, turn: moneyPerTurn, day: moneyPerDay, spentToday: usage.today() };
}

/** Whether the money for the day is spent, for calls outside of turns. */
export function isDaySpent(settings: MoneySettings, usage: UsageLog, model: string): boolean {
  const limits = moneyLimits(settings, usage, model);
  return limits !== null && limits.day > 0 && limits.spentToday >= limits.day;
}
