import { expect, test, vi } from 'vitest';
import { OpenTasks } from '#tools/due-tasks';
import { memoryBench } from '#tests/builders/tools';

const DAY = '2026-11-28';

test('the first answer about due tasks reads no note that was read ahead and is unchanged', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `${at}.md`);
  const bench = memoryBench(
    Object.fromEntries(names.map((name) => [name, `- [ ] read ${name} 📅 ${DAY}\n`])),
  );
  const tasks = new OpenTasks(bench.notes);
  await tasks.readAhead(bench.readOnlyContext());
  await bench.notes.change('7.md', `- [ ] read 7.md 📅 ${DAY}\n`, `- [ ] wait 📅 ${DAY}\n`);
  const read = vi.spyOn(bench.notes, 'read');
  const { dated } = await tasks.dueUntil(DAY, bench.readOnlyContext());
  expect(read.mock.calls).toEqual([['7.md']]);
  expect(dated).toHaveLength(names.length);
  expect(dated.find(({ path }) => path === '7.md')?.title).toBe('wait');
});
