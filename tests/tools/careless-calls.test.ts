/** Tool calls with the imprecise input that models send. */
import { expect, test } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

test('search_files finds no line after the final newline of a note', async () => {
  await using bench = memoryBench({ 'A.md': '- bread\n- eggs\n' });
  expect(await bench.expectSuccess('search_files', { pattern: '^\\s*$' })).toMatch(/^No matches/);
  expect(await bench.expectSuccess('search_files', { pattern: '^$|bread|eggs' })).toMatch(
    /^2 matches/,
  );
});

test('add_tags adds a tag once if it is given twice in different case', async () => {
  await using bench = memoryBench({ 'A.md': 'Text.\n' });
  await bench.expectSuccess('add_tags', { path: 'A.md', tags: ['garden', '#food', 'Garden'] });
  expect(await bench.textOf('A.md')).toBe('---\ntags:\n  - garden\n  - food\n---\nText.\n');
});

test('query_notes lists neither half-done nor canceled tasks as done', async () => {
  const tasks = '- [ ] open\n- [/] half\n- [-] canceled\n- [x] done\n- [X] Done\n';
  await using bench = memoryBench({ 'A.md': tasks });
  const done = await bench.expectSuccess('query_notes', { tasks: 'done' });
  expect(done).toContain('4: - [x] done');
  expect(done).toContain('5: - [X] Done');
  expect(done).not.toMatch(/half|canceled/);
});

test('query_notes names marks of the user’s own among the open tasks', async () => {
  const tasks = '- [ ] open\n- [/] half\n- [?] ask\n- [!] now\n- [?] why\n- [-] no\n';
  await using bench = memoryBench({ 'A.md': tasks });
  const open = await bench.expectSuccess('query_notes', { tasks: 'open' });
  expect(open).toContain('  3: - [?] ask\n');
  expect(open).toContain("(3 tasks have marks of the user's own: [?], [!].");
  await using plain = memoryBench({ 'A.md': '- [ ] open\n- [/] half\n' });
  expect(await plain.expectSuccess('query_notes', { tasks: 'open' })).not.toContain('own');
});

test('update_properties says on a line of its own that the text below moved', async () => {
  await using bench = memoryBench({ 'A.md': 'Text.\n' });
  await bench.expectSuccess('read_file', { path: 'A.md' });
  const said = await bench.expectSuccess('update_properties', {
    path: 'A.md',
    set: { status: 'open' },
  });
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
  await bench.expectSuccess('edit_file', { path: 'A.md', edits });
  expect(await bench.textOf('A.md')).toBe(after);
});

test('tools find links, tags, tasks and properties of pending edits like those of other text', async () => {
  const files = {
    'Garden.md': '---\nstatus: open\n---\n# Garden\n\nText.\n',
    'Beds.md': '# Beds\n',
    'Alone.md': 'Nothing.\n',
  };
  await using bench = memoryBench(files, { settings: { panelMode: 'review' } });
  await bench.pending.start();
  const edits = [
    {
      position: 'end',
      content: 'See [[Beds]] and [[Nowhere]] #plants/new\n\n- [ ] sow\n\n## Setup\n',
    },
  ];
  expect(await bench.expectSuccess('edit_file', { path: 'Garden.md', edits })).toMatch(/Proposed/);
  expect(bench.notes.text('Garden.md')).toContain('```ai-edit');
  await bench.expectSuccess('update_properties', { path: 'Alone.md', set: { status: 'late' } });
  await bench.expectSuccess('update_properties', { path: 'Garden.md', set: { due: 'May' } });

  expect(await bench.expectSuccess('get_links', { path: 'Beds.md' })).toMatch(
    /Linked from \(1\):\n- Garden.md: .* \(line 9\)/,
  );
  expect(await bench.expectSuccess('get_links', { path: 'Garden.md' })).toMatch(
    /Links to \(1\):\n- Beds/,
  );
  expect(await bench.expectSuccess('query_notes', { links_to: 'Beds.md' })).toContain(
    'Garden.md (',
  );
  expect(await bench.expectSuccess('query_notes', { tags: ['plants'] })).toContain('Garden.md (');
  expect(await bench.expectSuccess('query_notes', { tasks: 'open' })).toContain('  11: - [ ] sow');
  expect(await bench.expectSuccess('query_notes', { properties: { status: 'late' } })).toContain(
    'Alone.md',
  );
  expect(await bench.expectSuccess('query_notes', { properties: { due: 'May' } })).toContain(
    'Garden.md',
  );
  expect(await bench.expectSuccess('find_dead_links', {})).toContain('[[Nowhere]]');
  expect(await bench.expectSuccess('find_dead_links', { orphans: true })).not.toMatch(
    /Garden|Beds/,
  );
  expect(await bench.expectSuccess('search_vault', { query: 'sow', tags: ['plants'] })).toContain(
    'Garden',
  );
  const tags = await bench.expectSuccess('list_tags', {});
  expect(tags).toContain('#plants 1');
  expect(tags).not.toContain('ai_edit');
  const info = await bench.expectSuccess('get_file_info', { path: 'Garden.md' });
  expect(info).toContain('Tags: #plants/new\nLinks to (1): Beds.md\nBroken links (1): Nowhere');
  expect(info).toContain('13: ## Setup');
  const moved = await bench.expectSuccess('move', {
    source: 'Beds.md',
    destination: 'Old beds.md',
  });
  expect(moved).toContain('1 link in 1 note');
});

