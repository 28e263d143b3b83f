/** Ticking all tasks of a note and undoing it leaves the note as it was, byte for byte. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tasksIn } from '#text/tasks';
import { memoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { parts, written } from '#tests/text/task-parts';

const PATH = 'Tasks.md';
const TASKS_IN_A_NOTE = 40;
/** With 40 tasks each, 2,000 tasks. */
const MANY = { numRuns: Math.max(50, cases.numRuns / TASKS_IN_A_NOTE) };

const note = fc
  .record({
    tasks: fc.array(parts, { minLength: TASKS_IN_A_NOTE, maxLength: TASKS_IN_A_NOTE }),
    ending: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    end: fc.constantFrom('', '\n', '\n\nEnd.'),
  })
  .map(({ tasks, ending, mark, end }) => {
    return mark + `# Tasks\n\n${tasks.map(written).join('\n')}${end}`.replaceAll('\n', ending);
  });

test(
  'ticking all tasks of a note changes only their lines, and undo restores the note',
  { timeout: CASES_TIMEOUT_MS },
  async () => {
    let ticked = 0;
    await fc.assert(
      fc.asyncProperty(note, fc.constantFrom('done', 'canceled'), async (text, status) => {
        await using bench = memoryBench({ [PATH]: text });
        await bench.expectSuccess('read_file', { path: PATH });
        const tasks = tasksIn(text).map(({ line }) => line);
        const {
          failed,
          text: told,
          details,
        } = await bench.call('update_tasks', { path: PATH, tasks, status });
        expect(failed, told).toBe(false);
        const now = await bench.textOf(PATH);
        const own = tasks.map((line) => text.split('\n')[line - 1]);
        const others = text.split('\n').filter((line) => !own.includes(line));
        expect(now.split('\n').filter((line) => others.includes(line))).toEqual(others);
        ticked += tasks.length;
        const ids = details?.kind === 'changes' ? details.changes.map(({ change }) => change) : [];
        await bench.expectSuccess('undo_changes', { ids });
        const read = await bench.notes.read(PATH);
        expect(read).toMatchObject({ ok: true, value: { text } });
      }),
      MANY,
    );
    expect(ticked).toBeGreaterThan(1_000);
  },
);
