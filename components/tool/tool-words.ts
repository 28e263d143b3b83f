/** Icon and words for each tool. */

export interface ToolWords {
  readonly icon: string;
  /** For example "Reading". */
  readonly doing: string;
  /** For example "read", as in "could not read". */
  readonly act: string;
  /** For example "read", as in "read 3 notes". */
  readonly done: string;
  /** For example "searched for", as in "searched for milk", if it differs. */
  readonly did?: string;
  /** The object, singular and plural; without it only the calls are counted. */
  readonly things?: readonly [one: string, many: string];
}

const NOTES = ['note', 'notes'] as const;

const WORDS: Readonly<Record<string, ToolWords>> = {
  read_file: { icon: 'file-text', doing: 'Reading', act: 'read', done: 'read', things: NOTES },
  get_file_info: {
    ...{ icon: 'info', doing: 'Looking at', act: 'look at', done: 'looked at', things: NOTES },
  },
  get_properties: {
    ...{ icon: 'list', doing: 'Reading properties of', act: 'read properties of' },
    ...{ done: 'read properties of', things: NOTES },
  },
  get_context: {
    ...{ icon: 'paperclip', doing: 'Looking at what is attached', act: 'look at what is attached' },
    ...{ done: 'looked at what is attached' },
  },
  copy_notes: { icon: 'copy', doing: 'Offering', act: 'offer', done: 'offered', things: NOTES },
  execute_command: {
    ...{ icon: 'terminal', doing: 'Running', act: 'run', done: 'ran a command', did: 'ran' },
  },
  query_notes: {
    ...{ icon: 'filter', doing: 'Filtering notes', act: 'filter notes', done: 'filtered notes' },
  },
  list_tags: {
    ...{ icon: 'tags', doing: 'Listing tags', act: 'list tags', done: 'listed tags' },
  },
  get_links: {
    ...{ icon: 'waypoints', doing: 'Following links of', act: 'follow links of' },
    ...{ done: 'followed links of', things: NOTES },
  },
  find_dead_links: {
    ...{ icon: 'unlink', doing: 'Looking for dead links', act: 'look for dead links' },
    ...{ done: 'looked for dead links', did: 'looked for dead links in' },
  },
  explore_structure: {
    ...{ icon: 'folder-tree', doing: 'Looking over the folders', act: 'look over the folders' },
    ...{ done: 'looked over the folders', did: 'looked over the folders in' },
  },
  search_files: {
    ...{ icon: 'search', doing: 'Searching for', act: 'search for', done: 'searched' },
    did: 'searched for',
  },
  search_vault: {
    ...{ icon: 'search', doing: 'Searching for', act: 'search for', done: 'searched' },
    did: 'searched for',
  },
  web_search: {
    ...{ icon: 'globe', doing: 'Searching the web for', act: 'search the web for' },
    ...{ done: 'searched the web', did: 'searched the web for' },
  },
  read_webpage: {
    ...{ icon: 'globe', doing: 'Reading', act: 'read', done: 'read' },
    things: ['page', 'pages'],
  },
  list_files: {
    ...{ icon: 'folder-tree', doing: 'Listing', act: 'list', done: 'listed files' },
    did: 'listed',
  },
  get_conversation: {
    ...{ icon: 'history', doing: 'Looking up past chats:' },
    ...{ act: 'look up past chats:', done: 'looked up past chats' },
  },
  edit_file: { icon: 'pencil', doing: 'Editing', act: 'edit', done: 'edited', things: NOTES },
  write_file: { icon: 'file-plus', doing: 'Writing', act: 'write', done: 'wrote', things: NOTES },
  update_properties: {
    ...{ icon: 'list', doing: 'Changing properties of', act: 'change properties of' },
    ...{ done: 'changed properties of', things: NOTES },
  },
  add_tags: { icon: 'tags', doing: 'Tagging', act: 'tag', done: 'tagged', things: NOTES },
  link_notes: {
    icon: 'link',
    ...{ doing: 'Linking', act: 'link', done: 'linked', things: NOTES },
  },
  apply_template: {
    ...{ icon: 'layout-template', doing: 'Using the template for', act: 'use the template for' },
    ...{ done: 'used the template for', things: NOTES },
  },
  create_folder: {
    ...{ icon: 'folder-plus', doing: 'Making', act: 'make', done: 'made' },
    things: ['folder', 'folders'],
  },
  open_note: {
    icon: 'square-arrow-out-up-right',
    ...{ doing: 'Opening', act: 'open', done: 'opened', things: NOTES },
  },
  move: { icon: 'file-symlink', doing: 'Moving', act: 'move', done: 'moved', things: NOTES },
  delete: { icon: 'trash-2', doing: 'Deleting', act: 'delete', done: 'deleted', things: NOTES },
  end_conversation: {
    ...{ icon: 'message-square-x', doing: 'Ending the conversation' },
    ...{ act: 'end the conversation', done: 'ended the conversation' },
  },
};

export function toolWords(name: string): ToolWords {
  const plain = name.replaceAll('_', ' ');
  return (
    WORDS[name] ?? {
      ...{ icon: 'wrench', doing: `Using ${plain}:` },
      ...{ act: `use ${plain}:`, done: `used ${plain}` },
    }
  );
}

export function iconOf(name: string): string {
  return toolWords(name).icon;
}
