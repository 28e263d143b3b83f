/** Status of queued requests. */
import { counted, number } from './plural';

export const retry = 'Retry';
export const retryAll = 'Retry all failed';
export const discard = 'Discard';
export const show = 'Show';
export const inbox = 'Inbox';
export const queued = 'Queued';
export const answer = 'Answer';
export const decide = 'Decide';
export const stopChat = (title: string) => `Stop “${title}”`;
export const dismissChat = (title: string) => `Dismiss “${title}”`;
export const dismissFinished = 'Dismiss finished';
export const paused = 'Paused';
export const working = 'Working';
export const unsigned = 'This request came with the vault. Run it?';
export const openFirst = 'Show all of it first.';
export const unsignedRequests = 'Requests that came with the vault';
export const attachedTo = (names: string) => `With ${names}`;
export const run = 'Run';
export const remove = 'Remove';
export const notSaved = 'Could not be saved';
export const failed = 'Failed';
export const otherDevice = 'On another device';
export const failedBecause = (sentence: string, next: string) => `Failed: ${sentence} ${next}`;
export const retryingOnline = (cause: string) => `Failed: ${cause} Trying again when you are back.`;
export const retryingAt = (cause: string, time: string) =>
  `Failed: ${cause} Trying again at ${time}.`;

/** What the inbox, the header and the status bar count. */
export type CountedState =
  'running' | 'waiting' | 'paused' | 'failed' | 'finished' | 'queued' | 'foreign';

const counts: Record<CountedState, (count: number) => string> = {
  running: (count) => `${number(count)} working`,
  waiting: (count) => counted(count, 'needs you', 'need you'),
  failed: (count) => `${number(count)} failed`,
  paused: (count) => `${number(count)} paused`,
  finished: (count) => `${number(count)} finished`,
  queued: (count) => `${number(count)} queued`,
  foreign: (count) => `${number(count)} on another device`,
};

/** For example "2 working, 1 needs you"; empty if there is nothing to count. */
export function stateCounts(states: readonly CountedState[]): string {
  const kinds = Object.keys(counts) as CountedState[];
  return kinds
    .flatMap((kind) => {
      const count = states.filter((state) => state === kind).length;
      return count > 0 ? [counts[kind](count)] : [];
    })
    .join(', ');
}
export const tooManyRequests = 'Too many requests are waiting. Discard some in the inbox.';
export const requestsTooLarge =
  'The waiting requests are too large together. Discard some in the inbox.';
export const spokenRefused = (words: string, why: string) =>
  `A spoken request was refused: “${words}”. ${why}`;
export const spokenNotSaved = (words: string, why: string) =>
  `A spoken request could not be saved and was refused: "${words}". ${why}`;
