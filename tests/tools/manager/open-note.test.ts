import { expect, it } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

const FILES = { 'Projects/Garden.md': '# Garden\n', 'Other.md': '', 'map.png': Uint8Array.of(1) };

it('open_note opens a file, and suggests close matches for a missing one', async () => {
  const bench = memoryBench(FILES);
  expect(await bench.expectSuccess('open_note', { path: 'garden', line: 1 })).toBe(
    'Found as `Projects/Garden.md`.\nProjects/Garden.md is open at line 1.',
  );
  await bench.expectSuccess('open_note', { path: 'map.png', new_tab: true });
  expect(await bench.expectFailure('open_note', { path: 'Gardn' })).toContain('Close matches');
  expect(bench.shown).toEqual(['Projects/Garden.md:1', 'map.png']);
});

it('open_note opens the line shown under the number, and refuses one beyond the end', async () => {
  const bench = memoryBench({ 'A.md': 'one\ntwo\n' });
  await bench.expectSuccess('read_file', { path: 'A.md' });
  await bench.notes.change('A.md', 'one\ntwo\n', 'new\none\ntwo\n');
  expect(await bench.expectSuccess('open_note', { path: 'A.md', line: 2 })).toBe(
    'A.md is open at line 3.',
  );
  expect(await bench.expectFailure('open_note', { path: 'A.md', line: 400 })).toBe(
    'A.md has 3 lines, so there is no line 400. Nothing was opened.',
  );
  expect(bench.shown).toEqual(['A.md:3']);
});

it('open_note opens nothing if navigating is off', async () => {
  const bench = memoryBench(FILES, { settings: { allowNavigate: false } });
  expect(await bench.expectFailure('open_note', { path: 'Other.md' })).toContain(
    'do not allow opening notes',
  );
  expect(bench.shown).toEqual([]);
});
