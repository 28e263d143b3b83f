/**
 * Two vaults that differ only in hidden files, and calls about them. Hidden are files in an excluded
 * folder and notes with the excluded tag. No two files share a name, because links would then lead
 * elsewhere.
 */
import fc from 'fast-check';
import type { MemoryNotes } from './fake-vault';

export const VISIBLE = [
  'Garden.md',
  'Work/Plan.md',
  'Work/Log.md',
  'Lists/Shopping.md',
  'Lists/Old.md',
];
export const FOLDERS = ['Private/', 'Work/', 'Lists/', 'Alone/Deep/'];
const HIDDEN_NAMES = ['Diary', 'Gardn', 'Plans', 'Health'] as const;
const NAMES = ['Garden', 'Plan', 'Log', 'Shopping', 'Nowhere', ...HIDDEN_NAMES] as const;
const PLACES = ['Private/', 'Private/Deep/', '', 'Work/', 'Lists/'] as const;
const TIME = Date.UTC(2026, 0, 1);

const name = fc.constantFrom(...NAMES);
const line = fc.oneof(
  name.map((to) => `See [[${to}]].`),
  name.map((to) => `See [[${to}#Part|there]] and ![[${to}]].`),
  name.map((to) => `[it](${to}.md) and [other](Private/${to}.md)`),
  fc.constantFrom(
    '# Garden',
    '## Part',
    '- [ ] water',
    '- [x] sow',
    '#seed',
    '#seed/bean',
    'Apples.',
  ),
);
const body = fc.array(line, { maxLength: 6 }).map((lines) => `${lines.join('\n\n')}\n`);
const properties = fc.constantFrom('', '---\nstatus: open\naliases: [Beds]\n---\n');
const note = fc.tuple(properties, body).map((parts) => parts.join(''));

const hiddenFile = fc
  .record({
    place: fc.constantFrom(...PLACES),
    alias: name,
    text: fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n\n')),
    isTagAtEnd: fc.boolean(),
    modified: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  })
  .map(({ place, alias, text, isTagAtEnd, modified }) => {
    const tag = isTagAtEnd ? '' : 'tags: [private/health]\n';
    const end = isTagAtEnd ? '\n\n#private\n' : '\n';
    const yaml = `---\naliases: [${alias}]\nstatus: open\n${tag}---\n`;
    return { place, text: `${yaml}${text}${end}`, modified };
  });

const hiddenFiles = fc
  .array(hiddenFile, { maxLength: HIDDEN_NAMES.length })
  .map((files) =>
    files.map((file, at) => ({ ...file, path: `${file.place}${HIDDEN_NAMES[at]}.md` })),
  );

export const twoVaults = fc.record({
  notes: fc.tuple(...VISIBLE.map(() => note)),
  one: hiddenFiles,
  other: hiddenFiles,
});

