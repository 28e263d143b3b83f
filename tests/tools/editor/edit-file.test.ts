import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHES, type ToolBench, memoryBench } from '#tests/builders/tools';
import { cases } from '#tests/cases';
import { FIXTURE } from '#tests/tools/fixture-vault';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { renderDiff } from '#tools/editor/edit/diff-text';
import { withoutMark } from '#tools/editor/edit/text-lines';
import type { Edit } from '#tools/editor/edit/edit-plan';

describe.each(BENCHES)('edit_file %s', (_, open) => {
  it('edit_file returns a diff with the line numbers for the next call', async () => {
    await using bench = await open(FIXTURE);
    const edits = [{ position: 'end', content: '- milk' }];
    expect(await bench.expectSuccess('edit_file', { path: 'Shopping', edits })).toBe(
      'Found as `Lists/Shopping.md`.\nChanged Lists/Shopping.md.\n…\n 3  - cheese\n+4  - milk',
    );
    const next = [{ position: 'replace:4', content: '- oat milk' }];
    expect(
      await bench.expectSuccess('edit_file', { path: 'Lists/Shopping.md', edits: next }),
    ).toContain('-   - milk\n+4  - oat milk');
  });

  it.each<[string, Edit[], string]>([
    [
      'Notes/Compost.md',
      [{ old_text: 'Turn it.\n\nAgain', new_text: 'Turn.\nNow' }],
      '# Compost\r\n\r\nTurn.\r\nNow.\r\n',
    ],
    [
      'Notes/Compost.md',
      [{ position: 'after:# Compost', content: 'New' }],
      '# Compost\r\nNew\r\n\r\nTurn it.\r\n\r\nAgain.\r\n',
    ],
    [
      'Notes/Straße.md',
      [{ position: 'end', content: 'Drei' }],
      '\uFEFF# Straße\n\nEins\nZwei\n\nDrei',
    ],
    ['Notes/Straße.md', [{ position: 'delete:1-2' }], '\uFEFFEins\nZwei'],
    [
      'Notes/Compost.md',
      [{ position: 'end', content: '## Later\nWait.' }],
      '# Compost\r\n\r\nTurn it.\r\n\r\nAgain.\r\n\r\n## Later\r\nWait.\r\n',
    ],
    ['Notes/Empty.md', [{ position: 'start', content: 'a' }], 'a'],
    ['Notes/京都の苔.md', [{ old_text: '静か', new_text: '緑' }], '# 京都の苔\n\n苔は緑だ。\n'],
    [
      'Lists/Shopping.md',
      [
        { position: 'insert:2', content: '- figs' },
        { old_text: '- cheese', new_text: '- brie' },
      ],
      '- bread\n- figs\n- butter\n- brie\n',
    ],
  ])('edit_file keeps the rest of %s unchanged when editing by %j', async (path, edits, after) => {
    await using bench = await open(FIXTURE);
    await bench.expectSuccess('read_file', { path });
    const { details } = await bench.call('edit_file', { path, edits });
    expect(await bench.notes.read(path)).toMatchObject({ value: { text: after } });
    expect(details).toMatchObject({ kind: 'changes', changes: [{ kind: 'write', path }] });
  });

  it('edit_file applies all edits or none', async () => {
    await using bench = await open(FIXTURE);
    const edits = [
      { position: 'end', content: '- milk' },
      { old_text: 'none', new_text: 'x' },
    ];
    expect(await bench.expectFailure('edit_file', { path: 'Shopping', edits })).toMatch(
      /^Found as `Lists\/Shopping.md`\.\n`Lists\/Shopping.md` was not changed\.\nEdit 2: `old_text` "none" does not occur/,
    );
    expect(await bench.notes.read('Lists/Shopping.md')).toMatchObject({
      value: { text: '- bread\n- butter\n- cheese\n' },
    });
  });

  it('edit_file says that nothing was changed if it was to replace all of nothing', async () => {
    await using bench = await open(FIXTURE);
    const edits = [{ old_text: 'Bread', new_text: 'x', replace_all: true }];
    const result = await bench.call('edit_file', { path: 'Lists/Shopping.md', edits });
    expect(result).toMatchObject({ failed: false, details: { kind: 'unchanged' } });
    expect(result.text).toMatch(
      /^`Lists\/Shopping.md` was not changed\.\nEdit 1: `old_text` "Bread" does not occur in the note as it is now\. It occurs 1 time in another case: "bread"\./,
    );
  });

  /** Reads a list that is then changed from outside, and returns an edit of a line by its number. */
  async function changedList(bench: ToolBench) {
    const path = 'Lists/Shopping.md';
    await bench.expectSuccess('read_file', { path });
    await bench.notes.change(path, '- bread\n- butter\n- cheese\n', '- salt\n- bread\n- brie\n');
    return (line: number) => ({
      ...{ path, edits: [{ position: `replace:${line}`, content: '- rye' }] },
    });
  }

  it('edit_file follows moved lines', async () => {
    await using bench = await open(FIXTURE);
    const replace = await changedList(bench);
    expect(await bench.expectSuccess('edit_file', replace(1))).toContain(
      'Note: the note changed since you saw it; line 1 had moved\n',
    );
  });

  it('edit_file refuses an edit of changed lines, and then accepts the numbers in its refusal', async () => {
    await using bench = await open(FIXTURE);
    const replace = await changedList(bench);
    expect(await bench.expectFailure('edit_file', replace(3))).toMatch(
      /line 3 changed since you saw the note\. As you saw it:\n {2}- cheese\nNow, in their place:\n3: - brie\nRead it again with read_file/,
    );
    expect(await bench.expectFailure('edit_file', replace(1))).toContain('either could be meant');
    expect(await bench.expectSuccess('edit_file', replace(3))).toContain('+3  - rye');
  });

  it.each<[object, RegExp]>([
    [{ path: 'Plan', edits: [{ position: 'end', content: 'x' }] }, /matches several/],
    [{ path: 'Notes', edits: [{ position: 'end', content: 'x' }] }, /is a folder/],
    [{ path: 'Latin1', edits: [{ position: 'end', content: 'x' }] }, /not UTF-8 text/],
    [
      { path: 'Shopping', edits: [{ position: 'insert:1', content: 'x' }] },
      /was shown to you in this conversation.*First call read_file \{"path":"Lists\/Shopping.md"\}/,
    ],
    [{ path: 'Shopping', edits: [{ position: 'below', content: 'x' }] }, /Valid positions are/],
    [
      { path: 'Shopping', edits: [{ old_text: 'b', new_text: 'x' }] },
      /must occur once, but occurs 2 times:\n1: - bread\n2: - butter/,
    ],
    [{ path: 'Shopping', edits: [{ old: 'b' }] }, /edits\[0\]: each edit is either \{old_text/],
    [
      { path: 'Shopping', edits: [] },
      /edits: Expected at least 1 item[^]*A valid input is, for example/,
    ],
    [{ path: 'Shopping' }, /edits is missing/],
  ])('edit_file answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectFailure('edit_file', input)).toMatch(expected);
  });
});

