import { expect, it } from 'vitest';
import { memoryBench } from '#tests/builders/tools';

const FILES = {
  'Garden.md': '# Garden\nBeans.\n',
  'Seeds.md': 'Peas.\n',
  'Diary.md': 'Secret. #private\n',
  'map.png': Uint8Array.of(1, 200, 255),
};

it('copy_notes offers each note once, and gives the model none of their text', async () => {
  const bench = memoryBench(FILES);
  expect(await bench.call('copy_notes', { paths: ['garden', 'Seeds.md', 'Garden.md'] })).toEqual({
    text: 'The chat now has a button that copies Garden.md, Seeds.md (22 characters). Nothing is copied until the user clicks it.',
    failed: false,
    details: { kind: 'copy', paths: ['Garden.md', 'Seeds.md'] },
  });
});

it.each([
  [['Gardn.md'], 'Close matches: `Garden.md`'],
  [['Garden.md', 'Diary.md'], '`Diary.md` does not exist'],
  [['map.png'], 'is not UTF-8 text'],
  [[], 'Expected at least 1 item'],
])('copy_notes refuses %j', async (paths, problem) => {
  expect(await memoryBench(FILES).expectFailure('copy_notes', { paths })).toContain(problem);
});
