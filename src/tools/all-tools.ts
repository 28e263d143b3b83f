/** Every tool that comes with Parley, agent by agent. */
import { editFile } from './editor/edit-file';
import { writeFile } from './editor/write-file';
import { listFiles } from './librarian/list-files';
import { searchFiles } from './librarian/search-files';
import { createFolder } from './manager/create-folder';
import { deleteFile } from './manager/delete';
import { move } from './manager/move';
import { getFileInfo } from './reader/get-file-info';
import { readFile } from './reader/read-file';
import { askUser } from './talk/ask-user';
import { done } from './talk/done';
import { endConversation } from './talk/end-conversation';
import { getConversation } from './talk/get-conversation';
import { plan } from './talk/plan';
import { sendMessage } from './talk/send-message';
import type { AnyTool } from './tool';

export const ALL_TOOLS: readonly AnyTool[] = [
  readFile,
  getFileInfo,
  writeFile,
  editFile,
  listFiles,
  searchFiles,
  createFolder,
  move,
  deleteFile,
  plan,
  sendMessage,
  askUser,
  getConversation,
  done,
  endConversation,
];
