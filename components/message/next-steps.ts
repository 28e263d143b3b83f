/** What the user can do about the end of a turn. */
import type { NEXT_STEPS } from '#messages/answer-messages';
import { isCommand, stepText, type Turn, validSteps } from '#model/conversation';
import type { LimitReason } from '#model/event';
import type { FailureKind } from '#model/failure';
import type { SettingsTarget } from '#ports/ui';

export type NextStep = keyof typeof NEXT_STEPS;

type SettingsStep = 'key' | 'model' | 'endpoint' | 'day-limit';

/** The setting that a step opens. */
export const STEP_SETTINGS: Readonly<Record<SettingsStep, SettingsTarget>> = {
  key: 'apiKeyName',
  model: 'model',
  endpoint: 'endpoint',
  'day-limit': 'moneyPerDay',
};

/** The most helpful step first. */
const AFTER_FAILURE: Readonly<Record<FailureKind, readonly NextStep[]>> = {
  key: ['key', 'retry'],
  permission: ['model', 'retry'],
  'unknown-model': ['model', 'retry'],
  billing: ['add-credit', 'retry'],
  'rate-limit': ['retry'],
  overloaded: ['retry'],
  network: ['retry'],
  endpoint: ['retry', 'endpoint'],
  server: ['retry'],
  cut: ['retry'],
  file: ['retry'],
  'disk-full': ['retry'],
  'too-long': ['new-chat', 'retry'],
  'invalid-request': ['new-chat', 'retry'],
  refused: ['reword', 'retry'],
  unexpected: ['retry', 'copy-details'],
};

const AFTER_LIMIT: Readonly<Record<LimitReason, readonly NextStep[]>> = {
  steps: ['continue'],
  tokens: ['continue'],
  'turn-money': ['continue'],
  stuck: ['continue'],
  output: ['continue'],
  'day-money': ['day-limit', 'continue-once'],
  // The question needs an answer rather than Continue.
  'no-answer': ['try-again'],
};

export interface Possible {
  /** Whether the turn is the last one of its chat, and no message is on its way to it. */
  readonly isLast: boolean;
  /** Whether its request is in the inbox as failed. */
  readonly retry: boolean;
  /** Whether it can be asked again in a fork. */
  readonly tryAgain: boolean;
  /** Whether the credit is bought from Anthropic. */
  readonly addCredit: boolean;
}

/** The steps that are possible, the most helpful first. */
export function nextSteps(turn: Turn, possible: Possible): NextStep[] {
  return stepsAfter(turn).flatMap((step): NextStep[] => {
    switch (step) {
      case 'retry':
        if (possible.retry) return ['retry'];
        return possible.isLast && possible.tryAgain ? ['try-again'] : [];
      case 'try-again':
        return possible.isLast && possible.tryAgain ? ['try-again'] : [];
      case 'add-credit':
        return possible.isLast && possible.addCredit ? ['add-credit'] : [];
      case 'copy-details':
        return ['copy-details'];
      default:
        return possible.isLast ? [step] : [];
    }
  });
}

function stepsAfter(turn: Turn): readonly NextStep[] {
  const { end, request } = turn;
  if (!end || request.source === 'mcp') return [];
  switch (end.kind) {
    case 'failed':
      return AFTER_FAILURE[end.failure.kind];
    case 'limited':
      return AFTER_LIMIT[end.reason];
    case 'stopped':
      return ['continue', 'try-again'];
    case 'completed':
      return !isCommand(turn) && isEmptyAnswer(turn) ? ['try-again'] : [];
  }
}

/** Whether the model ended without a word or a call. */
function isEmptyAnswer(turn: Turn): boolean {
  return validSteps(turn).every((step) => stepText(step) === '' && step.calls.length === 0);
}

/** The turn that retried the request of this one; null if there is none. */
export function retryOf(turn: Turn, place: number, turns: readonly Turn[]): Turn | null {
  if (turn.end?.kind !== 'failed') return null;
  const { requestId } = turn;
  return turns.find((each, at) => at > place && each.requestId === requestId) ?? null;
}

/** The turns between the request and this retry of it; null if it is no retry. */
export function turnsSinceRequest(
  { requestId, attempt }: Turn,
  place: number,
  turns: readonly Turn[],
): number | null {
  if (attempt === 1) return null;
  const before = turns.findLastIndex((each, at) => at < place && each.requestId === requestId);
  return before < 0 ? null : place - before - 1;
}
