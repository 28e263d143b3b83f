import { describe, expect, it } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

const FILES = {
  'Work/A.md': '---\nstatus: open\n---\nText of A\n',
  'Work/B.md': 'Text of B\n',
  'Work/C.md': '---\nstatus: done\n---\nText of C\n',
  'Home/D.md': 'Text of D #home\n',
  'map.png': 'no note',
};

describe('a change of many notes in one call', () => {
  it('says what happened in each note, what stayed, and what failed', async () => {
    await using bench = memoryBench(FILES);
    const paths = ['Work/A', 'Work/B.md', 'Work/C.md', 'Gone.md', 'map.png'];
    const result = await bench.call('update_properties', { paths, set: { status: 'done' } });
    expect(result.text).toMatchInlineSnapshot(`
      "Changed properties of 2 notes:
        Work/A.md: status (text): "done", was "open"
        Work/B.md: status (text): "done", new
      Nothing to change in 1 note: Work/C.md.
      Not done in 2 notes:
        Gone.md: \`Gone.md\` does not exist. No similar name was found. Look for a name with list_files, or for text with search_files.
        map.png: map.png is not a note, so it has no properties. Expected a .md file."
    `);
    expect(result.failed).toBe(false);
    expect(result.details).toMatchObject({
      kind: 'changes',
      changes: [{ path: 'Work/A.md' }, { path: 'Work/B.md' }],
    });
    expect(await bench.textOf('Work/A.md')).toContain('status: done');
    expect(await bench.textOf('Work/B.md')).toContain('status: done');
  });

  it('changes all notes that meet conditions', async () => {
    await using bench = memoryBench(FILES);
    const input = { where: { folder: 'Work' }, tags: ['x'] };
    expect(await bench.expectSuccess('add_tags', input)).toMatchInlineSnapshot(`
      "Tagged 3 notes (#x):
        Work/A.md
        Work/B.md
        Work/C.md"
    `);
    expect(await bench.textOf('Home/D.md')).toBe(FILES['Home/D.md']);
  });

  it('gives each note values of its own, beside those of all', async () => {
    await using bench = memoryBench(FILES);
    const each = { 'Work/A': { rating: 4 }, 'Work/B.md': { rating: 2, status: 'open' } };
    expect(await bench.expectSuccess('update_properties', { each, set: { Status: 'done' } }))
      .toMatchInlineSnapshot(`
      "Changed properties of 2 notes:
        Work/A.md: status (text): "done", was "open"; rating (number): 4, new
        Work/B.md: rating (number): 2, new; status (text): "open", new"
    `);
    expect(await bench.textOf('Work/B.md')).toBe('---\nrating: 2\nstatus: open\n---\nText of B\n');
  });

  it('returns the whole result if only one note is meant', async () => {
    await using bench = memoryBench(FILES);
    const input = { where: { tags: ['home'] }, set: { a: 1 } };
    expect(await bench.expectSuccess('update_properties', input)).toBe(
      'Changed properties of Home/D.md:\n  a (number): 1, new',
    );
  });

  it.each([
    [{ set: { a: 1 } }, 'Give one of path, paths, where'],
    [{ path: 'Work/A.md', paths: ['Work/B.md'], set: { a: 1 } }, 'Give one of path, paths, where'],
    [{ where: {}, set: { a: 1 } }, 'at least one condition'],
    [{ each: { 'Work/A.md': { a: 1 } }, path: 'Work/B.md' }, 'Give one of path, paths, where'],
    [{ each: { 'Work/A.md': { a: 1 }, 'Work/B.md': {} } }, 'or values for every note in each'],
    [{ each: {} }, 'Give one of path, paths, where'],
    [{ each: { 'Work/A.md': { a: 1 } }, rename: { A: 'b' } }, 'must not be in set or remove'],
    [{ each: { 'Work/A.md': { a: 1 } }, remove: ['A'] }, 'must not be both set and removed'],
    [{ where: { folders: 'Work' }, set: { a: 1 } }, 'where: Unrecognized key: "folders"'],
    [{ where: { folder: 'Nowhere' }, set: { a: 1 } }, '`Nowhere` does not exist'],
    [{ where: { tags: ['none'] }, set: { a: 1 } }, 'No note meets these conditions'],
    [{ paths: ['Gone.md', 'Lost.md'], set: { a: 1 } }, 'Not done in 2 notes'],
  ])('refuses %j', async (input, reason) => {
    await using bench = memoryBench(FILES);
    expect(await bench.expectFailure('update_properties', input)).toContain(reason);
  });
});

