import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { folderBench } from '#tests/builders/tools';

/**
 * Each note begins with something that counts only at the beginning of a line. What only the host's
 * index tells of a note, such as its tags and tasks, is not asked for.
 */
const NOTES = {
  'Task.md': '- [ ] buy milk 📅 2026-12-01\n- [x] done\n',
  'Heading.md': '# Milk\n\nText.\n\n## Below\n\nMore.\n',
  'Properties.md': '---\nstatus: open\ntags: [shop]\n---\nMilk.\n',
  'Tag.md': '#shop milk\n',
  'Link.md': '[[Heading]] has milk\n',
  'Quote.md': '> milk\n> more\n\n^id\n',
  'Table.md': '| milk | b |\n| --- | --- |\n| 1 | 2 |\n',
  'Code.md': '```\nmilk\n```\n\nText.\n',
  'Empty.md': '',
};

const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ...Object.keys(NOTES).map((path) => ['read_file', { path }] as const),
  ...Object.keys(NOTES).map((path) => ['get_properties', { paths: [path] }] as const),
  ...Object.keys(NOTES).map((path) => ['get_links', { path }] as const),
  ['search_files', { pattern: '^.' }],
  ['search_files', { pattern: '^#+ milk$', context_lines: 0 }],
  ['search_files', { pattern: '^.*milk\\n', multiline: true }],
  ['search_files', { pattern: '^(- |> )milk|^- \\[ \\]', output: 'paths' }],
  ['search_vault', { query: 'milk' }],
  ['query_notes', { folder: '', show: ['headings'] }],
  ['find_dead_links', {}],
  [
    'replace_in_notes',
    { replacements: [{ old_text: '^.', new_text: 'x' }], regex: true, count_only: true },
  ],
  [
    'replace_in_notes',
    { replacements: [{ old_text: '^([#>|-])', new_text: '$1$1' }], regex: true },
  ],
  [
    'replace_in_notes',
    { replacements: [{ old_text: '^(.*)\\n', new_text: '$1!\n' }], regex: true },
  ],
  ['replace_in_notes', { replacements: [{ old_text: '[[Heading]]', new_text: '[[Tag]]' }] }],
  ['edit_file', { path: 'Heading.md', edits: [{ old_text: '# Milk\n', new_text: '# Tea\n' }] }],
  ['edit_file', { path: 'Heading.md', edits: [{ position: 'after:# Milk', content: 'x' }] }],
  ...Object.keys(NOTES).flatMap((path) => [
    ['edit_file', { path, edits: [{ position: 'start', content: 'x' }] }] as const,
    ['edit_file', { path, edits: [{ position: 'end', content: 'x' }] }] as const,
    ['update_properties', { path, set: { status: 'done' } }] as const,
    ['add_tags', { path, tags: ['new'] }] as const,
    ['copy', { source: path, destination: 'Copy' }] as const,
  ]),
  ['rename_tag', { tag: 'shop', to: 'store', paths: ['Properties.md', 'Tag.md'] }],
  ['redirect_links', { from: 'Heading', to: 'Tag' }],
  ['update_tasks', { path: 'Task.md', tasks: ['buy milk'], status: 'done', due: '2026-12-01' }],
  ['link_notes', { source: 'Task.md', target: 'Tag.md', context: 'buy milk' }],
  ['move', { source: 'Heading.md', destination: 'Sub/Title.md' }],
  ['delete', { path: 'Heading.md' }],
];

async function run(tool: string, input: object, mark: string) {
  const files = Object.fromEntries(
    Object.entries(NOTES).map(([path, text]) => [path, mark + text] as const),
  );
  await using bench = await folderBench(files);
  const { text } = await bench.call(tool, input);
  const paths = bench.notes.list().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const read = (path: string) => fs.readFileSync(`${bench.folder}/${path}`, 'utf8');
  return {
    text: text.replaceAll(/\d+ bytes/g, 'bytes'),
    notes: paths.sort().map((path) => [path, read(path).replaceAll('\\ufeff', '')] as const),
  };
}

describe('a note with a byte order mark', () => {
  it.each(CALLS)('%s %j does the same as without one', async (tool, input) => {
    const [plain, own] = await Promise.all([run(tool, input, ''), run(tool, input, '\uFEFF')]);
    expect(own.text).toBe(plain.text);
    for (const [path, text] of own.notes) expect(text, path).toMatch(/^\uFEFF/);
    expect(own.notes.map(([path, text]) => [path, text.slice(1)])).toEqual(plain.notes);
  });
});
