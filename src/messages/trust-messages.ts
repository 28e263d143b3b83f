/** Text about settings that another device has changed and that do not apply here yet. */
import type { EditableScope } from '#model/settings';
import { plural } from './plural';

export const heading = (count: number) =>
  plural(count, {
    one: 'A setting was changed outside this device. It doesn’t apply here until you accept it:',
    other:
      'Settings were changed outside this device. They don’t apply here until you accept them:',
  });
export const accept = 'Accept';
export const keepOwn = 'Keep this device’s settings';

export const endpoint = (address: string, key: string, own: string) =>
  `Requests, with text from your notes and the API key “${key}”, go to ${address} instead of ${own}.`;
export const embedding = (address: string, key: string) =>
  key === ''
    ? `The text of your notes goes to ${address} for semantic search.`
    : `The text of your notes and the key “${key}” go to ${address} for semantic search.`;
export const webSearch = (provider: string, key: string) =>
  key === ''
    ? `Web searches go to ${provider}.`
    : `Web searches and the key “${key}” go to ${provider}.`;
export const program = (name: string, command: string) =>
  `The MCP server “${name}” runs this program on your computer: ${command}`;
export const remoteServer = (name: string, address: string, token: string) =>
  token === ''
    ? `The agent uses the MCP server “${name}” at ${address}.`
    : `The agent uses the MCP server “${name}” at ${address}, with the token “${token}”.`;
export const serving = (isWriting: boolean) =>
  isWriting
    ? 'MCP clients on this computer can read and change your notes.'
    : 'MCP clients on this computer can read your notes.';
export const smartHole = (port: number) =>
  `Parley takes requests from SmartHole at port ${String(port)}.`;
export const toolAllowed = (tool: string) => `The tool “${tool}” runs without asking.`;
export const toolAsks = (tool: string) => `The tool “${tool}” is on, and asks first.`;
export const groupOn = (group: string) => `The tool group “${group}” is on.`;
export const command = (id: string) => `The agent may run the Obsidian command “${id}”.`;
export const folderShown = (folder: string) => `The folder “${folder}” is no longer hidden.`;
export const tagShown = (tag: string) => `Notes tagged #${tag} are no longer hidden.`;
const scopes: Record<EditableScope, string> = {
  current: 'the open note',
  linked: 'the open note and the notes it links to',
  context: 'attached notes',
  vault: 'all notes',
};
export const editable = (scope: EditableScope) => `The agent may edit ${scopes[scope]}.`;
export const linkedNotes = (depth: number) =>
  plural(depth, {
    one: 'Notes that attached notes link to are sent along.',
    other: 'Notes up to # links away from attached notes are sent along.',
  });
export const chatMode = (mode: string) => `New chats start in the mode ${mode}.`;
export const voiceMode = (mode: string) => `Voice requests run in the mode ${mode}.`;
export const canAdd = 'The agent may add to notes.';
export const canReplace = 'The agent may move, delete and replace.';
export const canCreate = 'The agent may create notes and folders.';
export const canNavigate = 'The agent may open notes and run allowed commands.';
export const serverOn = (name: string) => `The MCP server “${name}” is on.`;
export const templates = (folder: string) => `Templates come from the folder “${folder}”.`;
export const defaultTemplates = 'Templates come from the folder of the Templates core plugin.';
export const customTools = (folder: string) =>
  `Notes in the folder “${folder}” are tools of the agent.`;
export const prompts = (folder: string) => `Prompts come from the folder “${folder}”.`;
export const names = (name: string, wakeWord: string) =>
  wakeWord === ''
    ? `The assistant’s name is “${name}”.`
    : `The assistant’s name is “${name}”, and its wake word “${wakeWord}”.`;
export const higherLimit = (limit: string, value: string) => `${limit}: up to ${value}.`;
export const warning = (tokens: string) =>
  `A warning comes only before messages of more than ${tokens} tokens.`;
export const noLimit = (limit: string) => `${limit}: no limit.`;
export const price = (model: string, input: string, output: string) =>
  `Calls to the model ${model} count ${input} for a million tokens of input and ${output} of output.`;
export const noPrice = (model: string) =>
  `The custom price of the model ${model} no longer applies.`;
export const keptChats = (count: number) =>
  plural(count, {
    one: 'One ended chat is kept, and older ones are deleted.',
    other: '# ended chats are kept, and older ones are deleted.',
  });
export const undoSize = (megabytes: number) =>
  `The change log is kept to ${String(megabytes)} MB, and older changes can’t be undone.`;
