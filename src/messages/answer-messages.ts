/** Text around an answer: toolbar, approvals, questions, endings, corrections to remember. */
import type { RequestSource } from '#model/request';

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
export const notesRead = 'Notes read';
export const read = 'Read';
export const more = (count: number) => `${count} more`;
export const openNoteIs = 'Open note:';
export const noNote = 'none';
export const openNoteExplained =
  'You opened another note. Your messages tell the agent which note is open; its text is sent only if you attach it.';
export const waitingForYou = 'Waiting for you';
export const modesTitle = 'How should Parley change your notes?';
export const reviewExplained =
  'Text edits wait for your approval. Moves, folders, properties and tags change right away, and you can undo them.';
export const applyExplained =
  'Edits notes right away, and you can undo every change. Only text that may run code or load from elsewhere waits for you.';
export const readOnlyExplained = 'Never edits.';
export const currentMode = 'current';
export const modeHint = 'Sets this chat and new ones. You can switch below the message box.';
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
export const openSettings = 'Open settings';
export const continue_ = 'Continue';
export const retry = 'Retry';
export const detail = 'Details';
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