describe('edit_file', () => {
  it('edit_file is refused when the note changes at the same moment', async () => {
    const bench = memoryBench({ 'a.md': 'one\n' });
    bench.notes.refuseAll({ kind: 'changed', now: 'two\n' });
    const text = await bench.expectFailure('edit_file', {
      path: 'a.md',
      edits: [{ position: 'end', content: 'x' }],
    });
    expect(text).toMatch(/^`a.md` was just changed by the user or another program/);
    expect(bench.notes.text('a.md')).toBe('one\n');
  });

  it('edit_file builds on unsaved changes of the user', async () => {
    const bench = memoryBench({ 'a.md': 'one\n' });
    bench.notes.type('a.md', 'one\ntyped\n');
    await bench.expectSuccess('edit_file', {
      path: 'a.md',
      edits: [{ position: 'end', content: 'x' }],
    });
    expect(bench.notes.text('a.md')).toBe('one\ntyped\n\nx\n');
  });

  const piece = fc.constantFrom(
    ...['a', 'b', ' ', '\n', '\n', '\r\n', '---\n', '# A\n', '## B\n', '```\n', '…', '“', '\u200b'],
    ...['\uFEFF', 'e\u0301', '👩‍🚀', '\u2028', '+1  a\n', '\\ No newline at the end of the note.\n'],
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    fc.record({
      old_text: text.filter((each) => each !== ''),
      new_text: text,
      replace_all: fc.boolean(),
    }),
    fc
      .tuple(
        fc.constantFrom('start', 'end', 'after:# A', 'insert:', 'replace:', 'delete:'),
        fc.integer({ min: 1, max: 8 }),
        text,
      )
      .map(([place, line, content]) => ({
        position: place.endsWith(':') ? place + line : place,
        ...(place === 'delete:' ? {} : { content }),
      })),
  );

  it('edit_file writes exactly what its diff shows', async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        async (before, edits) => {
          const bench = memoryBench({ 'a.md': before });
          await bench.expectSuccess('read_file', { path: 'a.md' });
          const result = await bench.call('edit_file', { path: 'a.md', edits });
          const after = bench.notes.text('a.md');
          // Text with unusual characters waits.
          if (result.failed || result.text.includes('Proposed')) {
            expect(textsOf(readEdits(after, ANY_DEVICE)).before).toBe(before);
            return;
          }
          changes += 1;
          // The byte order mark belongs to the file, so the diff does not show it.
          const [old, made] = [withoutMark(before), withoutMark(after)];
          const diff = renderDiff(old, made, { context: Infinity, maxLines: Infinity }).text;
          // The result shows the same changes with less context.
          const shown = result.text
            .split('\n')
            .filter((row) => /^(?:- {3,}|\+ *\d+ {2})/.test(row));
          const whole = diff.split('\n').filter((row) => /^(?:- {3,}|\+ *\d+ {2})/.test(row));
          expect(shown.map((row) => row.replace(/^([-+]) +/, '$1'))).toEqual(
            whole.map((row) => row.replace(/^([-+]) +/, '$1')),
          );
        },
      ),
      cases,
    );
    expect(changes).toBeGreaterThan(cases.numRuns / 30);
  });
});

