/** Open tasks by the day when they are due, for answers without a model. */
import { ANY } from '#ports/metadata';
import { Slices } from '#ports/slices';
import { plainText } from '#text/plain-text';
import { dateOf, PRIORITIES, priorityOf, readTaskLine, taskWords } from '#text/task-fields';
import { tasksIn } from '#text/tasks';
import type { ToolContext } from './tool';

export interface DueTask {
  readonly path: string;
  readonly title: string;
  /** When it is due, or else scheduled; null for neither. */
  readonly day: string | null;
}

export interface DueTasks {
  readonly today: string;
  /** Those with a day, by day and priority. */
  readonly dated: readonly DueTask[];
  /** Those without a day in the note of today. */
  readonly inDailyNote: readonly DueTask[];
}

/** The open tasks that the agent may see, up to a day. */
export async function dueTasks(context: ToolContext, until: string): Promise<DueTasks> {
  const { vault, clock, signal } = context;
  const paths = await (await vault.metadata()).notesWith('task', ANY);
  const daily = await vault.dailyNote(clock.now());
  const all: (DueTask & { readonly rank: number })[] = [];
  const slices = new Slices(clock, signal);
  for (const path of [...paths].sort()) {
    if (slices.stopped) break;
    if (slices.isDue) await slices.pause();
    const read = await vault.read(path);
    if (read.ok) all.push(...openTasks(path, read.value.text));
  }
  return {
    today: clock.date(clock.now()),
    dated: all
      .filter(({ day }) => day !== null && day <= until)
      .sort((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : a.day === b.day ? a.rank - b.rank : 1)),
    inDailyNote: all.filter(({ path, day }) => day === null && path === daily?.path),
  };
}

function openTasks(path: string, text: string): (DueTask & { readonly rank: number })[] {
  const lines = text.split('\n');
  return tasksIn(text).flatMap(({ line, status }) => {
    const task = status === 'open' ? readTaskLine((lines[line - 1] ?? '').trimEnd()) : null;
    if (!task) return [];
    const title = plainText(taskWords(task).replace(/(?<!\S)#[^\s#]+/g, ' '));
    if (title === '') return [];
    const priority = priorityOf(task);
    // Without a priority, a task is between medium and low.
    const rank = priority === null ? 2.5 : PRIORITIES.indexOf(priority);
    return [{ path, title, day: dateOf(task, 'due') ?? dateOf(task, 'scheduled'), rank }];
  });
}
