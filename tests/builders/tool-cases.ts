/**
 * Calls of every tool as a model makes them: successful, empty, truncated, denied, invalid and
 * proposed.
 */
import type { Resolution } from '#model/interaction';
import type { Settings } from '#model/settings';
import { FIXTURE } from '#tests/tools/fixture-vault';
import type { NoteFiles } from './fake-vault';

export interface ToolCase {
  readonly tool: string;
  readonly input: object;
  readonly settings?: Partial<Settings>;
  /** What the user answers if the call asks; without it the first choice. */
  readonly resolution?: Resolution;
  /** Earlier calls in the same conversation. */
  readonly before?: readonly (readonly [tool: string, input: object])[];
}

export const CASE_VAULT: NoteFiles = {
  ...FIXTURE,
  'Private/Diary.md': '# Diary\n\nMilk was cheap.\n',
  'Notes/Secret.md': '---\ntags: [private]\n---\nMilk and honey.\n',
  'Lists/Errands.md': '# Errands\n\n- [ ] post a letter\n- [x] buy stamps\n\n## Later\n\n1. one\n',
  'Templates/Meeting.md': '# {{title}}\n\n{{date}} with {{guest}}\n',
  'Twice/A.md': '# Same\n\n# Same\n\none\none\n',
  'Tools/Packing.md':
    '---\ntool: packing_list\ndescription: What to pack.\nparameters:\n  nights: {description: How many nights., type: number}\n---\n- {{nights}} shirts\n',
  'Tools/Rules.md': `---\ntool: house_rules\ndescription: The rules.\n---\n${'Close the gate.\n'.repeat(9_000)}`,
};

const RULES: Partial<Settings> = {
  excludedFolders: ['Private'],
  templateFolder: 'Templates',
  customToolFolder: 'Tools',
  tools: { execute_command: 'allow', web_search: 'allow', read_webpage: 'allow' },
  commands: ['daily-notes'],
};

const READ = ['read_file', { path: 'Lists/Shopping.md' }] as const;

function calls(
  tool: string,
  inputs: readonly object[],
  more: Omit<ToolCase, 'tool' | 'input'> = {},
): ToolCase[] {
  return inputs.map((input) => ({
    tool,
    input,
    ...more,
    settings: { ...RULES, ...more.settings },
  }));
}

/** Ways of not allowing a call. */
const DECISIONS: readonly Resolution[] = [
  { kind: 'choice', choice: 'deny' },
  { kind: 'choice', choice: 'deny', reason: 'I still need it' },
  { kind: 'choice', choice: 'deny', reason: 'Add milk instead', via: 'voice' },
  { kind: 'expired' },
  { kind: 'closed' },
];

/** Ends of a question. */
const ANSWERS: readonly Resolution[] = [
  { kind: 'answer', text: 'Shopping', via: 'click' },
  { kind: 'answer', text: 'the shopping list', via: 'voice' },
  { kind: 'expired' },
  { kind: 'closed' },
];

const EDIT = { path: 'Lists/Shopping.md', edits: [{ old_text: '- butter', new_text: '- oil' }] };
const REVIEW = { settings: { panelMode: 'review' } } as const;
const READ_ONLY = { settings: { panelMode: 'read-only' } } as const;