describe('lines that replace others', () => {
  it.each([
    ['Para one\nline two\n\nNext\n', { old_text: 'line two', new_text: 'line two\nline three' }],
    ['Para one\nline two\n\nNext\n', { position: 'replace:2', content: 'line two\nline three' }],
    ['Roses\nViolets\nSugar\n', { position: 'replace:1-3', content: 'Sugar\nRoses\nViolets' }],
    ['Title\n\nText\n', { old_text: 'Title', new_text: 'Title\n=====' }],
    ['a:: 1\nb:: 2\n', { old_text: 'b:: 2', new_text: 'b:: 2\nc:: 3' }],
    ['- [ ] a\n- [ ] b\n', { old_text: '- [ ] a', new_text: '- [ ] a\n  Note: x' }],
  ])('stay together as they are given: %j', async (before, edit) => {
    const bench = memoryBench({ 'a.md': before });
    await bench.expectSuccess('read_file', { path: 'a.md' });
    await bench.expectSuccess('edit_file', { path: 'a.md', edits: [edit] });
    const given = 'content' in edit ? edit.content : edit.new_text;
    expect(bench.notes.text('a.md')).toContain(given);
  });

  it('are kept apart from the blocks around them', async () => {
    const bench = memoryBench({ 'a.md': '# One\ntext\n' });
    await bench.expectSuccess('read_file', { path: 'a.md' });
    const edits = [{ position: 'replace:1', content: 'One\nmore' }];
    await bench.expectSuccess('edit_file', { path: 'a.md', edits });
    expect(bench.notes.text('a.md')).toBe('One\nmore\n\ntext\n');
  });
});
