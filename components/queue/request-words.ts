/** The status of requests and chats, in words and icons. */
import * as t from '#messages/queue-messages';
import type { QueuedRequest } from '#model/request';
import type { ChatStatus } from '#stores/conversations-state';
import type { EntryState } from '#stores/queue-state';
import { formatMoment } from '../shared/dates';

const STATES: Record<
  EntryState,
  { readonly words: string; readonly icon: string; readonly counted: t.CountedState | null }
> = {
  unsigned: { words: t.unsigned, icon: 'file-question', counted: null },
  queued: { words: t.queued, icon: 'clock', counted: 'queued' },
  claimed: { words: t.working, icon: 'loader', counted: null },
  stuck: { words: t.notSaved, icon: 'circle-alert', counted: 'failed' },
  failed: { words: t.failed, icon: 'circle-alert', counted: 'failed' },
  foreign: { words: t.otherDevice, icon: 'monitor-smartphone', counted: 'foreign' },
};

const CHAT_ICONS: Record<ChatStatus, string> = {
  running: 'loader',
  waiting: 'message-circle-question',
  paused: 'circle-pause',
  finished: 'circle-check',
};

export function chatIcon(status: ChatStatus | null) {
  return { icon: CHAT_ICONS[status ?? 'finished'], tone: undefined };
}

export function requestIcon(state: EntryState): string {
  return STATES[state].icon;
}

/** @param now milliseconds since 1970 */
export function requestText(queued: QueuedRequest, state: EntryState, now: number): string {
  if (state !== 'failed' || queued.state !== 'failed') return STATES[state].words;
  const { kind, sentence, next } = queued.failure;
  if (queued.nextTry === null) {
    const isRetriedOnline = kind === 'network' && queued.retriesStopped === undefined;
    return isRetriedOnline ? t.retryingOnline(sentence) : t.failedBecause(sentence, next);
  }
  return t.retryingAt(sentence, formatMoment(queued.nextTry, now));
}

/** For example "2 working, 1 needs you, 1 queued". */
export function inboxSummary(
  chats: readonly (ChatStatus | null)[],
  requests: readonly EntryState[],
): string {
  const states = [...chats, ...requests.map((state) => STATES[state].counted)];
  return t.stateCounts(states.filter((state) => state !== null));
}
