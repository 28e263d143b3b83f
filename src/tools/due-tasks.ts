/** Open tasks by the day when they are due, for answers without a model. */
import type { NoteVault } from '#ports/vault';
import { Slices } from '#ports/slices';
import { lineTexts } from '#text/list-diff';
import { plainText } from '#text/plain-text';
import { dateOf, PRIORITIES, priorityOf, readTaskLine, taskWords } from '#text/task-fields';
import { statusOf, type TaskMarks } from '#text/task-marks';
import { tasksIn } from '#text/tasks';
import type { ToolContext } from './tool';

export interface DueTask {
  readonly path: string;
  /** From 1. */
  readonly line: number;
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

type OpenTask = DueTask & {
  /** The less, the more urgent. */
  readonly rank: number;
};

/** Notes that are read at once. */
const MAX_READS = 32;

/** Finds the open tasks of the vault. A note is read again only after it has changed. */
export class OpenTasks {
  /** By path, as the notes are saved. */
  readonly #known = new Map<string, Promise<readonly OpenTask[]>>();
  /** With which they were read. */
  #marks: TaskMarks | undefined;

  constructor(notes: Pick<NoteVault, 'onChange'>) {
    notes.onChange((event) => {
      this.#known.delete(event.path);
      if (event.kind === 'renamed') this.#known.delete(event.from);
    });
  }

  /** The open tasks that the agent may see, up to a day. */
  async dueUntil(until: string, context: ToolContext): Promise<DueTasks> {
    const { vault, clock } = context;
    const all = await this.#all(context);
    const daily = await vault.dailyNote(clock.now());
    return {
      today: clock.date(clock.now()),
      dated: all
        .filter(({ day }) => day !== null && day <= until)
        .sort((a, b) =>
          (a.day ?? '') < (b.day ?? '') ? -1 : a.day === b.day ? a.rank - b.rank : 1,
        ),
      inDailyNote: all.filter(({ path, day }) => day === null && path === daily?.path),
    };
  }

  /** Reads the notes with tasks ahead of the first question, which can then answer at once. */
  async readAhead(context: ToolContext): Promise<void> {
    await this.#all(context);
  }

  async #all({ vault, clock, signal }: ToolContext): Promise<readonly OpenTask[]> {
    const marks = (await vault.taskSettings())?.marks;
    if (!isSame(marks, this.#marks)) this.#known.clear();
    this.#marks = marks;
    const metadata = await vault.metadata();
    const found = await metadata.notesWithTasks((mark) => statusOf(mark, marks) === 'open');
    const paths = [...found].sort();
    const all: OpenTask[] = [];
    const slices = new Slices(clock, signal);
    for (let from = 0; from < paths.length && !slices.stopped; from += MAX_READS) {
      const some = paths.slice(from, from + MAX_READS).map(async (path) => {
        const text = metadata.textOf(path);
        return text === null ? this.#saved(path, vault, marks) : openTasks(path, text, marks);
      });
      for (const tasks of await Promise.all(some)) all.push(...tasks);
      if (slices.isDue) await slices.pause();
    }
    return all;
  }

  #saved(
    path: string,
    vault: ToolContext['vault'],
    marks: TaskMarks | undefined,
  ): Promise<readonly OpenTask[]> {
    const known = this.#known.get(path);
    if (known) return known;
    const reading = vault.read(path).then((read) => {
      if (read.ok) return openTasks(path, read.value.text, marks);
      // It may be readable next time.
      if (this.#known.get(path) === reading) this.#known.delete(path);
      return [];
    });
    this.#known.set(path, reading);
    return reading;
  }
}

function isSame(some: TaskMarks | undefined, others: TaskMarks | undefined): boolean {
  return JSON.stringify([...(some ?? [])]) === JSON.stringify([...(others ?? [])]);
}

function openTasks(path: string, text: string, marks: TaskMarks | undefined): readonly OpenTask[] {
  const lines = lineTexts(text);
  return tasksIn(text, marks).flatMap(({ line, status }) => {
    const task = status === 'open' ? readTaskLine((lines[line - 1] ?? '').trimEnd()) : null;
    if (!task) return [];
    const title = plainText(taskWords(task).replace(/(?<!\S)#[^\s#]+/g, ' '));
    if (title === '') return [];
    const priority = priorityOf(task);
    // Without a priority, a task is between medium and low.
    const rank = priority === null ? 2.5 : PRIORITIES.indexOf(priority);
    return [{ path, line, title, day: dateOf(task, 'due') ?? dateOf(task, 'scheduled'), rank }];
  });
}
