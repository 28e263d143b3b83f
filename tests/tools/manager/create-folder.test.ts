import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';
import { FIXTURE } from '#tests/tools/fixture-vault';

describe.each(BENCHES)('create_folder %s', (_, open) => {
  it('create_folder creates a folder with its parents, and says if it exists already', async () => {
    await using bench = await open(FIXTURE);
    const result = await bench.call('create_folder', { path: 'New/Deep/' });
    expect(result.text).toBe('Created the folder New/Deep.');
    expect(result.details).toMatchObject({ changes: [{ kind: 'folder', path: 'New/Deep' }] });
    expect(bench.notes.get('New/Deep')).toMatchObject({ kind: 'folder' });
    expect(await bench.expectSuccess('create_folder', { path: 'New/Deep' })).toBe(
      'New/Deep already exists.',
    );
    expect(await bench.expectSuccess('create_folder', { path: '/' })).toBe('/ already exists.');
  });

  it.each([
    [{ path: 'notes/new/x' }, /the existing `Notes` differ .* Use `Notes\/new\/x` or/],
    [{ path: 'notes' }, /the existing `Notes` differ only in case/],
    [{ path: 'Lists/Shopping.md' }, /^Lists\/Shopping.md is a file; a folder can't have the same/],
    [{ path: 'Lists/Shopping.md/x' }, /`Lists\/Shopping.md` is a file, not a folder/],
    [{ path: 'what?' }, /not allowed in names on every system/],
    [{ path: '.git' }, /is protected/],
    [{ folder: 'x' }, /path is missing/],
  ])('create_folder answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectFailure('create_folder', input)).toMatch(expected);
  });
});
