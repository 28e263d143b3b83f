/** A request's status in words for the user. */
import type { QueuedRequest } from '#model/request';
import type { EntryState } from '#stores/queue-state';
import { formatMoment } from '../shared/dates';
import { countOf } from '../shared/change-words';

const STATES: Record<EntryState, string> = {
  queued: 'Waits its turn',
  running: 'Is being answered',
  waiting: 'Waits for you',
  paused: 'Paused',
  failed: 'Failed',
  foreign: 'On another device',
};

const ICONS: Record<EntryState, string> = {
  queued: 'clock',
  running: 'loader',
  waiting: 'message-circle-question',
  paused: 'circle-pause',
  failed: 'circle-alert',
  foreign: 'monitor-smartphone',
};

export function requestIcon(state: EntryState): string {
  return ICONS[state];
}

/** @param now milliseconds since 1970 */
export function requestText(entry: QueuedRequest, state: EntryState, now: number): string {
  if (state !== 'failed' || entry.state !== 'failed') return STATES[state];
  const { sentence, next } = entry.failure;
  if (entry.nextTry === null) return `Failed: ${sentence} ${next}`;
  // Only what happened; advice to retry is useless while it retries by itself.
  const cause = sentence.replace(/(?<=\.) .*$/s, '');
  return `Failed: ${cause} Tries again at ${formatMoment(entry.nextTry, now)}.`;
}

/** For example "1 request failed, 2 waiting", worst first. */
export function inboxSummary(states: readonly EntryState[]): string {
  const count = (...kinds: EntryState[]) => states.filter((state) => kinds.includes(state)).length;
  const parts = [
    [count('failed'), 'failed'],
    [count('waiting'), 'waiting for you'],
    [count('paused'), 'paused'],
    [count('running'), 'being answered'],
    [count('queued'), 'waiting'],
    [count('foreign'), 'on another device'],
  ] as const;
  const some = parts.filter(([number]) => number > 0);
  return some
    .map(([number, words], at) =>
      at === 0 ? `${countOf(number, 'request')} ${words}` : `${number} ${words}`,
    )
    .join(', ');
}
