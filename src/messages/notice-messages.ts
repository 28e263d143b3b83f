/** Notices that Parley shows by itself. */
import { counted } from './plural';

export const importFailed = (name: string, error: string) =>
  `${name} could not be saved in the vault. (${error})`;
export const importGone = (path: string) => `${path} is no longer in your vault.`;
export const importKept = (path: string) =>
  `${path} stays in your vault because a note links to it.`;
/** By where Obsidian's setting sends deleted files. */
export const IMPORT_DISCARDED = {
  vault: (path: string) => `Moved ${path} to the .trash folder of the vault`,
  system: (path: string) => `Moved ${path} to the system trash`,
  nowhere: (path: string) => `Deleted ${path} permanently`,
} as const;
export const importNotDiscarded = (path: string, error: string) =>
  `${path} could not be deleted. (${error})`;
export const linkToNothing = (link: string) => `There is no note “${link}”.`;
export const openNoteFirst = 'First open the note you want to insert into.';
export const inReadingView = (note: string) =>
  `“${note}” is in reading view. Switch it to editing view first.`;
export const editAtCursor = (note: string) =>
  `Inserting here would break the edit at the cursor in “${note}”.`;
export const noteNotCreated = (error: string) => `The note could not be created. (${error})`;
/** @param name of the error */
export const partNotShown = (name: string) => `A part of Parley could not be displayed (${name}).`;
export const pendingEditsUnreadable = (error: string) =>
  `Edits to review could not be found. (${error})`;
export const recoveryFailed = (error: string) =>
  `Interrupted changes could not be checked. (${error})`;
export const deliveredIdsUnreadable = (error: string) =>
  `The list of voice requests already received could not be read. (${error})`;
export const openCallsNotEnded = (error: string) =>
  `Open calls from MCP clients could not be ended. (${error})`;
export const draftNotSaved = (error: string) => `Your draft could not be saved. (${error})`;
export const nothingReadable = (path: string) =>
  `Nothing in ${path} could be read. The file was kept as it is.`;
export const linesLeftOut = (path: string, count: number) =>
  `${linesOf(path, count)} could not be read and left out. The file was kept as it is.`;
export const indexRebuilt = (path: string, count: number) =>
  `${linesOf(path, count)} could not be read. The list was rebuilt from the conversations, and the damaged file was kept as ${path}.damaged.`;
export const marksLeftOut = (path: string, count: number) =>
  `${linesOf(path, count)} could not be read: a deletion, or a title, pin or archive of another device’s conversation, may be missing. The file was kept as it is.`;
export const fileUnreadable = (path: string, error: string) =>
  `${path} could not be read. Check that it is not locked by another program, then open it again. (${error})`;
export const fileOfNewerVersion = (path: string) =>
  `${path} was written by a newer version of Parley. It was left as is. Update Parley here to read it.`;
export const marksUnreadable = (path: string, error: string) =>
  `${path} could not be read. Until it can be, deleted chats may be listed again. (${error})`;
export const lastChatUnreadable = (error: string) =>
  `The last chat could not be read and was left as is. (${error})`;
export const runsElsewhere =
  'Parley is already running on this vault in another window or process. Requests made here are saved and will run when that one closes.';
export const leaseUnreadable =
  'Parley cannot read right now whether it runs on this vault in another window. Requests made here are saved and will run as soon as it can.';
export const cannotLead = (error: string) => `Parley could not continue here. (${error})`;
export const takenOver =
  'Another window has taken over this vault’s requests. Reload this one to continue here.';
export const requestUnreadable = (name: string) =>
  `A saved request could not be read and was left where it is: .smarthole/inbox/${name}`;
export const requestsUnreadable = (sentence: string, step: string, detail: string) =>
  `The saved requests could not be read. ${sentence} ${step} (${detail})`;
/** @param problem ends with the next step */
export const requestKept = (problem: string, detail: string) =>
  `${problem} The request stays in the inbox.${inBrackets(detail)}`;
export const requestRetried = (sentence: string, detail: string) =>
  `${sentence} The request stays in the inbox. Parley will retry it in a minute, then less often.${inBrackets(detail)}`;
const inBrackets = (detail: string) => (detail === '' ? '' : ` (${detail})`);
export const notificationNotSaved = (sentence: string) =>
  `A notification could not be saved. ${sentence}`;
export const decidesNothing = (words: string) =>
  `Heard “${words}”, which decides nothing here. The notification names the words that do.`;
export const saidTooSoon = (words: string) =>
  `Heard “${words}” too soon after it was asked, or after another decision, to count. Say it again in a few seconds.`;
export const voiceDecidesNothing = (words: string) =>
  `Heard “${words}”. Voice decisions are off on this device, so decide here.`;
export const decideHere = (words: string) =>
  `Heard “${words}”, which decides nothing here. Decide in this chat.`;
export const replyIsAlone = 'A reply to an edit waits for its own turn.';
export const noSuchRequest =
  'This request is no longer in the inbox: the agent already has it, or it was removed.';
export const nothingFailed = 'No request has failed.';
export const notFailed = 'Only a failed request can be retried.';
export const otherDevicesRequest =
  'This request was made on another device. Retry or discard it there.';
/** @param isKnown whether it is known what each interrupted call has done */
export const continuedAfterRestart = (isKnown: boolean) =>
  isKnown ? 'Continued after a restart. Nothing was done twice.' : 'Continued after a restart.';
export const costUnknown = (model: string) =>
  `Cost limits don’t apply here: the price of ${model} is unknown.`;

function linesOf(path: string, count: number): string {
  return `${counted(count, 'line')} of ${path}`;
}
