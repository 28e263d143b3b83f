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

  it('returns the whole result if only one note is meant', async () => {
    await using bench = memoryBench(FILES);
    const input = { where: { tags: ['home'] }, set: { a: 1 } };
    expect(await bench.expectSuccess('update_properties', input)).toBe(
      'Changed properties of Home/D.md:\n  a (number): 1, new',
    );
  });

  it.each([
    [{ set: { a: 1 } }, 'Give one of path, paths, or where'],
    [{ path: 'Work/A.md', paths: ['Work/B.md'], set: { a: 1 } }, 'Give one of path, paths, or'],
    [{ where: {}, set: { a: 1 } }, 'at least one condition'],
    [{ where: { folders: 'Work' }, set: { a: 1 } }, 'where: Unrecognized key: "folders"'],
    [{ where: { folder: 'Nowhere' }, set: { a: 1 } }, '`Nowhere` does not exist'],
    [{ where: { tags: ['none'] }, set: { a: 1 } }, 'No note meets these conditions'],
    [{ paths: ['Gone.md', 'Lost.md'], set: { a: 1 } }, 'Not done in 2 notes'],
  ])('refuses %j', async (input, reason) => {
    await using bench = memoryBench(FILES);
    expect(await bench.expectFailure('update_properties', input)).toContain(reason);
  });
});