test.each([
  ['Later', '## A\n- x\n\nLater\n=====\n\n- y\n', '## A\n- x\n\nLater\n=====\n\n- y\n- milk\n'],
  ['after', 'Later\n-----\n- y\n', 'Later\n-----\n- milk\n- y\n'],
  ['A', '# A\n\n- item\n\n      ```\n      # B\n      ```\n\n# C\n', null],
  ['A', '# A\n\n1. one\n    ```yaml\n    # B\n    ```\n2. two\n\n# C\n', null],
  ['A', '# A\n\n$$\n# B\n$$\n\n- x\n\n# C\n', '# A\n\n$$\n# B\n$$\n\n- x\n- milk\n\n# C\n'],
])('edit_file finds the section %s as Markdown renders it: %j', async (name, before, after) => {
  await using bench = memoryBench({ 'A.md': before });
  const position = name === 'after' ? 'after:Later' : `end-of:${name}`;
  await bench.expectSuccess('edit_file', {
    path: 'A.md',
    edits: [{ position, content: '- milk' }],
  });
  const now = (await bench.textOf('A.md')) ?? '';
  if (after !== null) expect(now).toBe(after);
  else expect(now.slice(now.indexOf('milk'))).toBe('milk\n\n# C\n');
});

test('link_notes finds underlined headings, and adds links above the settings of a board', async () => {
  const board = '## A\n\n- [ ] x\n\n%% kanban:settings\n```\n{}\n```\n%%\n';
  await using bench = memoryBench({ 'A.md': 'Later\n-----\n', 'B.md': 'Text.\n', 'C.md': board });
  await bench.expectSuccess('link_notes', { source: 'B.md', target: 'A.md#Later' });
  expect(await bench.textOf('B.md')).toBe('Text.\n\n[[A#Later]]\n');
  await bench.expectSuccess('link_notes', { source: 'C.md', target: 'A.md' });
  expect(await bench.textOf('C.md')).toBe(board.replace('x\n', 'x\n\n[[A]]\n'));
});

test('link_notes adds no link inside code or properties, and escapes its bar in a table', async () => {
  const text =
    '---\nname: alpha\n---\n`beta` and [[B]] in `[[Other]]`\n\n```\ngamma\n```\n\n| One | Two |\n| --- | --- |\n| delta | 2 |\n';
  await using bench = memoryBench({ 'A.md': text, 'B.md': '', 'Other.md': '' });
  const input = { source: 'A.md', target: 'Other.md', text: 'here' };
  for (const context of ['name: alpha', 'gamma']) {
    const said = await bench.expectFailure('link_notes', { ...input, context });
    expect(said).toContain('would be plain text');
  }
  expect(await bench.textOf('A.md')).toBe(text);
  await bench.expectSuccess('link_notes', { ...input, context: 'delta' });
  expect(await bench.textOf('A.md')).toBe(text.replace('delta', 'delta [[Other\\|here]]'));
  expect(await bench.expectSuccess('link_notes', input)).toContain(
    'already links to Other.md (line 12)',
  );
});

