/** A request's status in words for the user. */
import { causeOf } from '#messages/failures';
import * as t from '#messages/queue-messages';
import type { QueuedRequest } from '#model/request';
import type { EntryState } from '#stores/queue-state';
import { formatMoment } from '../shared/dates';

const STATES: Record<EntryState, readonly [words: string, icon: string]> = {
  unsigned: [t.unsigned, 'file-question'],
  queued: [t.queued, 'clock'],
  running: [t.running, 'loader'],
  waiting: [t.needsInput, 'message-circle-question'],
  paused: [t.paused, 'circle-pause'],
  stuck: [t.notSaved, 'circle-alert'],
  failed: [t.failed, 'circle-alert'],
  foreign: [t.otherDevice, 'monitor-smartphone'],
};

export function requestIcon(state: EntryState): string {
  return STATES[state][1];
}

/** @param now milliseconds since 1970 */
export function requestText(queued: QueuedRequest, state: EntryState, now: number): string {
  if (state !== 'failed' || queued.state !== 'failed') return STATES[state][0];
  const { kind, sentence, next } = queued.failure;
  const cause = causeOf(queued.failure);
  if (queued.nextTry === null) {
    return kind === 'network' ? t.retryingOnline(cause) : t.failedBecause(sentence, next);
  }
  return t.retryingAt(cause, formatMoment(queued.nextTry, now));
}

/** For example "1 failed, 2 queued", worst first. */
export function inboxSummary(states: readonly EntryState[]): string {
  const count = (...kinds: EntryState[]) => states.filter((state) => kinds.includes(state)).length;
  const parts = [
    [count('failed', 'stuck'), t.failedRequests],
    [count('waiting'), t.requestsNeedingInput],
    [count('paused'), t.pausedRequests],
    [count('running'), t.runningRequests],
    [count('queued'), t.queuedRequests],
    [count('foreign'), t.otherDeviceRequests],
  ] as const;
  return parts.flatMap(([number, text]) => (number > 0 ? [text(number)] : [])).join(', ');
}
