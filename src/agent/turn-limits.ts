/**
 * Limits of a turn: steps, tokens, money, and repeated calls. Pure functions of the turn so far.
 */
import { validSteps, turnUsage, type ToolCall, type Turn } from '#model/conversation';
import type { LimitReason } from '#model/event';
import { countedTokens } from '#model/message';
import { turnCost, type ModelPrice } from '#model/model-cost';
import { joinableHints } from './joinable-calls';

export interface TurnLimits {
  readonly steps: number;
  readonly tokens: number;
  /** Null if no limit is set, or if the price of the model is unknown. */
  readonly money: MoneyLimits | null;
}

/** US dollars. A limit of 0 means no limit. */
export interface MoneyLimits {
  readonly price: ModelPrice;
  readonly turn: number;
  readonly day: number;
  /**
   * Cost of all of today's model calls that have ended: those of this turn, of turns that run beside
   * it, and of background calls.
   */
  readonly spentToday: number;
}

const REPEATS_BEFORE_WARNING = 3;
const REPEATS_BEFORE_END = 4;

/** Share of a token or money limit after which one last step is left. */
const WARNING_SHARE = 0.85;

const ONE_STEP_LEFT =
  'One step of this turn is left. In it you can still change notes, but not read or search. Finish what you can, and call done in it with what is and is not done.';

/** The limit that forbids another step, or null. */
export function limitReached(turn: Turn, limits: TurnLimits): LimitReason | null {
  const steps = validSteps(turn);
  if (steps.length === 0) return dayIsSpent(limits) ? 'day-money' : null;
  if (mostRepeats(turn) >= REPEATS_BEFORE_END) return 'stuck';
  if (steps.length < lastStep(turn, limits)) return null;
  if (mostRepeats(turn) >= REPEATS_BEFORE_WARNING) return 'stuck';
  const warned = firstWarningStep(turn, limits);
  return warned && warned.step < limits.steps ? warned.reason : 'steps';
}

/**
 * No turn begins once the money for the day is spent. Each that runs can exceed it by two steps: the
 * one in progress, and the last one to report.
 */
function dayIsSpent({ money }: TurnLimits): boolean {
  return money !== null && money.day > 0 && money.spentToday >= money.day;
}

/**
 * The number of the last step this turn may take. One more step, for a report, is left after a
 * third repetition and after a step that brings tokens or money close to their limit.
 */
export function lastStep(turn: Turn, limits: TurnLimits): number {
  const third = repeats(turn).find(({ count }) => count >= REPEATS_BEFORE_WARNING);
  const warned = firstWarningStep(turn, limits);
  return Math.min(
    limits.steps,
    ...(third ? [third.step + 1] : []),
    ...(warned ? [warned.step + 1] : []),
  );
}

/** The first step after which a token or money limit is nearly used up. */
function firstWarningStep(
  turn: Turn,
  limits: TurnLimits,
): { step: number; reason: LimitReason } | null {
  const steps = validSteps(turn);
  for (const [at, { index, notes }] of steps.entries()) {
    const reason = nearlyUsed(upTo(turn, index), limits);
    if (reason) return { step: at + 1, reason };
    // Other turns spend the money of the day, too, so an earlier step counts only if it was warned.
    const isLastChance = at === steps.length - 1 || notes.includes(ONE_STEP_LEFT);
    if (isLastChance && dayIsNearlySpent(limits)) return { step: at + 1, reason: 'day-money' };
  }
  return null;
}

function nearlyUsed(soFar: Turn, { tokens, money }: TurnLimits): LimitReason | null {
  if (countedTokens(turnUsage(soFar)) >= tokens * WARNING_SHARE) return 'tokens';
  if (!money || money.turn === 0) return null;
  return turnCost(soFar, money.price) >= money.turn * WARNING_SHARE ? 'turn-money' : null;
}

function dayIsNearlySpent({ money }: TurnLimits): boolean {
  return money !== null && money.day > 0 && money.spentToday >= money.day * WARNING_SHARE;
}

/** The turn as it was after the step with this index. */
function upTo(turn: Turn, index: number): Turn {
  return {
    ...turn,
    steps: turn.steps.filter((step) => step.index <= index),
    compactions: turn.compactions.filter(({ step }) => step <= index),
  };
}

/** Notes for the model, added to the results of the step just run. */
export function budgetNotes(turn: Turn, limits: TurnLimits): string[] {
  const number = validSteps(turn).length;
  const notes: string[] = [];
  const third = repeats(turn).find(
    ({ count, step }) => count === REPEATS_BEFORE_WARNING && step === number,
  );
  if (third) {
    notes.push(
      `You called ${third.name} three times with the same input and nothing changed in between. It will give the same again: use what you know, or try another way.`,
    );
  }
  notes.push(...joinableHints(turn, number, changed));
  const isNearEnd = number >= lastStep(turn, limits) - 1;
  if (!isNearEnd && number === halfStep(turn, limits)) {
    const used = countedTokens(turnUsage(turn)).toLocaleString('en');
    notes.push(
      `Half of the budget of this turn is used: ${number} of ${limits.steps} steps, ${used} of ${limits.tokens.toLocaleString('en')} tokens.`,
    );
  }
  if (number === lastStep(turn, limits) - 1) {
    notes.push(ONE_STEP_LEFT);
  }
  return notes;
}

/** The number of the first step after which half of the steps or tokens is used. */
function halfStep(turn: Turn, { steps, tokens }: TurnLimits): number {
  const at = validSteps(turn).findIndex(
    ({ index }, before) =>
      (before + 1) * 2 >= steps || countedTokens(turnUsage(upTo(turn, index))) * 2 >= tokens,
  );
  return at + 1;
}

interface Repeat {
  readonly name: string;
  readonly count: number;
  /** The number of the step with the repetition. */
  readonly step: number;
}

/**
 * How often each call without a change repeats an earlier one. Counting restarts after every change
 * to the vault.
 */
function repeats(turn: Turn): Repeat[] {
  let seen = new Map<string, number>();
  const found: Repeat[] = [];
  validSteps(turn).forEach((step, at) => {
    for (const call of step.calls) {
      if (changed(call)) {
        seen = new Map();
        continue;
      }
      // The model was told to make an interrupted call again.
      if (interrupted(call)) continue;
      const { name, input, malformed } = call.part;
      // Malformed inputs count as equal only if their text is.
      const key = `${name} ${malformed ?? canonical(input)}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      found.push({ name, count, step: at + 1 });
    }
  });
  return found;
}

function mostRepeats(turn: Turn): number {
  return repeats(turn).reduce((most, { count }) => Math.max(most, count), 0);
}

function changed(call: ToolCall): boolean {
  return (
    call.state === 'finished' && !call.result.failed && call.result.details?.kind === 'changes'
  );
}

function interrupted(call: ToolCall): boolean {
  return call.state === 'finished' && call.result.details?.kind === 'interrupted';
}

/** Serializes equal values equally, in whatever order the model wrote the keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
