import { expect, it } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

const FILES = { 'Projects/Garden.md': '# Garden\n', 'Other.md': '', 'map.png': Uint8Array.of(1) };

it('shows a file to the person, and says what is not there', async () => {
  const bench = memoryBench(FILES);
  expect(await bench.says('open_note', { path: 'garden', line: 3 })).toBe(
    'Found as `Projects/Garden.md`.\nProjects/Garden.md is open at line 3.',
  );
  await bench.says('open_note', { path: 'map.png', new_tab: true });
  expect(await bench.refuses('open_note', { path: 'Gardn' })).toContain('Close matches');
  expect(bench.shown).toEqual(['Projects/Garden.md:3', 'map.png']);
});

it('shows nothing where navigating is switched off', async () => {
  const bench = memoryBench(FILES, { settings: { allowNavigate: false } });
  expect(await bench.refuses('open_note', { path: 'Other.md' })).toContain('switched off');
  expect(bench.shown).toEqual([]);
});
