/** Calls as a careless model makes them, and what they come to. */
import { expect, test } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

test('search_files finds no line behind the last line break of a note', async () => {
  await using bench = memoryBench({ 'A.md': '- bread\n- eggs\n' });
  expect(await bench.says('search_files', { pattern: '^\\s*$' })).toMatch(/^No matches/);
  expect(await bench.says('search_files', { pattern: '^$|bread|eggs' })).toMatch(/^2 matches/);
});

test('add_tags adds a tag once that is given twice in another case', async () => {
  await using bench = memoryBench({ 'A.md': 'Text.\n' });
  await bench.says('add_tags', { path: 'A.md', tags: ['garden', '#food', 'Garden'] });
  expect(await bench.textOf('A.md')).toBe('---\ntags:\n  - garden\n  - food\n---\nText.\n');
});

test('query_notes lists neither half-done nor canceled tasks as done', async () => {
  const tasks = '- [ ] open\n- [/] half\n- [-] canceled\n- [x] done\n- [X] Done\n';
  await using bench = memoryBench({ 'A.md': tasks });
  const done = await bench.says('query_notes', { tasks: 'done' });
  expect(done).toContain('4: - [x] done');
  expect(done).toContain('5: - [X] Done');
  expect(done).not.toMatch(/half|canceled/);
});

test('update_properties says on a line of its own that the text below moved', async () => {
  await using bench = memoryBench({ 'A.md': 'Text.\n' });
  const said = await bench.says('update_properties', { path: 'A.md', set: { status: 'open' } });
  expect(said).toContain('new\nThe text below moved down by 3 lines;');
});

test.each([
  [
    'an underlined heading',
    '## A\n- x\n\nLater\n-----\ntext\n',
    '## A\n- x\n- milk\n\nLater\n-----\ntext\n',
  ],
  ['a divider', '## A\n- x\n\n***\n\n## B\n', '## A\n- x\n- milk\n\n***\n\n## B\n'],
  [
    'the settings of a Kanban board',
    '## A\n- x\n\n%% kanban:settings\n```\n{}\n```\n%%\n',
    '## A\n- x\n- milk\n\n%% kanban:settings\n```\n{}\n```\n%%\n',
  ],
  ['a divider directly below a list', '## A\n- x\n---\n', '## A\n- x\n- milk\n---\n'],
])('edit_file adds at the end of a section above %s', async (_title, before, after) => {
  await using bench = memoryBench({ 'A.md': before });
  const edits = [{ position: 'end-of:## A', content: '- milk' }];
  await bench.says('edit_file', { path: 'A.md', edits });
  expect(await bench.textOf('A.md')).toBe(after);
});

/** What the tools that know notes by more than their text say while edits wait in them. */
test('links, tags, tasks and properties of pending edits are found like those of any text', async () => {
  const files = {
    'Garden.md': '---\nstatus: open\n---\n# Garden\n\nText.\n',
    'Beds.md': '# Beds\n',
    'Alone.md': 'Nothing.\n',
  };
  await using bench = memoryBench(files, { settings: { panelMode: 'review' } });
  const edits = [
    {
      position: 'end',
      content: 'See [[Beds]] and [[Nowhere]] #plants/new\n\n- [ ] sow\n\n## Setup\n',
    },
  ];
  expect(await bench.says('edit_file', { path: 'Garden.md', edits })).toMatch(/Proposed/);
  expect(bench.notes.text('Garden.md')).toContain('```ai-edit');
  await bench.says('update_properties', { path: 'Alone.md', set: { status: 'late' } });
  await bench.says('update_properties', { path: 'Garden.md', set: { due: 'May' } });

  expect(await bench.says('get_links', { path: 'Beds.md' })).toMatch(
    /Linked from \(1\):\n- Garden.md \(line 8\)/,
  );
  expect(await bench.says('get_links', { path: 'Garden.md' })).toMatch(/Links to \(1\):\n- Beds/);
  expect(await bench.says('query_notes', { links_to: 'Beds.md' })).toContain('Garden.md (');
  expect(await bench.says('query_notes', { tags: ['plants'] })).toContain('Garden.md (');
  expect(await bench.says('query_notes', { tasks: 'open' })).toContain('  10: - [ ] sow');
  expect(await bench.says('query_notes', { properties: { status: 'late' } })).toContain('Alone.md');
  expect(await bench.says('query_notes', { properties: { due: 'May' } })).toContain('Garden.md');
  expect(await bench.says('find_dead_links', {})).toContain('[[Nowhere]]');
  expect(await bench.says('find_dead_links', { orphans: true })).not.toMatch(/Garden|Beds/);
  expect(await bench.says('search_vault', { query: 'sow', tags: ['plants'] })).toContain('Garden');
  const tags = await bench.says('list_tags', {});
  expect(tags).toContain('#plants 1');
  expect(tags).not.toContain('ai_edit');
  const info = await bench.says('get_file_info', { path: 'Garden.md' });
  expect(info).toContain('Tags: #plants/new\nLinks to (1): Beds.md\nBroken links (1): Nowhere');
  expect(info).toContain('12: ## Setup');
  const moved = await bench.says('move', { source: 'Beds.md', destination: 'Old beds.md' });
  expect(moved).toContain('1 link in 1 note');
});
