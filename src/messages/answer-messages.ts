/** Text around an answer: toolbar, approvals, questions, endings, corrections to remember. */
import type { PassageCheck } from '#model/passage-check';
import type { RequestSource } from '#model/request';
import { counted } from './plural';

export const askAgain = 'Regenerate';
export const insertAtCursor = 'Insert at cursor';
export const appendToNote = 'Append to current note';
export const createNote = 'New note';
export const saveTo = 'Save to…';
export const info = 'Model and cost';
export const approval = 'Approval';
export const allArguments = (names: readonly string[]) => `Arguments: ${names.join(', ')}`;
export const readApprovalFirst = 'Open everything that is folded above before you allow it.';
export const allowOnce = 'Allow once';
export const alwaysAllow = 'Always allow';
export const deny = 'Deny';
export const delete_ = 'Delete';
export const keep = 'Keep';
export const sources = 'Sources';
/** @param place the note, and the heading above the passage */
export const sourceName = (number: string, place: string, isOutdated: boolean) =>
  `Source ${number}: ${place}${isOutdated ? ', changed since' : ''}`;
export const sourceCount = (count: number) => counted(count, 'source');
export const wrongMarks = (count: number) =>
  `${counted(count, 'mark')} named nothing and ${count === 1 ? 'was' : 'were'} removed`;
export const alsoRead = 'Also read';
export const checkAnswer = 'Check this answer';
const allUnchanged = (count: number) =>
  count === 1 ? 'The source is unchanged' : `All ${count} sources are unchanged`;
/** What was found about some sources, the most important first. */
const CHECK_COUNTS: Record<PassageCheck['kind'], (count: number) => string> = {
  changed: (count) => `${count} changed`,
  gone: (count) => `${count} gone`,
  moved: (count) => `${count} moved`,
  hidden: (count) => `${count} excluded`,
  unreadable: (count) => `${count} unreadable`,
  unchanged: (count) => `${count} unchanged`,
  outside: (count) => `${count} not checked`,
};
export function checkSummary(checks: readonly PassageCheck[]): string {
  if (checks.every(({ kind }) => kind === 'unchanged')) return allUnchanged(checks.length);
  const counts = Object.entries(CHECK_COUNTS).flatMap(([kind, text]) => {
    const { length } = checks.filter((each) => each.kind === kind);
    return length === 0 ? [] : text(length);
  });
  return counts.join(', ');
}
/** What was found about one source, for a sentence of its own. */
export function checkText(check: PassageCheck, { path }: { readonly path: string }): string {
  switch (check.kind) {
    case 'unchanged':
      return 'Unchanged';
    case 'moved':
      return check.path === path
        ? `Moved to line ${check.first}`
        : `Moved to ${check.path}, line ${check.first}`;
    case 'changed':
      return 'Changed since';
    case 'gone':
      return check.path === null ? 'The note is gone' : 'No longer in the note';
    case 'hidden':
      return 'The note is excluded now';
    case 'unreadable':
      return 'The note can’t be read';
    case 'outside':
      return 'Only notes are checked';
  }
}
/** Title of the sources of answers that are saved in a note. */
export const sourcesOf = (note: string) => `Sources of “${note}”`;
export const checkingSources = 'Checking the sources…';
export const noSourcesToCheck = 'This note has no sources to check.';
/** @param when the note, as the agent read it, was last edited */
export const editedAt = (when: string) => `Edited ${when}`;
export const readAt = (when: string) => `Read ${when}`;
export const more = (count: number) => `${count} more`;
export const openNoteIs = 'You were in';
export const noNote = 'No note was open';
export const openNoteExplained =
  'You opened another note. Your messages tell the agent which note is open; its text is sent only if you attach it.';
export const waitingForYou = 'Waiting for you';
export const modesTitle = 'Ask before editing?';
export const reviewExplained =
  'Edits wait for you. Moves, properties and tags are made at once; you can undo them.';
export const applyExplained =
  'Edits are made at once; you can undo them. Only text that may run code or load from elsewhere waits for you.';
export const readOnlyExplained = 'Nothing is edited.';
export const modeHint = 'For this chat and new ones. Change it below the message field.';
export const switchAndRetry = 'Switch to Review and retry';
export const redirectedFrom = (addresses: readonly string[]) =>
  `Redirected from ${addresses.join(', then ')}`;
export const question = 'Question';
export const attached = 'Attached';
export const tokens = (count: string) => `${count} tokens`;
export const whatWasSent = 'What was sent';
/** How a request was made. */
export const SOURCES: Record<RequestSource, string> = {
  typed: 'Typed',
  voice: 'Voice',
  text: 'SmartHole text',
  mcp: 'MCP client',
};
/** What the user can do about the end of a turn. */
export const NEXT_STEPS = {
  /** Of the request in the inbox. */
  retry: 'Retry',
  /** In a fork, as Regenerate does. */
  'try-again': 'Try again',
  continue: 'Continue',
  'continue-once': 'Continue once',
  reword: 'Edit message',
  'new-chat': 'New chat with a summary',
  'add-credit': 'Add credit',
  'copy-details': 'Copy details',
  key: 'Open settings',
  model: 'Open settings',
  endpoint: 'Open settings',
  'day-limit': 'Raise it',
} as const;
export const detail = 'Details';
export const detailsCopied = 'Details copied';
/** @param time for example "7:37 PM" */
export const triedAgain = (time: string) => `Tried again at ${time}`;
export const tryingAgain = (request: string) => `Trying again: ${request}`;
export const cutOff = 'The response was cut off here';
export const includedFromHere = 'Included from here on';
export const waitsElsewhere = 'Waiting for an answer on another device';
export const pausing = 'Pausing after the current step.';
export const paused = 'Paused';
export const appAt = (when: string) => `MCP client, ${when}`;
export const youAt = (when: string) => `You, ${when}`;
/** What a button copies. */
export const answerText = 'answer';
export const notesText = 'notes';
export const copyCode = 'Copy code';
export const copyTable = 'Copy table';
export const back = 'Back';
export const done = 'Done';
export const toDo = 'To do';
export const earlierSummarized = 'Earlier messages summarized';

/** Text of the suggestion to remember a correction. */
export const remember = 'Remember';
export const rememberThis = 'Remember this for next time?';
export const notNow = 'Not now';
export const added = 'Added to your instructions for new chats:';
export const seeInSettings = 'View in settings';
export const replaceRule = (to: string, from: string) => `Write “${to}” rather than “${from}”.`;
export const omitRule = (from: string) => `Leave out “${from}”.`;
export const addRule = (to: string) => `Add “${to}”.`;
