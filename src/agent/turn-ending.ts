/**
 * Decides whether a step ends its turn, and ends it: closes open calls and interactions, words the
 * reply, and records the end.
 */
import * as t from '#messages/turn-ending-messages';
import { failure } from '#messages/failures';
import { changeSummary } from '#messages/result-text';
import {
  allCalls,
  answerTo,
  openInteractions,
  stepText,
  validSteps,
  turnUsage,
  type Step,
  type Turn,
} from '#model/conversation';
import type { EventDraft, LimitReason, StoppedBy, TurnEnd } from '#model/event';
import type { Failure, AutomaticRetry } from '#model/failure';
import type { CallResult, Outcome } from '#model/message';
import { isUserListening } from '#model/steering';
import { withoutSourceMarks } from '#text/source-marks';
import { lastStep, type TurnLimits } from './turn-limits';

export interface EndingContext {
  turn(): Turn;
  /** When Parley retries a failed turn by itself; null if it does not. */
  retries?(turn: Turn, ending: TurnOutcome): AutomaticRetry | null;
  record(event: EventDraft, options?: { flush: boolean }): Promise<void>;
}

/** How a turn ends, before the reply is worded from the turn. */
export type TurnOutcome =
  | {
      readonly kind: 'completed';
      readonly outcome?: Outcome;
      readonly summary?: string;
      readonly spoken?: string;
    }
  | { readonly kind: 'stopped'; readonly by?: StoppedBy | undefined; readonly note?: string }
  | {
      readonly kind: 'limited';
      readonly reason: LimitReason;
      /** The daily limit in US dollars, for `day-money`. */
      readonly dollars?: number;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * The question at the end of a spoken turn's plain text: a listener answers it, so the turn waits.
 * Null if the turn ends instead.
 */
export function plainQuestion(turn: Turn, step: Step, limits: TurnLimits): string | null {
  const text = stepText(step);
  const isAsked = step.stop === 'end' && step.calls.length === 0 && !step.asked;
  if (!isAsked || !isUserListening(turn) || !/[?？؟][\s*_"'”’)»]*$/.test(text)) return null;
  return step.number < lastStep(turn, limits) ? text : null;
}

/** How a step with all its results ends the turn, or null to continue. */
export function stepOutcome(step: Step): TurnOutcome | null {
  for (const call of step.calls) {
    if (call.state !== 'finished' || call.result.failed) continue;
    const { details } = call.result;
    if (details?.kind === 'done') {
      const { outcome, summary, spoken = '' } = details;
      return { kind: 'completed', outcome, summary, ...(spoken ? { spoken } : {}) };
    }
  }
  const detail = step.detail === null ? {} : { detail: step.detail };
  switch (step.stop) {
    // This also ends a step with calls: the step is not sent back, so another request would be the
    // same.
    case 'refused':
      return { kind: 'failed', failure: failure('refused', detail) };
    case 'window':
      return { kind: 'failed', failure: failure('too-long', detail) };
    case 'paused':
      return null;
    case 'length':
      return step.calls.length > 0 ? null : { kind: 'limited', reason: 'output' };
    case 'end':
      if (answerTo(step) !== null) return null;
      return step.calls.length > 0 ? null : { kind: 'completed' };
    default:
      return step.calls.length > 0 ? null : { kind: 'completed' };
  }
}

export async function endTurn(context: EndingContext, ending: TurnOutcome): Promise<TurnEnd> {
  const { id } = context.turn();
  const isExpired = ending.kind === 'limited' && ending.reason === 'no-answer';
  const resolution = { kind: isExpired ? 'expired' : 'closed' } as const;
  for (const { id: interaction } of openInteractions(context.turn())) {
    await context.record({ type: 'interaction-end', turn: id, interaction, resolution });
  }
  for (const call of allCalls(context.turn())) {
    if (call.state !== 'finished') {
      const byUser = ending.kind === 'stopped' && !ending.by;
      const result: CallResult = {
        text: `Not run: ${whyNotRun(ending)}`,
        failed: true,
        details: byUser ? { kind: 'stopped' } : { kind: 'failed', why: 'limit' },
      };
      await context.record({ type: 'call-end', turn: id, call: call.id, result });
    }
  }
  const turn = context.turn();
  const end = endOf(turn, ending, context.retries?.(turn, ending) ?? null);
  await context.record(
    { type: 'turn-end', turn: id, end, usage: turnUsage(turn) },
    { flush: true },
  );
  return end;
}

function whyNotRun(ending: TurnOutcome): string {
  switch (ending.kind) {
    case 'stopped':
      return ending.by ? STOPPED_TEXT[ending.by] : 'the user stopped the turn.';
    case 'limited':
      return ending.reason === 'no-answer'
        ? 'the user did not answer in time.'
        : 'the turn reached its limit.';
    default:
      return 'the turn ended first.';
  }
}

function endOf(turn: Turn, ending: TurnOutcome, retry: AutomaticRetry | null): TurnEnd {
  switch (ending.kind) {
    case 'completed': {
      const reply =
        withoutSourceMarks(ending.summary ?? '').trim() ||
        finalText(turn) ||
        (saidSomething(turn) ? '' : changeSummary(turn));
      if (reply || saidSomething(turn)) {
        const spoken = ending.spoken ? { spoken: ending.spoken } : {};
        return { kind: 'completed', outcome: ending.outcome ?? 'done', reply, ...spoken };
      }
      return {
        kind: 'completed',
        outcome: 'not_done',
        reply: t.emptyAnswer(turn.model),
      };
    }
    case 'stopped': {
      const { by, note = '' } = ending;
      const words = by ? t.stoppedBecause(STOPPED_TEXT[by]) : t.stopped;
      const reply = joined(words, note, changeSummary(turn));
      return { kind: 'stopped', ...(by ? { by } : {}), ...(note ? { note } : {}), reply };
    }
    case 'limited':
      return {
        kind: 'limited',
        reason: ending.reason,
        reply: joined(limitWords(ending), changeSummary(turn), nothingChanged(turn)),
      };
    case 'failed':
      return {
        kind: 'failed',
        failure: ending.failure,
        ...(retry ? { retry } : {}),
        reply: joined(failureWords(ending.failure, retry), changeSummary(turn)),
      };
  }
}

/** If Parley retries by itself, the text must not ask the user to try again. */
function failureWords({ sentence, next }: Failure, retry: AutomaticRetry | null): string {
  if (retry === null) return `${sentence} ${next}`;
  return `${sentence} ${t.retryText(retry)}`;
}

export const STOPPED_TEXT: Record<StoppedBy, string> = {
  client: t.stoppedByClient,
  closing: t.stoppedByClosing,
};

function limitWords({ reason, dollars }: Extract<TurnOutcome, { kind: 'limited' }>): string {
  return dollars === undefined ? LIMIT_SENTENCES[reason] : t.dayCostLimit(dollars);
}

const LIMIT_SENTENCES: Record<LimitReason, string> = {
  steps: t.stepLimit,
  tokens: t.tokenLimit,
  'turn-money': t.turnCostLimit,
  'day-money': t.dayLimit,
  stuck: t.repeatedCall,
  'no-answer': t.noAnswerInTime,
  output: t.answerTooLong,
};

/** The text of the last step, with the paused steps that it continues. */
function finalText(turn: Turn): string {
  const steps = validSteps(turn);
  const before = steps.slice(0, -1).findLastIndex(({ stop }) => stop !== 'paused');
  return steps
    .slice(before + 1)
    .map(stepText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function saidSomething(turn: Turn): boolean {
  return allCalls(turn).some(
    (call) => call.state === 'finished' && call.result.details?.kind === 'message',
  );
}

function nothingChanged(turn: Turn): string {
  return changeSummary(turn) ? '' : t.nothingChanged;
}

function joined(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
