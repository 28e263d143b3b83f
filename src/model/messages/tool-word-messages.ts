/** Verbs of the agent's tools, as step lines use them. */
import { plural } from './plural';

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
