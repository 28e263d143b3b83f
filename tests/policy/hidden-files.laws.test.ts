/**
 * Non-interference: two vaults that differ only in hidden files answer every call alike. Hidden are
 * files in an excluded folder and notes with the excluded tag. No two files share a name, because
 * links would then lead elsewhere.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_TOOLS } from '#tools/all-tools';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { Caller } from './caller';

const VISIBLE = ['Garden.md', 'Work/Plan.md', 'Work/Log.md', 'Lists/Shopping.md', 'Lists/Old.md'];
const FOLDERS = ['Private/', 'Work/', 'Lists/', 'Alone/Deep/'];
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

const vaults = fc.record({
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
const fresh = fc.nat({ max: 3 }).map((at) => `New ${at}`);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const text = fc.constantFrom('Diary', 'private', 'See', 'Apples', 'Beds', 'gar', 'water');
const INPUTS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  read_file: fc.record({ path }),
  get_file_info: fc.record({ path }),
  get_properties: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 3 }) }),
  get_context: fc.constant({}),
  write_file: fc.record({ path: fresh, content: body }),
  edit_file: fc.record({
    path: source,
    edits: line.map((content) => [{ position: 'end', content }]),
  }),
  update_properties: fc.record({ path: source, set: fc.constant({ status: 'done' }) }),
  add_tags: fc.record({ path: source, tags: fc.constant(['fresh']) }),
  link_notes: fc.record({ source, target: path }),
  apply_template: fc.record({ template: path, path: fresh }),
  search_files: fc.record({
    pattern: text,
    file_pattern: optional(fc.constantFrom('Work', '*a*')),
  }),
  search_vault: fc.record({ query: text, folder: optional(fc.constantFrom('Work', 'Lists')) }),
  list_files: fc.record({
    pattern: optional(fc.constantFrom('*a*', 'Work/**')),
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
  move: fc.record({ source: fc.constantFrom(...VISIBLE, 'Alone'), destination: fresh }),
  delete: fc.record({ path: fc.constantFrom(...VISIBLE, 'Alone') }),
  copy_notes: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 2 }) }),
  open_note: fc.record({ path }),
};

/** These know nothing of notes. */
const APART = [
  ...['execute_command', 'web_search', 'read_webpage', 'plan', 'send_message', 'ask_user'],
  ...['get_conversation', 'done', 'end_conversation'],
];

const call = fc.oneof(
  ...Object.entries(INPUTS).map(([tool, input]) => input.map((given) => [tool, given] as const)),
);

type Hidden = (typeof vaults extends fc.Arbitrary<infer Each> ? Each : never)['one'];

function caller(notes: readonly string[], hidden: Hidden, mode: 'review' | 'apply'): Caller {
  const made = new Caller(Object.fromEntries(FOLDERS.map((each) => [each, ''])), {
    mode,
    settings: { excludedFolders: ['Private'], tools: { delete: 'allow' } },
  });
  const files = VISIBLE.map((each, at) => ({
    path: each,
    text: notes[at] ?? '',
    modified: at * 1_000,
  }));
  // Some hidden files are indexed before the others, some after them.
  for (const each of [...hidden.slice(0, 2), ...files, ...hidden.slice(2)])
    made.notes.put(each.path, each.text, TIME + each.modified);
  return made;
}

test('the law has calls of every tool that knows notes', () => {
  const known = [...Object.keys(INPUTS), ...APART];
  expect(known.sort()).toEqual(ALL_TOOLS.map((tool) => tool.name).sort());
});

const CALLS = 10;

test(
  'two vaults that differ only in hidden files answer all calls alike',
  async () => {
    const calls = fc.array(call, { minLength: CALLS, maxLength: CALLS });
    const mode = fc.constantFrom('review' as const, 'apply' as const);
    await fc.assert(
      fc.asyncProperty(vaults, calls, mode, async ({ notes, one, other }, all, inMode) => {
        const [first, second] = [caller(notes, one, inMode), caller(notes, other, inMode)];
        for (const [tool, input] of all) {
          const answers = [await first.call(tool, input), await second.call(tool, input)];
          expect(answers[0], JSON.stringify([tool, input])).toEqual(answers[1]);
        }
      }),
      { numRuns: Math.ceil(cases.numRuns / CALLS) },
    );
  },
  CASES_TIMEOUT_MS,
);
