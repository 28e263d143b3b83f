/** Answers to commands that need no model, for a listener: the result first, in plain words. */
import { counted, number } from './plural';

export const request = (text: string) => `“${text}”`;
export const undone = (notes: string) => `Undone in ${notes}.`;
export const undoneFor = (notes: string, request: string) => `Undone: ${request}, in ${notes}.`;
export const notUndone = (note: string, why: string) => `Not undone in ${note}: ${why}`;
export const nothingUndone = (why: string) => `Nothing was undone. ${why}`;
export const nothingToUndo = 'Nothing to undo: no note was changed in the last 24 hours.';
export const nothingToUndoHere = 'Nothing to undo: no note was changed in this chat.';
export const stillWorking = (request: string) =>
  `Not undone yet: still working on ${request}. Stop it first, then undo.`;
export const notBegun = (request: string) => `Nothing to undo: ${request} has not begun yet.`;
export const changedNothingYet = (request: string) =>
  `Nothing to undo: still working on ${request}, which has changed nothing yet. Stop it first.`;
export const changedNothingSoFar = (request: string) =>
  `Nothing to undo: ${request} has changed nothing yet.`;
export const changedNothing = (request: string) => `Nothing to undo: ${request} changed nothing.`;
export const lastChange = (change: string) =>
  `The last change: ${change} Say “undo the last change” to undo it.`;
export const nothingRecent = (change: string) =>
  `Nothing to undo from the last ten minutes. ${lastChange(change)}`;
export const nothingChanged = 'No note was changed in the last 24 hours.';
export const nothingChangedHere = 'No note was changed in this chat.';
export const workingOn = (request: string) => `Working on ${request}.`;
/** @param changes a sentence without its period */
export const changedFor = (changes: string, request: string) => `${changes}, for ${request}`;
export const undoneSince = (changes: string) => `${changes}, and undone since`;
export const before = (changes: string) => `Before that: ${changes}`;
export const answered = (request: string) => `Answered ${request}; no note was changed.`;
export const ended = (state: string, request: string, answer: string) =>
  `${state}: ${request}. ${answer}`;
/** How a request ended that changed nothing. */
export const nothingFor = (how: string, request: string) =>
  `No note was changed: ${request} ${how}.`;
export const wasStopped = 'was stopped';
export const gotNoAnswer = 'got no answer in time';
export const reachedLimit = 'reached a limit first';
export const asks = (question: string, request: string | null) =>
  `A question${aboutRequest(request)}: ${question}`;
export const asksApproval = (title: string, request: string | null) =>
  `An approval${aboutRequest(request)}: ${title}`;
const aboutRequest = (request: string | null) => (request === null ? '' : ` about ${request}`);
export const paused = (request: string) => `Paused: ${request}.`;
export const queued = (count: number) => `${counted(count, 'request is', 'requests are')} queued.`;
/** @param cause within a sentence, such as "there is no internet connection" */
export const failed = (request: string, cause: string, then: string) =>
  `${request} failed because ${cause}. ${then}`.trim();
export const othersFailed = (count: number) => `${counted(count, 'other request')} failed, too.`;
export const nothingYet = (failure: string) => `Nothing yet: ${failure}`;
export const edits = (count: number) =>
  `${counted(count, 'note has', 'notes have')} edits to review.`;
export const noAnswerYet = 'There is no answer yet.';
export const noSources = 'The last answer names no source.';
export const sourceSays = (name: string, words: string) => `${name}: “${words}”`;
export const sourceChanged = (words: string) => `It has changed since. Now it says: “${words}”`;
export const sourceGone = 'It is no longer there.';
export const sourceHidden = 'A note that Parley may not read any more.';
export const moreSources = (count: number) => `And ${counted(count, 'other source')}.`;
export const nothingWaiting = 'Nothing is waiting, and nothing is running.';
export const stopped = (request: string) => `Stopped ${request}.`;
export const callsStopped = (count: number) =>
  `Stopped ${count === 1 ? 'a call' : `${count} calls`} of another program.`;
export const noLongerRetried = (requests: string) => `No longer retrying ${requests}.`;
export const remembered = (line: string) => `Saved to your instructions: ${line}`;
export const rememberOnScreen =
  'Voice decisions are off. Open the chat in Obsidian to save it to your instructions.';
export const nothingRunning = 'Nothing is running.';
export const neverBegan = 'It had not begun.';
export const newestQueued = (count: number) =>
  `It had not begun, and was the newest of ${count} queued requests.`;
export const continuing = (request: string) => `Continuing ${request}.`;
export const retrying = (request: string) => `Trying ${request} again.`;
export const chatIsOver = 'That chat has ended. Open it in Obsidian to continue it.';
export const nothingToContinue = 'Nothing is paused or unfinished.';
export const hiddenNote = 'a hidden note';
export const inOpenTurn = (words: string, answer: string) => `“${words}”: ${answer}`;

/** By command: how many tasks there are, and that there are none. */
export const due = {
  'due-today': { some: (count: number) => `${count} due today`, none: 'Nothing is due today.' },
  'due-tomorrow': {
    some: (count: number) => `${count} due tomorrow`,
    none: 'Nothing is due tomorrow.',
  },
  'due-this-week': {
    some: (count: number) => `${count} due by Sunday`,
    none: 'Nothing is due by Sunday.',
  },
  overdue: { some: (count: number) => `${count} overdue`, none: 'Nothing is overdue.' },
} as const;
export const inTodaysNote = (count: number) => `${count} without a date in today's note`;
export const more = (count: number) => `${number(count)} more`;
/** @param name the path of a note without its extension */
export const taskPlace = (name: string, line: number) => `[[${name}]], line ${number(line)}`;
export const onDay = (title: string, day: string) => `${title} ${day}`;
export const today = 'today';
export const tomorrow = 'tomorrow';
export const onWeekday = (weekday: string) => `on ${weekday}`;