/** Also spellings of hidden files, whether they exist or not. */
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...VISIBLE) },
  fc.constantFrom(...NAMES),
  fc.constantFrom(...PLACES, '/', 'Alone', 'Beds'),
  fc.tuple(fc.constantFrom(...PLACES), name).map(([place, each]) => `${place}${each}.md`),
);
const source = fc.constantFrom(...VISIBLE);
const deletable = path.filter((each) => !PLACES.some((place) => place === each));
const fresh = fc.nat({ max: 3 }).map((at) => `New ${at}`);
const oneMove = fc.record({
  source: fc.constantFrom(...VISIBLE, 'Alone'),
  destination: fresh,
});
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const text = fc.constantFrom('Diary', 'private', 'See', 'Apples', 'Beds', 'gar', 'water');
/** Notes of a call that changes several. */
const chosen = fc.oneof(
  fc.record({ path: source }),
  fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 3 }) }),
  fc.constantFrom({ tags: ['seed'] }, { folder: 'Work' }, { links_to: 'Garden' }).map((where) => ({
    where,
  })),
);
/** By tool. */
export const INPUTS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  read_file: fc.record({ path }),
  get_file_info: fc.record({ path }),
  get_properties: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 3 }) }),
  get_context: fc.constant({}),
  write_file: fc.record({ path: fresh, content: body }),
  edit_file: fc.record({
    path: source,
    edits: fc.oneof(
      line.map((content) => [{ position: 'end', content }]),
      path.map((content_of) => [{ position: 'end', content_of }]),
    ),
  }),
  update_properties: fc.oneof(
    chosen.map((choice) => ({ ...choice, set: { status: 'done' } })),
    path.map((each) => ({ each: { [each]: { status: 'done' } } })),
  ),
  add_tags: chosen.map((choice) => ({ ...choice, tags: ['fresh'] })),
  rename_tag: fc.record({
    tag: fc.constantFrom('seed', 'private', 'fresh'),
    to: fc.constantFrom('plant', null),
    paths: optional(fc.array(path, { minLength: 1, maxLength: 3 })),
  }),
  replace_in_notes: fc.record({
    replacements: line.map((old_text) => [{ old_text, new_text: 'fresh words' }]),
    paths: optional(fc.array(path, { minLength: 1, maxLength: 3 })),
  }),
  link_notes: fc.record({ source, target: path }),
  update_tasks: fc.record({
    path: source,
    tasks: line.map((words) => [words]),
    status: fc.constantFrom('new', 'done'),
    due: optional(fc.constant('2026-12-01')),
  }),
  redirect_links: fc.record({ from: path, to: path }),
  apply_template: fc.record({ template: path, path: fresh }),
  search_files: fc.record({
    pattern: text,
    file_pattern: optional(fc.constantFrom('Work', '*a*', 'Diary*', '{Gardn,Health}.md')),
  }),
  search_vault: fc.record({ query: text, folder: optional(fc.constantFrom('Work', 'Lists')) }),
  list_files: fc.record({
    pattern: optional(fc.constantFrom('*a*', 'Work/**', 'Diary*')),
    path: optional(path),
  }),
  list_tags: fc.record({ filter: optional(fc.constantFrom('se', 'private')) }),
  query_notes: fc.record({
    folder: optional(fc.constantFrom('Work', 'Lists')),
    links_to: optional(path),
    tasks: optional(fc.constantFrom('open', 'done')),
    sort: optional(fc.constantFrom('modified', 'created', 'name')),
    tags: optional(fc.constant(['seed'])),
    properties: optional(fc.constant({ status: 'open' })),
  }),
  get_links: fc.record({ path, depth: fc.integer({ min: 1, max: 3 }) }),
  explore_structure: fc.record({ path: optional(path), summaries: fc.boolean() }),
  find_dead_links: fc.record({
    path: optional(path),
    orphans: fc.boolean(),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
  create_folder: fc.record({ path: fresh }),
  move: fc.oneof(oneMove, fc.record({ moves: fc.array(oneMove, { minLength: 1, maxLength: 3 }) })),
  copy: fc.record({ source: path, destination: fresh }),
  // That a folder with hidden notes cannot be deleted has to be said.
  delete: fc.oneof(
    fc.record({ path: fc.constantFrom(...VISIBLE, 'Alone') }),
    fc.record({ paths: fc.array(deletable, { minLength: 1, maxLength: 2 }) }),
  ),
  copy_notes: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 2 }) }),
  open_note: fc.record({ path }),
  get_changes: fc.record({ path: optional(path) }),
};

export type HiddenFiles = (typeof twoVaults extends fc.Arbitrary<infer Each> ? Each : never)['one'];

/** Fills a vault that has the `FOLDERS`. */
export function fill(vault: MemoryNotes, notes: readonly string[], hidden: HiddenFiles): void {
  const files = VISIBLE.map((each, at) => ({
    path: each,
    text: notes[at] ?? '',
    modified: at * 1_000,
  }));
  // Some hidden files are indexed before the others, some after them.
  for (const each of [...hidden.slice(0, 2), ...files, ...hidden.slice(2)])
    vault.put(each.path, each.text, TIME + each.modified);
}

/** Calls of the tools that `knows` names. */
export function callsOf(knows: (tool: string) => boolean) {
  const tools = Object.entries(INPUTS).filter(([tool]) => knows(tool));
  return fc.oneof(...tools.map(([tool, input]) => input.map((given) => [tool, given] as const)));
}
