/** All tools that come with Parley, grouped by agent. */
import { addTags } from './editor/add-tags';
import { applyTemplate } from './editor/apply-template';
import { editFile } from './editor/edit-file';
import { linkNotes } from './editor/link-notes';
import { redirectLinksTool } from './editor/redirect-links';
import { renameTag } from './editor/rename-tag';
import { replaceInNotes } from './editor/replace-in-notes';
import { updateProperties } from './editor/update-properties';
import { updateTasks } from './editor/update-tasks';
import { writeFile } from './editor/write-file';
import { exploreStructure } from './librarian/explore-structure';
import { findDeadLinks } from './librarian/find-dead-links';
import { getLinks } from './librarian/get-links';
import { listFiles } from './librarian/list-files';
import { listTags } from './librarian/list-tags';
import { queryNotes } from './librarian/query-notes';
import { searchFiles } from './librarian/search-files';
import { searchVault } from './librarian/search-vault';
import { copy } from './manager/copy';
import { copyNotes } from './manager/copy-notes';
import { createFolder } from './manager/create-folder';
import { deleteFile } from './manager/delete';
import { executeCommand } from './manager/execute-command';
import { move } from './manager/move';
import { openNote } from './manager/open-note';
import { getContext } from './reader/get-context';
import { getFileInfo } from './reader/get-file-info';
import { getProperties } from './reader/get-properties';
import { readFile } from './reader/read-file';
import { askUser } from './chat/ask-user';
import { done } from './chat/done';
import { endConversation } from './chat/end-conversation';
import { getChanges } from './chat/get-changes';
import { getConversation } from './chat/get-conversation';
import { plan } from './chat/plan';
import { sendMessage } from './chat/send-message';
import { undoOwnChanges } from './chat/undo-changes';
import { readWebpage } from './web/read-webpage';
import { webSearch } from './web/web-search';
import type { AnyTool } from './tool';

export const ALL_TOOLS: readonly AnyTool[] = [
  readFile,
  getFileInfo,
  getProperties,
  getContext,
  writeFile,
  editFile,
  replaceInNotes,
  updateTasks,
  updateProperties,
  addTags,
  renameTag,
  linkNotes,
  redirectLinksTool,
  applyTemplate,
  listFiles,
  searchFiles,
  searchVault,
  queryNotes,
  listTags,
  getLinks,
  findDeadLinks,
  exploreStructure,
  createFolder,
  move,
  copy,
  deleteFile,
  copyNotes,
  openNote,
  executeCommand,
  webSearch,
  readWebpage,
  plan,
  sendMessage,
  askUser,
  getConversation,
  getChanges,
  undoOwnChanges,
  done,
  endConversation,
];
