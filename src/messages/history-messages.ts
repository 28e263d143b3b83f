/** Text of past chats: list, search, filters, export. */
import type { TurnState } from '#model/conversation';
import type { RequestSource } from '#model/request';
import { counted } from './plural';

export const running = 'Running';
export const needsInput = 'Needs input';
export const finished = 'Finished, not seen yet';
export const paused = 'Paused';
export const notesChanged = (count: number) => counted(count, 'note changed', 'notes changed');
export const changesUndone = 'Changes undone';
export const anotherAnswer = 'Another answer';
export const otherDevice = 'From another device';
export const archived = 'Archived';
export const pinned = 'Pinned';
export const restore = 'Restore';
export const moreAbout = (title: string) => `More actions for ${title}`;
export const you = 'You';
export const parley = 'Parley';
export const summary = 'Summary';
export const moreInChat = (count: number) => `${count} more in this chat`;
export const editAndAskAgain = 'Edit and ask again';
export const yourMessage = 'Your message';
export const send = 'Send';
export const cancel = 'Cancel';
export const answers = 'Answers to this message';
export const earlierAnswer = 'Earlier answer';
export const answerPosition = (at: number, count: number) => `${at} of ${count}`;
export const laterAnswer = 'Later answer';
export const searching = 'Searching…';
export const noResults = 'No results';
export const stillSearching = ', searching…';
export const maybeMore = ', maybe more';
/** @param more for example ", searching…" */
export const resultCount = (matches: number, chats: number, more: string) =>
  `${counted(matches, 'match', 'matches')} in ${chatCount(chats)}${more}`;
export const deleteClosed = 'Delete closed chats';
export const pastChats = 'Past chats';
export const searchChats = 'Search all chats';
export const filtersInUse = (count: number) => `Filters, ${count} in use`;
export const filters = 'Filters';
export const moreActions = 'More actions for all chats';
export const showAll = 'Show all';
export const noMatchingChats = 'No matching chats';
export const noChats = 'No chats yet. What you ask Parley is kept here.';
export const startChat = 'Start a chat';
export const showAllChats = 'Show all chats';
export const clearSearch = 'Clear search';
export const deletedChats = (count: number) => `${chatCount(count)} deleted today`;
export const stateEdits = 'Edits to review';
export const deletedToday = 'Deleted today';
export const anyState = 'Any status';
export const anySource = 'Any source';
export const anyTool = 'Any tool';
export const anyNote = 'Any note';
export const changedNote = 'Changed note';
export const title = 'Title';
/** What a button copies. */
export const messageText = 'message';
export const chatCount = (count: number) => counted(count, 'chat');
export const deleted = (what: string) => `Deleted ${what}.`;
export const undo = 'Undo';
export const undoOrKeep = 'Undo or keep changes';
export const undoAndRegenerate = 'Undo changes and regenerate';
export const keepAndRegenerate = 'Keep changes';
export const undoIncomplete = 'Some changes could not be undone. The earlier answer shows which.';
export const rename = 'Rename';
export const unpin = 'Unpin';
export const pin = 'Pin';
export const unarchive = 'Unarchive';
export const archive = 'Archive';
export const exportToNote = 'Export to note';
export const delete_ = 'Delete';
/** @param changes for example "1 note changed, +3" */
export const earlierChanges = (changes: string, isLast: boolean) =>
  isLast
    ? `The earlier answer changed notes: ${changes}. Undo these changes first?`
    : `The answers after this message changed notes: ${changes}. Undo these changes first?`;
export const noChatToExport = 'There is no chat to export.';
export const exportFailed = 'The note could not be written.';
export const chatUnreadable = 'The chat could not be read.';
export const exportAdvice = (detail: string) =>
  `${exportFailed} Check that the disk is not full and that Obsidian can write to the folder. (${detail})`;

/** Names, headings and labels of exported chats. */
export const exportFolder = (date: string) => `Conversations ${date}`;
/** For a title that cannot be a file name by itself. */
export const exportName = (title: string) => `Conversation ${title}`;
export const exportFallbackName = 'Chat';
export const exportQuestion = 'Question';
export const exportAnswer = 'Your answer';
export const exportSummary = 'Summary';
const askedBy: Record<RequestSource, string> = {
  typed: 'You',
  voice: 'You, by voice',
  text: 'You, by SmartHole',
  mcp: 'A program',
};
export const askedAt = (source: RequestSource, time: string) => `${askedBy[source]}, ${time}`;
export const answeredBy = (model: string) => `Parley${model === '' ? '' : `, ${model}`}`;
export const notOver = (state: TurnState) => `Not over: ${state}`;
export const exportSteps = (count: number) => counted(count, 'step');