describe('update_properties', () => {
  const note = '---\n# Kept\nStatus: open # now\n"due date":   2026-12-01\ntags: [a]\n---\nText\n';

  it('renames a property and keeps its value, place and form', async () => {
    await using bench = memoryBench({ 'A.md': note });
    const rename = { status: 'state', 'due date': 'due: "x"' };
    await bench.expectSuccess('update_properties', { path: 'A.md', rename });
    expect(await bench.textOf('A.md')).toBe(
      note.replace('Status:', 'state:').replace('"due date":', `'due: "x"':`),
    );
  });

  it('renames nothing over a property that the note has already', async () => {
    await using bench = memoryBench({ 'A.md': note, 'B.md': '---\nStatus: x\n---\n' });
    const rename = { status: 'due date' };
    const paths = ['A.md', 'B.md'];
    const text = await bench.expectSuccess('update_properties', { paths, rename });
    expect(text).toContain(
      'A.md has the property due date already, so nothing was changed. Its value there is',
    );
    expect(await bench.textOf('A.md')).toBe(note);
    expect(await bench.textOf('B.md')).toBe('---\ndue date: x\n---\n');
  });

  it('changes the case of a name', async () => {
    await using bench = memoryBench({ 'A.md': note });
    await bench.expectSuccess('update_properties', { path: 'A.md', rename: { Status: 'status' } });
    expect(await bench.textOf('A.md')).toBe(note.replace('Status', 'status'));
  });
});

const TAGGED = `---
tags:
  - project/boat # the boat
  - other
  - projects
---
Text #project and #Project/Boat, not #projects, \`#project\`, [[A#project]] or
https://example.org/ #project/x
https://example.org/#project [x](y.md#project "a #project")

\`\`\`
#project
\`\`\`
- #project
- [ ] call #project now
`;

describe('rename_tag', () => {
  it('renames a tag and those nested below it, in properties and text only', async () => {
    await using bench = memoryBench({ 'A.md': TAGGED, 'B.md': 'No tag.\n' });
    const text = await bench.expectSuccess('rename_tag', { tag: '#project', to: 'work' });
    expect(text).toBe(
      'Changed tags of A.md: #project is now #work (also #project/boat, #Project/Boat, #project/x), 6 places.',
    );
    expect(await bench.textOf('A.md')).toBe(
      TAGGED.replace('project/boat #', 'work/boat #')
        .replace('Text #project and #Project/Boat', 'Text #work and #work/Boat')
        .replace('/ #project/x', '/ #work/x')
        .replace('- #project\n', '- #work\n')
        .replace('call #project', 'call #work'),
    );
  });

  it('removes a tag with the blank beside it', async () => {
    await using bench = memoryBench({ 'A.md': TAGGED });
    await bench.expectSuccess('rename_tag', { tag: 'project', to: null });
    expect(await bench.textOf('A.md')).toBe(
      TAGGED.replace('  - project/boat # the boat\n', '')
        .replace('Text #project and #Project/Boat,', 'Text and,')
        .replace('/ #project/x', '/')
        .replace('- #project\n', '- \n')
        .replace('call #project now', 'call now'),
    );
  });

  it.each([
    ['tags: one, two', 'tags: three, two'],
    ['tags: one, three', 'tags: three'],
    ['tags: "#one"', 'tags: "#three"'],
    ['tag: one', 'tag: three'],
    ['tags: [one, three, One]', 'tags: [three]'],
    ["tags: ['one', two]", "tags: ['three', two]"],
  ])('keeps the form of %s', async (before, after) => {
    await using bench = memoryBench({ 'A.md': `---\n${before}\n---\n` });
    await bench.expectSuccess('rename_tag', { tag: 'one', to: 'three', paths: ['A.md'] });
    expect(await bench.textOf('A.md')).toBe(`---\n${after}\n---\n`);
  });

  it('proposes a change of the text in Review, and changes properties at once', async () => {
    const files = { 'Text.md': 'Now #one.\n', 'Front.md': '---\ntags: [one]\n---\n' };
    await using bench = memoryBench(files, { settings: { panelMode: 'review' } });
    const text = await bench.expectSuccess('rename_tag', { tag: 'one', to: 'two' });
    expect(text).toContain('Changed tags of 1 note (#one is now #two, 1 place):\n  Front.md');
    expect(text).toContain('Proposed to change tags of 1 note (#one is now #two, 1 place).');
    expect(bench.notes.text('Text.md')).toContain('Now #one.');
    expect(bench.notes.text('Front.md')).toBe('---\ntags: [two]\n---\n');
  });

  it('refuses what can’t be a tag', async () => {
    await using bench = memoryBench({ 'A.md': TAGGED });
    const text = await bench.expectFailure('rename_tag', { tag: 'project', to: 'two words' });
    expect(text).toContain('"two words" can\'t be a tag');
  });
});

