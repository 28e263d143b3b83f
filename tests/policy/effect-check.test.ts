import { describe, expect, test } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

const edit = (path: string, old_text: string, new_text: string) => ({
  path,
  edits: [{ old_text, new_text, replace_all: true }],
});

describe('A change that would damage the rest of a file is refused', () => {
  const NOTE = '---\ntitle: Q3 Planning\n---\nQ3 Planning\n\nText.\n';

  test.each([
    ['properties that could not be read', edit('A.md', 'Q3 Planning', 'Q3: Planning'), 'in quotes'],
    ['a property twice', edit('A.md', 'title: Q3', 'title: x\ntitle: Q3'), 'title would be there'],
    ['an open fence', edit('A.md', 'Q3 Planning\n\n', '```\nQ3\n\n'), 'read as code'],
  ])('because of %s', async (_, input, said) => {
    await using bench = memoryBench({ 'A.md': NOTE });
    await bench.expectSuccess('read_file', { path: 'A.md' });
    expect(await bench.expectFailure('edit_file', input)).toContain(said);
    expect(await bench.textOf('A.md')).toBe(NOTE);
  });

  test.each([
    ['x\n\n```\na\n```\n', 'x\n', 'x\n\n~~~\n', 'be a part of code instead of beginning it'],
    ['x\n~~~\n```\na\n```\n~~~\n', 'x\n~~~\n', 'x\n', 'begin code instead of being a part of it'],
  ])('because one block of code becomes another: %j', async (text, old_text, new_text, said) => {
    await using bench = memoryBench({ 'A.md': text });
    const input = { path: 'A.md', edits: [{ old_text, new_text }] };
    expect(await bench.expectFailure('edit_file', input)).toContain(
      `is not part of the change, would ${said}.`,
    );
  });

  test.each([
    ['Map.canvas', 'not json', 'a canvas is JSON'],
    ['Map.canvas', '{"nodes":[{"text":"a\nb"}]}', 'It breaks in line 1'],
    ['Map.canvas', '{"nodes":[', 'Unexpected end of JSON input'],
    ['Map.canvas', '[]', '"nodes" and "edges"'],
    ['Map.canvas', '{"nodes":[],"edges":{}}', '"nodes" and "edges"'],
    ['List.base', 'views: [', 'a mapping in YAML'],
    ['List.base', '- a\n- b', 'a mapping in YAML'],
    ['data.json', '{"a": 1,\n}', 'It breaks in line 2'],
  ])('for %s with %j', async (path, content, said) => {
    await using bench = memoryBench({});
    expect(await bench.expectFailure('write_file', { path, content })).toContain(said);
    expect(bench.notes.get(path)).toBeUndefined();
  });

  test('for JSON that becomes another kind, but not for JSON that was broken before', async () => {
    await using bench = memoryBench({ 'a.json': '[1]', 'b.json': '[1' });
    await bench.expectSuccess('read_file', { paths: ['a.json', 'b.json'] });
    const said = await bench.expectFailure('write_file', { path: 'a.json', content: '{}' });
    expect(said).toContain('it holds a list, and would hold an object');
    await bench.expectSuccess('write_file', { path: 'b.json', content: '{' });
  });
});

