/** Status of queued requests. */
import { counted, number } from './plural';

export const retry = 'Retry';
export const retryAll = 'Retry all failed';
export const discard = 'Discard';
export const show = 'Show';
export const inbox = 'Inbox';
export const queued = 'Queued';
export const unsigned = 'This request came with the vault. Run it?';
export const openFirst = 'Show all of it first.';
export const unsignedRequests = 'Requests that came with the vault';
export const attachedTo = (names: string) => `With ${names}`;
export const run = 'Run';
export const remove = 'Remove';
export const running = 'Running';
export const needsInput = 'Needs your input';
export const paused = 'Paused';
export const notSaved = 'Could not be saved';
export const failed = 'Failed';
export const otherDevice = 'On another device';
export const failedBecause = (sentence: string, next: string) => `Failed: ${sentence} ${next}`;
export const retryingOnline = (cause: string) => `Failed: ${cause} Retrying when you are online.`;
export const retryingAt = (cause: string, time: string) => `Failed: ${cause} Retrying at ${time}.`;

export const failedRequests = (count: number) => `${number(count)} failed`;
export const requestsNeedingInput = (count: number) =>
  counted(count, 'needs your input', 'need your input');
export const pausedRequests = (count: number) => `${number(count)} paused`;
export const runningRequests = (count: number) => `${number(count)} running`;
export const queuedRequests = (count: number) => `${number(count)} queued`;
export const otherDeviceRequests = (count: number) => `${number(count)} on another device`;
export const tooManyRequests = 'Too many requests are waiting. Discard some in the inbox.';
export const requestsTooLarge =
  'The waiting requests are too large together. Discard some in the inbox.';
export const spokenRefused = (words: string, why: string) =>
  `A spoken request was refused: “${words}”. ${why}`;
export const spokenNotSaved = (words: string, why: string) =>
  `A spoken request could not be saved and was refused: "${words}". ${why}`;
