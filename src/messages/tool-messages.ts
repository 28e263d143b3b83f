/**
 * Text of steps and tool calls, the verbs of the agent's tools, results of calls as the user reads
 * them, and what an approval asks.
 */
import { anyOf, number, plural, list } from './plural';

export const input = 'Input';
export const result = 'Result';
export const showAllCharacters = (count: string) => `Show all ${count} characters`;
export const PLAN_STATES = {
  open: 'to do',
  doing: 'in progress',
  done: 'done',
  dropped: 'dropped',
} as const;
export const progress = (done: number, count: number) => `${done} of ${count}`;
export const plan = 'Plan';
/** @param seconds until the next attempt */
export const retrying = (seconds: number, attempt: number, attempts: number) =>
  `${seconds > 0 ? `Retrying in ${seconds} s` : 'Retrying now'} (attempt ${attempt} of ${attempts}).`;
export const writing = 'Writing…';
export const stepOf = (step: number, count: number) => `Step ${step} of ${count}`;
export const turnSteps = 'Steps in this answer';
export const kept = 'You kept';
export const denied = 'You denied';
export const notDecided = 'Not decided';
export const stopped = 'Stopped';
export const thinking = 'Thinking';
export const thought = 'Thought';
/** @param time such as "3 s" */
export const thoughtFor = (time: string) => `Thought for ${time}`;
export const deciding = 'Thinking';
export const didNot = 'Did not';
export const couldNot = 'Could not';
export const youSaid = (reason: string) => `You said: ${reason}`;
export const failed = 'Failed';
export const done = 'Done';
export const running = 'Running';
export const runningWith = (progress: string) => `Running: ${progress}`;
export const waitingForYou = 'Waiting for you';
export const pending = 'Pending';
export const failedCount = (count: number) => `${count} failed`;
export const seconds = (count: number) => `${count} s`;
export const minutesAndSeconds = (minutes: number, seconds: number) =>
  `${minutes} min ${seconds} s`;

export const callsFailed = (count: number) =>
  plural(count, { one: '# call failed', other: '# calls failed' });
export const times = (count: number) => (count === 2 ? 'twice' : `${number(count)} times`);
/** For example "“milk” or “butter”"; `more`: whether further words are left out. */
export const quotedWords = (words: readonly string[], more: boolean) => {
  const quoted = words.map((word) => `“${word}”`);
  return more ? `${quoted.join(', ')}, …` : anyOf(quoted);
};
export const inFolder = (what: string, folder: string) => `${what} in ${folder}`;
/** @param took for example "4 s"; '' if it was too short to mention */
export const worked = (took: string, steps: number) =>
  `Worked${took === '' ? '' : ` ${took}`} · ${plural(steps, { one: '# step', other: '# steps' })}`;

export interface ToolWords {
  /** For example "Reading". */
  readonly doing: string;
  /** For example "read", as in "could not read". */
  readonly act: string;
  /** For example "read", as in "read 3 notes". */
  readonly done: string;
  /** For example "searched for", as in "searched for milk", if it differs. */
  readonly did?: string;
  /** What follows the object of a finished call. */
  readonly after?: string;
  /** The counted objects; without it only the calls are counted. */
  readonly things?: (count: number) => string;
}

const notes = (count: number) => plural(count, { one: '# note', other: '# notes' });
const folders = (count: number) => plural(count, { one: '# folder', other: '# folders' });
const pages = (count: number) => plural(count, { one: '# page', other: '# pages' });

const searching: ToolWords = {
  ...{ doing: 'Searching for', act: 'search for', done: 'searched', did: 'searched for' },
};

