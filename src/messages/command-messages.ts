/** Names of commands and views, and the status bar. */
export const chatView = 'Chat';
export const acceptAtCursor = 'Accept edit at cursor';
export const rejectAtCursor = 'Reject edit at cursor';
export const editAtCursor = 'Change edit at cursor';
export const replyAtCursor = 'Reply to this edit';
export const acceptAllInNote = 'Accept all edits in this note';
export const rejectAllInNote = 'Reject all edits in this note';
export const nextEdit = 'Go to next edit';
export const previousEdit = 'Go to previous edit';
export const showPendingEdits = 'Show all edits to review';
export const undoLastChange = 'Undo the last change to this note';
export const nothingToUndo = 'There is no change to undo in this note.';
export const openChat = 'Open chat';
export const newChat = 'New chat';
export const searchChats = 'Search all chats';
export const showRequests = 'Show other chats and requests';
export const retryFailed = 'Retry all failed requests';
export const showUsage = 'Show usage and cost';
export const showKeys = 'Show keyboard shortcuts';
export const pauseOrResume = 'Pause or resume';
export const changeMode = 'Change mode';
export const useReadOnly = 'Switch to Read only';
export const useReview = 'Switch to Review';
export const useApply = 'Switch to Apply';
export const changeModel = 'Change model';
export const focusMessage = 'Focus last message';
export const copyAnswer = 'Copy last answer';
export const insertAnswer = 'Insert last answer at cursor';
export const appendAnswer = 'Append last answer to current note';
export const createNoteFromAnswer = 'Create note from last answer';
export const regenerate = 'Regenerate last answer';
export const renameChat = 'Rename chat';
export const pinChat = 'Pin or unpin chat';
export const archiveChat = 'Archive chat';
export const exportChat = 'Export chat to note';
export const exportAllChats = 'Export all chats';
export const deleteChat = 'Delete chat';
export const attachNote = 'Attach this note to the chat';
export const showChatsOfNote = 'Show chats that changed this note';
export const showChangesOfNote = 'Show Parley’s changes to this note';
export const checkSources = 'Check the sources of this note';
export const showWritten = 'Show what Parley wrote';
export const showWhy = 'Show why Parley wrote this';
export const openChatInTab = 'Open another chat in a tab';
export const openChatInWindow = 'Open another chat in a window';
export const stop = 'Stop';
export const atWork: Readonly<
  Record<'waiting' | 'paused' | 'running' | 'done' | 'unfinished', string>
> = {
  waiting: 'Parley needs you',
  running: 'Parley is working',
  paused: 'Parley is paused',
  done: 'Parley is done',
  unfinished: 'Parley could not finish',
};
/** @param counts for example "2 working, 1 needs you"; empty for one chat */
export const openTheChat = (state: string, counts: string) =>
  `${counts === '' ? state : `${state}: ${counts}`}. Open the chat`;
/** @param state for example "Parley needs you" */
export const openChatBadge = (state: string) => `${openChat}. ${state}`;