test.each([
  ['below a nested item', '* one\n  * two\n', '- three', '* one\n  * two\n* three\n'],
  ['below more words of an item', '1. one\n   more\n', '- two', '1. one\n   more\n2. two\n'],
  ['below a task with a nested one', '- [x] a\n  - b\n', '- c', '- [x] a\n  - b\n- [ ] c\n'],
  ['below code', '```yaml\n- a\n```\n', '* b', '```yaml\n- a\n```\n* b\n'],
  ['with code in it', '* a\n', '- b\n\n```yaml\n- c\n```', '* a\n* b\n\n```yaml\n- c\n```\n'],
  ['a divider', '- a\n', '* * *', '- a\n* * *\n'],
  ['words below a list', '- a\n', 'Text.', '- a\n\nText.\n'],
  ['words below a table', '| a |\n| - |\n| 1 |\n', 'Text.', '| a |\n| - |\n| 1 |\n\nText.\n'],
  ['a row of a table without bars around it', 'a | b\n- | -\n', '1 | 2', 'a | b\n- | -\n1 | 2\n'],
  ['words below words', 'One.\n', 'Two.', 'One.\n\nTwo.\n'],
])('edit_file fits content to the end of a note: %s', async (_title, before, content, after) => {
  await using bench = memoryBench({ 'A.md': before });
  await bench.expectSuccess('edit_file', { path: 'A.md', edits: [{ position: 'end', content }] });
  expect(await bench.textOf('A.md')).toBe(after);
});

test('search_vault finds values of any property', async () => {
  await using bench = memoryBench({ 'A.md': '---\nauthor: Quentin Ravel\n---\nText.\n' });
  expect(await bench.expectSuccess('search_vault', { query: 'ravel' })).toMatch(
    /1 note .*\n[^]*A\.md/,
  );
});

test('edit_file inserts after the last line of a note that became shorter and was read again', async () => {
  await using bench = memoryBench({ 'A.md': 'a\nb\nc\nd\n' });
  await bench.expectSuccess('read_file', { paths: ['A.md'] });
  await bench.notes.change('A.md', 'a\nb\nc\nd\n', 'a\nx\n');
  await bench.expectSuccess('read_file', { paths: ['A.md'] });
  const edits = [{ position: 'insert:3', content: 'e' }];
  await bench.expectSuccess('edit_file', { path: 'A.md', edits });
  expect(await bench.textOf('A.md')).toBe('a\nx\n\ne\n');
});

test.each(['[[:alpha:]]+', '\\Atext', 'text\\Z', 'a\\hb', '\\Qtext\\E'])(
  'search_files refuses %s, which has no meaning in its syntax',
  async (pattern) => {
    await using bench = memoryBench({ 'A.md': 'text a b\n' });
    expect(await bench.expectFailure('search_files', { pattern })).toContain('has no meaning here');
  },
);

test('search_files says that a file was given as a folder', async () => {
  await using bench = memoryBench({ 'A.md': 'text\n' });
  const said = await bench.expectSuccess('search_files', {
    pattern: 'text',
    file_pattern: 'A.md/',
  });
  expect(said).toContain('To search the file, give "A.md".');
});

test('query_notes counts the notes that meet each condition if none meets all', async () => {
  await using bench = memoryBench({ 'A.md': '#garden\n', 'B.md': '---\nstatus: open\n---\n' });
  const query = { tags: ['garden'], properties: { status: 'done' } };
  expect(await bench.expectSuccess('query_notes', query)).toContain(
    'None of 2 notes meets all conditions. Notes that meet each one: tag garden 1, property status 0.',
  );
});

