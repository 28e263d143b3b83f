import { expect, it } from 'vitest';
import { countProgress } from '#tools/progress';
import { testClock } from '#tests/builders/fake-clock';

it('a count is reported once a second, and not at all by what takes less', async () => {
  const clock = testClock();
  const told: (readonly [words: string, doing: string | undefined])[] = [];
  const reportProgress = (words: string, doing?: string) => void told.push([words, doing]);
  const tagged = countProgress({ clock, reportProgress });
  for (let done = 1; done <= 40; done += 1) {
    await clock.advance(100);
    tagged(done, 4_000);
  }
  expect(told.map(([words]) => words)).toEqual([
    '4,000 notes, 0 %',
    '4,000 notes, 0 %',
    '4,000 notes, 0 %',
    '4,000 notes, 1 %',
  ]);
  const read = countProgress({ clock, reportProgress }, 'file', 'Reading');
  await clock.advance(1_000);
  read(2_516, 6_289);
  expect(told.at(-1)).toEqual(['6,289 files, 40 %', 'Reading']);
});