export const TOOL_CASES: readonly ToolCase[] = [
  ...calls('read_file', [
    { path: 'Lists/Shopping.md' },
    { path: 'shoping' },
    { path: 'Plan' },
    { path: 'Notes/Long.md' },
    { path: 'Notes/Long.md', start_line: 59_990, end_line: 70_000 },
    { path: 'Notes/One line.md' },
    { path: 'Notes/Latin1.md' },
    { path: 'Notes/Empty.md' },
    { path: 'Boards/Beds.canvas' },
    { path: 'Boards/Broken.canvas' },
    { path: 'Media/photo.png' },
    { path: 'Media/data.bin' },
    { path: '.obsidian/app.json' },
    { path: 'Private/Diary.md' },
    { path: 'Notes/Secret.md' },
    { path: '~/secrets.md' },
    { path: 'Lists' },
    { path: '' },
    {},
    { file: 'Lists/Shopping.md' },
    { paths: ['Lists/Shopping.md', 'Nope.md'] },
  ]),
  ...calls('get_file_info', [
    { path: 'Notes/Tomatoes.md' },
    { path: 'Notes' },
    { path: 'Media/photo.png' },
    { path: 'Nope' },
  ]),
  ...calls('get_properties', [
    { paths: ['Notes/Tomatoes.md', 'Notes/Compost.md'] },
    { paths: ['Nope.md'] },
    { paths: ['Media/photo.png'] },
  ]),
  ...calls('get_context', [{}]),
  ...calls('write_file', [
    { content: '# New note\n\nText.\n' },
    { path: 'Notes/Fresh', content: 'Text.\n' },
    { path: 'lists/New.md', content: 'x' },
    { path: 'a:b?.md', content: 'x' },
    { path: 'Lists/Shopping.md', content: '- nothing\n' },
    { path: 'new.png', content: 'x' },
    { content: 5 },
  ]),
  ...calls('write_file', [{ path: 'Lists/Shopping.md', content: '- all new\n' }], {
    before: [READ],
  }),
  ...calls('write_file', [{ path: 'Notes/Fresh.md', content: 'Text.\n' }], REVIEW),
  ...calls('write_file', [{ path: 'Notes/Fresh.md', content: 'Text.\n' }], READ_ONLY),
  ...calls('edit_file', [
    EDIT,
    { path: 'Lists/Shopping.md', edits: [{ old_text: '- milk', new_text: '- oil' }] },
    { path: 'Twice/A.md', edits: [{ old_text: 'one', new_text: 'two' }] },
    { path: 'Twice/A.md', edits: [{ old_text: 'one', new_text: 'two', replace_all: true }] },
    { path: 'Twice/A.md', edits: [{ position: 'after:# Same', content: 'x' }] },
    { path: 'Lists/Errands.md', edits: [{ position: 'end-of:## later', content: '- two' }] },
    { path: 'Lists/Errands.md', edits: [{ position: 'after:## Nope', content: 'x' }] },
    { path: 'Lists/Shopping.md', edits: [{ position: 'replace:2', content: '- oil' }] },
    { path: 'Lists/Shopping.md', edits: [{ position: 'line 2', content: '- oil' }] },
    { path: 'Lists/Shopping.md', edits: [] },
    { path: 'Nope.md', edits: EDIT.edits },
  ]),
  ...calls(
    'edit_file',
    [
      { path: 'Lists/Shopping.md', edits: [{ position: 'replace:2', content: '- oil' }] },
      { path: 'Lists/Shopping.md', edits: [{ position: 'insert:9', content: '- oil' }] },
    ],
    { before: [READ] },
  ),
  ...calls('edit_file', [EDIT], REVIEW),
  ...calls('edit_file', [EDIT], READ_ONLY),
  ...calls('edit_file', [EDIT], { settings: { editableScope: 'current' } }),
  ...calls('edit_file', [EDIT], { settings: { allowReplace: false } }),
  ...calls('update_properties', [
    { path: 'Notes/Tomatoes.md', set: { status: 'ripe' }, remove: ['aliases'] },
    { path: 'Notes/Tomatoes.md', set: {} },
    { path: 'Boards/Beds.canvas', set: { a: 1 } },
    { path: 'Nope', set: { a: 1 } },
    { each: { 'Notes/Tomatoes.md': { a: 1 }, 'Notes/Compost.md': { a: 2 } } },
  ]),
  ...calls('add_tags', [
    { path: 'Notes/Compost.md', tags: ['garden', '#soil/rich'] },
    { path: 'Notes/Tomatoes.md', tags: ['garden'] },
    { path: 'Notes/Compost.md', tags: ['not a tag!'] },
  ]),
  ...calls('add_tags', [{ paths: ['Notes/Compost.md', 'Notes/Tomatoes.md', 'Nope'], tags: ['x'] }]),
  ...calls('rename_tag', [
    { tag: 'garden', to: 'plants' },
    { tag: 'watering', to: null },
    { tag: 'nope', to: 'x' },
    { tag: 'garden', to: 'not a tag!' },
  ]),
  ...calls('replace_in_notes', [
    { replacements: [{ old_text: 'plan', new_text: 'scheme' }] },
    { replacements: [{ old_text: 'Notes', new_text: 'Note' }], count_only: true },
    { replacements: [{ old_text: 'Turn', new_text: 'Move' }], paths: ['Compost'] },
    { replacements: [{ old_text: 'turn', new_text: 'move' }] },
    { replacements: [{ old_text: '(\\w+) plan', new_text: '$2' }], regex: true },
    { replacements: [{ old_text: 'plan', new_text: 'scheme' }], paths: ['Nope'] },
  ]),
  ...calls('redirect_links', [
    { from: 'Notes/Compost.md', to: 'Tomatoes#Care' },
    { from: 'Compost', to: 'Tomatoes#Care', count_only: true },
    { from: 'Nowhere', to: 'Tomatoes' },
    { from: 'Nope', to: 'Tomatoes' },
    { from: 'Compost', to: 'Tomatoes#Nope' },
  ]),
  ...calls('update_tasks', [
    { path: 'Lists/Errands.md', tasks: ['post a letter'], status: 'done' },
    { path: 'Lists/Errands.md', tasks: ['buy stamps'], status: 'done' },
    { path: 'Lists/Errands.md', tasks: ['letter'], due: '2026-12-04', priority: 'high' },
    { path: 'Lists/Errands.md', tasks: ['call Ann'], status: 'new', due: '2026-12-04' },
    { path: 'Lists/Errands.md', tasks: ['letter'], due: 'Friday' },
    { path: 'Lists/Errands.md', tasks: ['letter'], repeat: 'every weekend' },
    { path: 'Lists/Errands.md', tasks: ['rent', 3], status: 'done' },
    { path: 'Nope', tasks: ['letter'], status: 'done' },
  ]),
  ...calls(
    'update_tasks',
    [{ path: 'Lists/Errands.md', tasks: ['letter'], status: 'done' }],
    REVIEW,
  ),
  ...calls('link_notes', [
    { source: 'Notes/Compost.md', target: 'Tomatoes' },
    { source: 'Notes/Compost.md', target: 'Tomatoes', context: 'Turn it.' },
    { source: 'Notes/Compost.md', target: 'Tomatoes', context: 'Not there.' },
    { source: 'Notes/Compost.md', target: 'Tomatoes#Nope' },
    { source: 'Notes/Tomatoes.md', target: 'Compost', both_ways: true },
    { source: 'Nope', target: 'Compost' },
  ]),
  ...calls('apply_template', [
    { template: 'Meeting', path: 'Notes/Monday.md', variables: { guest: 'Lisa' } },
    { template: 'Meeting', path: 'Notes/Monday.md' },
    { template: 'Meeting', path: 'Notes/Monday.md', variables: { guest: 'Lisa', sow: 'March' } },
    { template: 'Nope', path: 'Notes/Monday.md' },
    { template: 'Meeting', variables: { guest: 'Lisa: "Tuesday"', title: 'Plan' } },
  ]),
  ...calls('apply_template', [{ template: 'Meeting', path: 'A.md' }], {
    settings: { templateFolder: '' },
  }),
  ...calls('search_files', [
    { pattern: 'Butter' },
    { pattern: 'Butter', case_sensitive: true },
    { pattern: 'butter|compost', max_results: 1 },
    { pattern: 'zzz' },
    { pattern: 'bread', file_pattern: 'Listen' },
    { pattern: 'Line \\d+', file_pattern: 'Notes' },
    { pattern: 'bread\\n- butter' },
    { pattern: '(' },
    { pattern: 'milk', file_pattern: 'Private' },
    { pattern: 'milk' },
  ]),
  ...calls('read_file', [{ path: 'Notes/Long.md' }], {
    settings: { readLines: 5, readCharacters: 400, readLineCharacters: 20 },
  }),
  ...calls('read_file', [{ paths: ['Notes/Long.md', 'Notes/One line.md', 'Nope.md'] }], {
    settings: { readLines: 5, readCharacters: 400, readLineCharacters: 20 },
  }),
  ...calls('search_vault', [
    { query: 'tomatoes care' },
    { query: 'tomatos' },
    { query: 'zeppelin' },
    { query: '…' },
    { query: 'compost', limit: 1, include_content: true },
    { query: 'compost', by: 'meaning' },
    { query: 'compost', folder: 'Nope' },
  ]),
  ...calls('list_files', [
    {},
    { pattern: '*.md', max_results: 2 },
    { path: 'Home/Empty' },
    { pattern: '!*.md' },
    { pattern: 'zzz*' },
    { path: 'Nope' },
  ]),
  ...calls('list_files', [{ path: 'Notes', max_results: 3 }]),
  ...calls('list_tags', [{}, { filter: 'gard' }, { filter: 'zzz' }]),
  ...calls('query_notes', [
    { tags: ['garden'] },
    { tags: ['nope'] },
    { tasks: 'open' },
    { limit: 1 },
    { properties: { priority: { gt: 2 } } },
  ]),
  ...calls('get_links', [
    { path: 'Notes/Tomatoes.md', depth: 2 },
    { path: 'Notes/Empty.md' },
    { path: 'Nope' },
  ]),
  ...calls('explore_structure', [{}, { path: 'Notes', summaries: true }, { path: 'Nope' }]),
  ...calls('find_dead_links', [{}, { limit: 1 }, { path: 'Home' }, { orphans: true, limit: 2 }]),
  ...calls('create_folder', [
    { path: 'New/Folder' },
    { path: 'Lists' },
    { path: 'lists' },
    { path: 'Lists/Shopping.md' },
  ]),
  ...calls('move', [
    { source: 'Notes/Compost.md', destination: 'Notes/Humus.md' },
    { source: 'Work', destination: 'Home/' },
    { source: 'Work/Plan.md', destination: 'Home/Plan.md' },
    { source: 'Notes', destination: 'Notes/Old' },
    { source: 'Nope', destination: 'X' },
    {
      moves: [
        { source: 'Notes/Compost.md', destination: 'Old/' },
        { source: 'Work', destination: 'Home/' },
        { source: 'Nope', destination: 'X' },
      ],
    },
  ]),
  ...calls('copy', [
    { source: 'Notes/Compost.md', destination: 'Notes/Compost 2.md' },
    { source: 'Boards', destination: 'Boards 2' },
    { source: 'Nope', destination: 'X' },
  ]),
  ...calls('delete', [{ paths: ['Notes/Compost.md', 'Work/Plan.md'] }]),
  ...calls('delete', [{ path: 'Notes/Compost.md' }, { path: 'Old' }, { path: 'Nope' }]),
  ...DECISIONS.flatMap((resolution) =>
    calls('delete', [{ path: 'Notes/Compost.md' }], { resolution }),
  ),
  ...calls('copy_notes', [{ paths: ['Lists/Shopping.md'] }, { paths: ['Nope.md'] }]),
  ...calls('open_note', [
    { path: 'Notes/Tomatoes.md', line: 9 },
    { path: 'Notes/Tomatoes.md', line: 400 },
    { path: 'Nope' },
  ]),
  ...calls('execute_command', [{ command: 'daily-notes' }, { command: 'app:reload' }]),
  ...calls('execute_command', [{ command: 'editor:focus' }], {
    settings: { commands: ['daily-notes', 'editor:focus'] },
  }),
  ...calls('web_search', [{ query: 'pruning' }]),
  ...calls('read_webpage', [
    { url: 'https://example.com/pruning' },
    { url: 'https://example.com/long' },
    { url: 'https://example.com/moved' },
    { url: 'http://127.0.0.1/' },
    { url: 'ftp://example.com/' },
    { url: 'not a url' },
    { url: 'https://example.com/gone' },
  ]),
  ...calls('web_search', [{ query: 'pruning' }], { settings: { tools: { web_search: 'off' } } }),
  ...calls('plan', [{ steps: [{ text: 'Look', state: 'doing' }] }, { steps: [] }]),
  ...calls('send_message', [{ message: 'Half done.' }]),
  ...ANSWERS.flatMap((resolution) =>
    calls('ask_user', [{ question: 'Which list?', choices: ['Shopping', 'Errands'] }], {
      resolution,
    }),
  ),
  ...ANSWERS.slice(0, 1).flatMap((resolution) =>
    calls('send_message', [{ message: 'Which list?', is_question: true }], { resolution }),
  ),
  ...calls('ask_user', [{ question: 'Which list?', allow_free_text: false }, { question: '' }]),
  ...calls('get_changes', [{}, { since: 'today', path: 'Lists' }, { path: 'Nope' }]),
  ...calls('undo_changes', [{ ids: ['change-none'] }]),
  {
    tool: 'undo_changes',
    input: { ids: ['turn-2'] },
    before: [['create_folder', { path: 'New/Folder' }]],
  },
  ...calls('get_conversation', [{}, { query: 'milk' }, { id: 'conversation-none' }]),
  ...calls('end_conversation', [{}]),
  ...calls('done', [{ summary: 'Added milk.', outcome: 'done' }, { summary: 5 }]),
  ...calls('packing_list', [{ nights: 3 }, { nights: 'three' }, {}]),
  ...calls('house_rules', [{}]),
  ...calls('desk_read', [{ path: 'invoices' }, {}]),
  ...calls('desk_dump', [{ path: 'invoices' }]),
  ...calls('desk_fail', [{ path: 'invoices' }]),
  ...calls('desk_down', [{ path: 'invoices' }]),
  ...calls('desk_quiet', [{ path: 'invoices' }]),
  ...DECISIONS.slice(0, 1).flatMap((resolution) =>
    calls('desk_read', [{ path: 'invoices' }], { resolution }),
  ),
  ...calls('desk_read', [{ path: 'invoices' }], READ_ONLY),
  ...calls('edit_note', [{ path: 'Lists/Shopping.md' }]),
];