test('a note that is hidden by unsaved text appears in no result', async () => {
  const secret =
    '---\nsecret: affair\n---\n# My heading\n#private #therapy [[B]] [[Dr Smith]]\n\n- [ ] call\n';
  await using bench = memoryBench(
    { 'Diary.md': 'Hello.\n', 'B.md': '' },
    { settings: { excludedTag: 'private' } },
  );
  bench.notes.type('Diary.md', secret);
  const said = [
    await bench.expectSuccess('query_notes', { properties: { secret: '*' } }),
    await bench.expectSuccess('query_notes', { tags: ['therapy'] }),
    await bench.expectSuccess('query_notes', { tasks: 'open' }),
    await bench.expectSuccess('list_tags', {}),
    await bench.expectSuccess('get_links', { path: 'B.md' }),
    await bench.expectSuccess('find_dead_links', {}),
    await bench.expectSuccess('explore_structure', { summaries: true }),
  ].join('\n');
  expect(said).not.toMatch(/affair|call\b|#private|#therapy|Linked from \(1\)|Smith|My heading/);
});

test('links in pending edits follow a folder that is moved, also in notes inside the folder', async () => {
  const files = {
    'F/One.md': '',
    'F/Two.md': '',
    'F/P.md': '# x\n\nText.\n',
    'L.md': '[[F/One]]\n[[F/Two]]\n',
  };
  await using bench = memoryBench(files, { settings: { panelMode: 'review' } });
  await bench.pending.start();
  const add = (path: string, content: string) =>
    bench.expectSuccess('edit_file', { path, edits: [{ position: 'end', content }] });
  await add('L.md', 'More: [[F/Two]].');
  await add('F/P.md', 'New: [[F/One]] [[F/Two]] [[F/P#x]].');
  await bench.expectSuccess('move', { source: 'F', destination: 'G/F2' });
  expect(await bench.expectSuccess('find_dead_links', {})).toMatch(/^No broken links in 4 notes/);
  const { text } = await bench.call('get_links', { path: 'G/F2/P.md' });
  expect(text).toContain('Links to (3):');
});

test.each([
  ['a comment that was closed', '%% c %%\n# T\ntext\nlast %%x%%\n', 'last %%x%%\n\n[[B]]\n'],
  ['a diagram', '```mermaid\n%% t\nA-->B\n```\ntext %%c%%\n', 'text %%c%%\n\n[[B]]\n'],
])('link_notes adds a link at the end of a note that contains %s', async (_title, text, end) => {
  await using bench = memoryBench({ 'A.md': text, 'B.md': '' });
  await bench.expectSuccess('link_notes', { source: 'A.md', target: 'B.md' });
  expect(await bench.textOf('A.md')).toBe(text.replace(/.*\n$/, '') + end);
});

test.each([
  ['See [[Garden beds]].', 'Garden beds', 'See [[Garden beds]] [[B]].'],
  ['[beds](Garden.md)', 'beds', '[beds](Garden.md) [[B]]'],
  ['![[Garden beds.png]]', 'Garden beds', '![[Garden beds.png]] [[B]]'],
  ['https://a.b/beds/more end', 'beds', 'https://a.b/beds/more [[B]] end'],
  ['Some text ^abc1', 'Some text ^abc1', 'Some text [[B]] ^abc1'],
  ['| a | b |\n| - | - |\n| delta | 2 |', '| delta | 2 |', '| delta | 2 [[B]] |'],
  ['#delta words', '#del', '#delta [[B]] words'],
  ['a [^delta] b', 'a [^delta', 'a [^delta] [[B]] b'],
  ['so $gamma + 1$ is', 'gamma', 'so $gamma + 1$ [[B]] is'],
  ['``b ` gamma`` x', 'gamma', '``b ` gamma`` [[B]] x'],
  ['a \\`gamma\\` c', 'gamma', 'a \\`gamma [[B]]\\` c'],
  ['a\nb', 'a\n', 'a [[B]]\nb'],
  ['gammaray', 'gamma', 'gammaray [[B]]'],
])('link_notes breaks no Markdown of %j when linking after %j', async (text, context, after) => {
  await using bench = memoryBench({ 'A.md': `${text}\n`, 'B.md': '' });
  await bench.expectSuccess('link_notes', { source: 'A.md', target: 'B.md', context });
  const now = await bench.textOf('A.md');
  expect(now?.endsWith(`${after}\n`), now).toBe(true);
});

test('link_notes refuses to link in the delimiter row of a table, and after a code block that is not closed', async () => {
  const files = { 'A.md': '| a |\n| --- |\n| 1 |\n', 'C.md': 'x\n\n```\ncode\n', 'B.md': '' };
  await using bench = memoryBench(files);
  const to = { target: 'B.md' };
  const row = { source: 'A.md', ...to, context: '| --- |' };
  expect(await bench.expectFailure('link_notes', row)).toContain('row of dashes');
  expect(await bench.expectFailure('link_notes', { source: 'C.md', ...to })).toContain(
    'never closed',
  );
});

test.each([
  [
    'end',
    '## A\n- [ ] x\n',
    '- y\n\n## Method\n\n1. Boil\n\n- plain',
    '## A\n- [ ] x\n- [ ] y\n\n## Method\n\n1. Boil\n\n- plain\n',
  ],
  ['end', '- a\n', '- y\n\nNote:\n+ keep', '- a\n- y\n\nNote:\n+ keep\n'],
  ['before:Later', 'In.\n\nLater\n=====\n', 'New.', 'In.\n\nNew.\n\nLater\n=====\n'],
  ['after:## A', '## A\nLater\n-----\nx\n', 'New.', '## A\nNew.\n\nLater\n-----\nx\n'],
  ['start', 'Later\n-----\n', 'New.', 'New.\n\nLater\n-----\n'],
  ['end-of:## A', '## A\n- x\n---\n', 'New.', '## A\n- x\n\nNew.\n\n---\n'],
  ['end', '| a |\n| - |\n| 1 |\n', '[[P|p]]', '| a |\n| - |\n| 1 |\n\n[[P|p]]\n'],
  [
    'end',
    '| a |\n| - |\n| 1 |\n',
    '| b |\n| - |\n| 2 |',
    '| a |\n| - |\n| 1 |\n\n| b |\n| - |\n| 2 |\n',
  ],
  ['end', '> [!note] N\n> t\n', '> [!tip] T\n> t', '> [!note] N\n> t\n\n> [!tip] T\n> t\n'],
  ['end', '[^1]: foot\n', 'Text.', '[^1]: foot\n\nText.\n'],
  ['end', '- a\n\n  para\n', 'Text.', '- a\n\n  para\n\nText.\n'],
  ['end', '> q\nlazy\n', 'Text.', '> q\nlazy\n\nText.\n'],
  ['end', '<details>\n</details>\n', 'Text.', '<details>\n</details>\n\nText.\n'],
  ['before:## B', '| a |\n| - |\n| 1 |\n## B\n', 'W.', '| a |\n| - |\n| 1 |\n\nW.\n## B\n'],
])(
  'edit_file at %s of %j inserts %j without merging separate blocks',
  async (position, before, content, after) => {
    await using bench = memoryBench({ 'A.md': before });
    await bench.expectSuccess('edit_file', { path: 'A.md', edits: [{ position, content }] });
    expect(await bench.textOf('A.md')).toBe(after);
  },
);

test.each([
  ['# T\n\nFormula: $$\nx\n$$\n\n## H\n\n$$\ny\n$$\n', ['T', 'H']],
  ['# T\n\nIt costs $$ a lot.\n\n## H\n\nAnd $$ more.\n', ['T', 'H']],
  ['## A\n\n1. one\n\n   More.\n---\n\nText\n\n## B\n', ['A', 'B']],
  ['<pre>\n# no\n\n# no\n</pre>\n\n# B\n', ['B']],
  ['1.\tone\n\t```\n\t# no\n\t```\n# B\n', ['B']],
  ['\uFEFF# Title\n', ['Title']],
  ['Text\n\n    # no\n', []],
])('get_file_info lists the headings of %j', async (text, headings) => {
  await using bench = memoryBench({ 'A.md': text });
  const said = await bench.expectSuccess('get_file_info', { path: 'A.md' });
  const listed = [...said.matchAll(/^ {2}\d+: #+ (.*)$/gm)].map(([, words]) => words);
  expect(listed).toEqual(headings);
});

test.each(['bread\\|eggs', '\\(bread\\)', 'bread\\+', '\\<bread\\>', '/bread/i'])(
  'search_files reports matches for %s without its backslashes or slashes',
  async (pattern) => {
    await using bench = memoryBench({ 'A.md': '- bread\n- eggs\n' });
    const said = await bench.expectSuccess('search_files', { pattern });
    expect(said).toMatch(/Without the (?:backslash|slashes).*: \d match/);
  },
);

test.each([
  '\\x{62}read',
  '\\pL+',
  'e{,2}ggs',
  '[]b]read',
  '[[a-z]&&[b]]read',
  '\\012',
  '(?i:bread)',
  '(?s-i:.)',
])('search_files refuses %s from another regex syntax', async (pattern) => {
  await using bench = memoryBench({ 'A.md': 'bread eggs\n' });
  expect(await bench.expectFailure('search_files', { pattern })).toContain('has no meaning here');
});

test('move counts only links that resolved to the note before', async () => {
  const files = { 'F/One.md': '', 'L.md': '[[Uno]] [[G/Uno]]\n', 'M.md': '[[One]]\n' };
  await using bench = memoryBench(files);
  const said = await bench.expectSuccess('move', { source: 'F/One.md', destination: 'G/Uno.md' });
  expect(said).toContain('1 link in 1 note now points');
});