describe('The result of a change says', () => {
  const end = (path: string, content: string) => ({ path, edits: [{ position: 'end', content }] });

  test.each([
    ['that a blank line was added', 'a ^id\n', 'b', 'A blank line was added'],
    ['that it is in an open comment', 'a\n\n%%\n', 'b', 'begins in line 3 and is never closed'],
    ['that it is in open code', '```\na\n', 'b', 'begins in line 1 and is never closed'],
    ['that it reads like a placeholder', 'a\n', '... existing content ...', 'like a placeholder'],
    ['that line numbers were copied', 'a\n', '12: b\n13: c', 'begin with line numbers'],
  ])('%s', async (_, text, content, said) => {
    await using bench = memoryBench({ 'A.md': text });
    expect(await bench.expectSuccess('edit_file', end('A.md', content))).toContain(said);
  });

  test('that a blank line stays where blocks would join', async () => {
    await using bench = memoryBench({ 'A.md': 'a\n# b\n\nc\n' });
    const edits = [{ old_text: '# b\n\n', new_text: '' }];
    const said = await bench.expectSuccess('edit_file', { path: 'A.md', edits });
    expect(said).toContain('Note: A blank line was left, so that the blocks above and below stay');
  });

  test.each([
    [
      '- a\n  - x\n  - y\n- c\n',
      'insert:3',
      '- b',
      '"- y" was nested below "- a", and is now nested below "- b"',
    ],
    [
      '1. a\n   - x\n',
      'insert:2',
      '2. b\n',
      '"- x" was nested below "1. a", and is now nested below "2. b"',
    ],
    [
      '- a\n\t- [ ] x\n',
      'replace:1',
      '- a\n- b',
      '"- [ ] x" was nested below "- a", and is now nested below "- b"',
    ],
  ])('that a nested item has another parent: %j', async (text, position, content, said) => {
    await using bench = memoryBench({ 'A.md': text });
    await bench.expectSuccess('read_file', { path: 'A.md' });
    const input = { path: 'A.md', edits: [{ position, content }] };
    expect(await bench.expectSuccess('edit_file', input)).toContain(`Note: The item ${said}.`);
  });

  test.each([
    ['- a\n  - x\n- c\n', 'insert:3', '- b'],
    ['- a\n  - x\n- c\n', 'insert:2', '  - b'],
    ['- a\n  - x\n', 'replace:1', '- b'],
    ['- a\n  - x\n    - y\n', 'delete:2', undefined],
    ['- a\n\n      - code\n', 'insert:2', 'b'],
  ])(
    'nothing about nested items that stay where they were: %j',
    async (text, position, content) => {
      await using bench = memoryBench({ 'A.md': text });
      await bench.expectSuccess('read_file', { path: 'A.md' });
      const input = { path: 'A.md', edits: [{ position, ...(content && { content }) }] };
      expect(await bench.expectSuccess('edit_file', input)).not.toContain('nested below');
    },
  );

  test('which properties a new text has no more', async () => {
    await using bench = memoryBench({ 'A.md': '---\ndue: 2027\nstatus: open\n---\nText.\n' });
    await bench.expectSuccess('read_file', { path: 'A.md' });
    const said = await bench.expectSuccess('write_file', { path: 'A.md', content: 'New.\n' });
    expect(said).toContain('lost its properties: due, status.');
  });

  test.each([
    '- … (unchanged)',
    '[... rest of the note ...]',
    '[rest of the note unchanged]',
    '(remaining items omitted)',
    '<!-- existing content -->',
    '// ... previous entries continue ...',
    '*The rest of the note (unchanged)*',
  ])('that a new line reads like a placeholder: %s', async (line) => {
    await using bench = memoryBench({ 'A.md': 'a\n', 'B.md': `a\n\n${line}\n\nb\n\nc\n` });
    expect(await bench.expectSuccess('edit_file', end('A.md', line))).toContain('a placeholder');
    const moved = { path: 'B.md', content: `b\n\nc\n\n${line}\n` };
    await bench.expectSuccess('read_file', { path: 'B.md' });
    expect(await bench.expectSuccess('write_file', moved)).not.toContain('Note:');
  });

  test.each([
    'Other prices (unchanged)',
    '**Original title** (same as before)',
    '- [ ] Remaining budget (as before)',
    '[[Existing note]] (unchanged)',
    '[Existing article](https://a.example/original)',
    'The existing rules apply.',
    '12: 30 is when the train leaves.',
    'Some … words.',
  ])('nothing about ordinary words: %s', async (content) => {
    await using bench = memoryBench({ 'A.md': '# A\n\n' });
    expect(await bench.expectSuccess('edit_file', end('A.md', content))).not.toContain('Note:');
  });
});

describe('A note that begins with a divider', () => {
  const set = (path: string) => ({ path, set: { b: 2 } });

  test.each(['---\n\nText\n', '---\nSome text\n\n- a: b\n', '\uFEFF---\n\nText\n'])(
    'gets its properties above the divider: %j',
    async (text) => {
      await using bench = memoryBench({ 'A.md': text });
      await bench.expectSuccess('update_properties', set('A.md'));
      expect(await bench.textOf('A.md')).toBe(
        text.replace(/^\uFEFF?/, (mark) => `${mark}---\nb: 2\n---\n`),
      );
    },
  );

  test('gets none if it is the beginning of properties that are never closed', async () => {
    await using bench = memoryBench({ 'A.md': '---\na: 1\nText\n' });
    expect(await bench.expectFailure('update_properties', set('A.md'))).toContain(
      'The front matter of A.md begins in line 1 and is never closed.',
    );
    await bench.expectSuccess('edit_file', edit('A.md', 'a: 1\n', 'a: 1\n---\n'));
    expect(await bench.expectSuccess('update_properties', set('A.md'))).toContain('b (number): 2');
  });

  test('is kept from becoming properties by a second one', async () => {
    await using bench = memoryBench({ 'A.md': '---\nText\n\nMore\n' });
    expect(await bench.expectFailure('edit_file', edit('A.md', '\nMore', '---\nMore'))).toContain(
      'would be read as properties',
    );
  });
});