export const byTool: Readonly<Record<string, ToolWords>> = {
  read_file: { doing: 'Reading', act: 'read', done: 'read', things: notes },
  get_file_info: { doing: 'Checking', act: 'check', done: 'checked', things: notes },
  get_properties: {
    ...{ doing: 'Reading properties of', act: 'read properties of' },
    ...{ done: 'read properties of', things: notes },
  },
  get_context: {
    ...{ doing: 'Checking attachments', act: 'check attachments', done: 'checked attachments' },
  },
  copy_notes: { doing: 'Offering', act: 'offer', done: 'offered', things: notes },
  execute_command: { doing: 'Running', act: 'run', done: 'ran a command', did: 'ran' },
  query_notes: { doing: 'Filtering notes', act: 'filter notes', done: 'filtered notes' },
  list_tags: { doing: 'Listing tags', act: 'list tags', done: 'listed tags' },
  get_links: {
    ...{ doing: 'Following links in', act: 'follow links in' },
    ...{ done: 'followed links in', things: notes },
  },
  find_dead_links: {
    ...{ doing: 'Looking for broken links in', act: 'look for broken links in' },
    ...{ done: 'looked for broken links', did: 'looked for broken links in' },
  },
  explore_structure: {
    ...{ doing: 'Exploring folders', act: 'explore folders' },
    ...{ done: 'explored folders', did: 'explored folders in' },
  },
  search_files: searching,
  search_vault: searching,
  web_search: {
    ...{ doing: 'Searching the web for', act: 'search the web for' },
    ...{ done: 'searched the web', did: 'searched the web for' },
  },
  read_webpage: { doing: 'Reading', act: 'read', done: 'read', things: pages },
  list_files: { doing: 'Listing', act: 'list', done: 'listed files', did: 'listed' },
  get_conversation: {
    ...{ doing: 'Searching past chats for', act: 'search past chats for' },
    ...{ done: 'looked at past chats', did: 'searched past chats for' },
  },
  edit_file: { doing: 'Editing', act: 'edit', done: 'edited', things: notes },
  write_file: { doing: 'Writing', act: 'write', done: 'wrote', things: notes },
  update_properties: {
    ...{ doing: 'Changing properties of', act: 'change properties of' },
    ...{ done: 'changed properties of', things: notes },
  },
  add_tags: { doing: 'Tagging', act: 'tag', done: 'tagged', things: notes },
  link_notes: { doing: 'Linking', act: 'link', done: 'linked', things: notes },
  apply_template: {
    ...{ doing: 'Creating', act: 'create', done: 'created', after: 'from template', things: notes },
  },
  create_folder: { doing: 'Creating', act: 'create', done: 'created', things: folders },
  open_note: { doing: 'Opening', act: 'open', done: 'opened', things: notes },
  move: { doing: 'Moving', act: 'move', done: 'moved', things: notes },
  delete: { doing: 'Deleting', act: 'delete', done: 'deleted', things: notes },
  plan: { doing: 'Planning', act: 'plan', done: 'planned' },
  end_conversation: { doing: 'Closing the chat', act: 'close the chat', done: 'closed the chat' },
};

/** For a tool of an MCP server or of a note. */
export const otherTool = (name: string): ToolWords => ({
  ...{ doing: `Using ${name}:`, act: `use ${name}:`, done: `used ${name}` },
});

export const searchingHeadings: ToolWords = {
  ...{ doing: 'Searching headings for', act: 'search headings for' },
  ...{ done: 'searched headings', did: 'searched headings for' },
};
export const searchingTasks: ToolWords = {
  ...{ doing: 'Searching tasks for', act: 'search tasks for' },
  ...{ done: 'searched tasks', did: 'searched tasks for' },
};
export const lookingFor: ToolWords = {
  ...{ doing: 'Looking for', act: 'look for', done: 'listed files', did: 'looked for' },
};