describe('move', () => {
  const files = { 'A.md': 'a', 'B.md': 'b', 'C.md': 'c', 'See.md': '[[B]] [[C]]' };

  it('moves several in the given order, each seeing the moves before it', async () => {
    await using bench = memoryBench(files);
    const moves = [
      { source: 'B.md', destination: 'Old/' },
      { source: 'A.md', destination: 'B.md' },
      { source: 'Gone.md', destination: 'Old/' },
      { source: 'C.md', destination: 'See.md' },
    ];
    const text = await bench.expectSuccess('move', { moves });
    expect(text).toContain('Moved 2 files:\n  B.md: to Old/B.md');
    expect(text).toContain('  A.md: to B.md');
    expect(text).toContain('Not done in 2 files:\n  Gone.md: `Gone.md` does not exist.');
    expect(text).toContain('C.md: See.md already exists');
    expect(bench.notes.text('B.md')).toBe('a');
    expect(bench.notes.text('Old/B.md')).toBe('b');
  });

  it('plans moves that depend on each other as they will be made', async () => {
    await using bench = memoryBench(files, { settings: { tools: { move: 'ask' } } });
    const moves = [
      { source: 'B.md', destination: 'Old/' },
      { source: 'A.md', destination: 'B.md' },
      { source: 'B.md', destination: 'D.md' },
    ];
    const asked = await bench.approvalOf('move', { moves });
    expect(asked.lines).toEqual([
      'Moves B.md to Old/B.md.',
      'Moves A.md to B.md.',
      'Moves B.md to D.md.',
    ]);
    expect(await bench.confirm(asked, 'allow-once')).toMatchObject({ failed: false });
    expect(bench.notes.text('D.md')).toBe('a');
  });
});

describe('delete', () => {
  const files = { 'A.md': 'a\n', 'B.md': '[[A]] [[C]]\n', 'C.md': 'c\n', 'Home.md': '[[A]]\n' };

  it('asks once for several, and says what each loses', async () => {
    await using bench = memoryBench(files);
    const asked = await bench.approvalOf('delete', { paths: ['A.md', 'C.md', 'Gone.md'] });
    expect(asked).toMatchObject({
      title: 'Delete 2 notes?',
      choices: ['delete', 'keep'],
      lines: [expect.stringMatching(/: Gone\.md\.$/)],
      items: [
        expect.stringMatching(/^A\.md: A note of 1 line.*2 notes link to it.*undo brings it back/),
        expect.stringMatching(/^C\.md: A note of 1 line.*1 note links to it.*undo brings it back/),
      ],
    });
    bench.notes.put('C.md', 'changed\n');
    const result = await bench.confirm(asked, 'delete');
    expect(result.text).toContain('Deleted 1 file');
    expect(result.text).toContain('Gone.md');
    expect(bench.notes.get('A.md')).toBeUndefined();
    expect(bench.notes.text('C.md')).toBe('changed\n');
  });
});

describe('copy', () => {
  const files = {
    'Plan/A.md': '---\nx: 1\n---\n[[B]]\n',
    'Plan/Sub/B.md': 'b\r\n',
    'Plan/map.png': Uint8Array.of(0xff, 0xfe, 0),
  };

  it('duplicates a note', async () => {
    await using bench = memoryBench(files);
    const input = { source: 'A', destination: 'Plan/A 2' };
    expect(await bench.expectSuccess('copy', input)).toBe(
      'Created Plan/A 2.md, a copy of Plan/A.md.',
    );
    expect(bench.notes.text('Plan/A 2.md')).toBe(files['Plan/A.md']);
    expect(await bench.expectFailure('copy', input)).toContain('already exists');
  });

  it('duplicates a folder, and names what is not text', async () => {
    await using bench = memoryBench(files);
    const text = await bench.expectSuccess('copy', { source: 'Plan/', destination: 'Plan 2027' });
    expect(text).toContain('Copied 2 files:\n  Plan 2027/A.md\n  Plan 2027/Sub/B.md');
    expect(text).toContain('Not done in 1 file:\n  Plan/map.png');
    expect(bench.notes.text('Plan 2027/Sub/B.md')).toBe('b\r\n');
  });

  it('copies no edit that waits for the user', async () => {
    await using bench = memoryBench(files, { settings: { panelMode: 'review' } });
    const edits = [{ position: 'end', content: 'More.' }];
    await bench.expectSuccess('edit_file', { path: 'Plan/A.md', edits });
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    const text = await bench.expectSuccess('copy', { source: 'Plan/A.md', destination: 'C.md' });
    expect(text).toContain('Edits of it that wait for the user were not copied.');
    expect(bench.notes.text('C.md')).toBe(files['Plan/A.md']);
  });
});
