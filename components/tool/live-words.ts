/** What a running turn is doing, in words. */
import * as t from '#messages/tool-messages';
import { subjectOf, withoutObject } from '#messages/tool-words';
import type { Turn } from '#model/conversation';
import type { LiveWork } from '../message/turn-segments';
import { traceVerb, type TraceItem } from './step-words';

/** Milliseconds without a word from the model that are slower than usual. */
export const SLOW_MS = 20_000;

/** The share of the steps from which on the limit is shown. */
const NEAR_LIMIT = 0.8;

/** For example "Waiting for Claude". */
export function waitingWords({ model }: Pick<Turn, 'model'>): string {
  return t.waitingFor(/claude/i.test(model) ? 'Claude' : t.theModel);
}

/** For example "Reading Tomatoes", as plain text. */
export function liveText(turn: Turn, work: LiveWork): string {
  if (work.kind === 'writing') return t.writingNow;
  if (work.kind === 'waiting') return waitingWords(turn);
  return itemText(work.items[0]!);
}

function itemText(item: TraceItem): string {
  const call = item.kind === 'call' ? item.call : null;
  if (call?.state === 'running' && call.progress !== undefined) return call.progress;
  const { name } = call ? subjectOf(call.part) : { name: '' };
  return name === '' ? withoutObject(traceVerb(item)) : `${traceVerb(item)} ${name}`;
}

/** Whether the next word is the model's, so that it can be slow. */
export function isModelsTurn(work: LiveWork): boolean {
  return work.kind !== 'items' || work.items[0]?.kind !== 'call';
}

/** For example "21 of at most 25 steps"; '' while the limit is far. */
export function limitWords({ steps }: Turn): string {
  const step = steps.findLast(({ voided }) => voided === null);
  return step && step.number >= NEAR_LIMIT * step.of ? t.stepsUsed(step.number, step.of) : '';
}