/** Results of tool calls, as the user reads them. */
export const invalidInput = 'The agent called this tool incorrectly, so nothing was done.';
export const unknownTool = 'The agent called a tool that does not exist.';
export const missing = 'It is not in the vault.';
export const ambiguous = 'Several notes match, so none was used.';
export const notAllowed = 'The agent isn’t allowed to do this here.';
export const exists = 'Something else is already there.';
export const badName = 'This is not a valid path in the vault.';
export const noMatch = 'The change didn’t fit the note, so nothing was changed.';
export const noPlace = 'The place in the note was not found.';
export const notShown = 'The agent has to read the note first.';
export const changedMeanwhile = 'The note changed in the meantime, so nothing was written.';
export const notText = 'This can’t be read as text.';
export const diskFailed = 'The file could not be read or written.';
export const unavailable = 'This is not available right now.';
export const noAnswer = 'There was no answer in time.';
export const limitReached = 'The request ended before this could run.';
export const unfinished = 'This did not finish.';
export const didNotWork = 'This did not work.';
export const refusedByMode = 'This chat is set to Read only, so nothing was changed.';
export const refusedByPermission = 'This tool is turned off in settings.';
export const refusedByCapability = 'This action is turned off in settings.';
export const refusedByHunk = 'This request may change only the edit that it is about.';
export const refusedByScope = 'Your settings don’t allow editing this note.';
export const wasDone = 'Done.';
export const chatEnds = 'The chat closes after this answer.';
export const notApproved = 'This was not approved.';
export const youStopped = 'You stopped it before it finished.';
export const obsidianClosed = 'Obsidian closed before this finished.';
export const nothingFound = 'Nothing found.';
export const nothingToChange = 'Nothing to change.';
export const linkedOneWay = (done: string, failed: string) =>
  `Only half was done: the link in ${done}, not the one in ${failed}.`;

/** More notes than this are only counted in an approval. */
const MAX_NAMES = 3;

const named = (paths: readonly string[]) =>
  paths.length <= MAX_NAMES ? list(paths) : plural(paths.length, { other: '# notes' });

export const read = (paths: readonly string[]) => `Read ${named(paths)}?`;
export const readProperties = (paths: readonly string[]) =>
  `Read the properties of ${named(paths)}?`;
export const readDetails = (path: string) => `Read the details of ${path}?`;
export const readAttachments = 'Read what is attached and the open note?';
export const offerCopy = (paths: readonly string[]) => `Offer to copy ${named(paths)}?`;
export const searchNotes = (words: string) => `Search your notes for “${words}”?`;
export const filterNotes = 'Search your notes by properties, tags, links, or tasks?';
export const listFiles = 'List your files and folders?';
export const listTags = 'List your tags?';
export const listFolders = 'List your folders?';
export const listLinks = (path: string) => `List the links of ${path}?`;
export const findBrokenLinks = 'Look for broken links in your notes?';
export const searchWeb = (words: string) => `Search the web for “${words}”?`;
export const searchChats = (words: string) => `Search past chats for “${words}”?`;
export const readChats = 'Read past chats?';
export const open = (path: string) => `Open ${path}?`;
export const showPlan = 'Show a plan?';
export const sendMessage = 'Send you a message?';
export const endChat = 'End this chat?';
export const useTool = (name: string) => `Use “${name}”?`;

export const change = (path: string) => `Allow this change to ${path}?`;
export const create = (path: string) => `Create ${path}?`;
export const createFolder = (path: string) => `Create the folder ${path}?`;
export const move = (from: string, to: string) => `Move ${from} to ${to}?`;
export const remove = (path: string) => `Delete ${path}?`;

export const creates = (path: string, lines: number) =>
  `Creates ${path} (${plural(lines, { one: '# line', other: '# lines' })}).`;
export const changes = (path: string, added: number, removed: number) =>
  `Changes ${path} (+${added} −${removed} lines).`;
export const deletes = (path: string) => `Deletes ${path}.`;
export const moves = (from: string, to: string) => `Moves ${from} to ${to}.`;
export const createsFolder = (path: string) => `Creates the folder ${path}.`;
/** @param name of an input field of the tool */
