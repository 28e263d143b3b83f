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
