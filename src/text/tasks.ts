/** Finds the tasks of a note: list items with a box, also in quotes and ordered lists. */
import { taskBox } from './block-marks';
import { lineTexts } from './list-diff';
import { lineContexts } from './note-structure';
import { readTaskLine } from './task-fields';
import { DEFAULT_MARKS, statusOf, type TaskMarks, type TaskStatus } from './task-marks';

export interface Task {
  /** From 1. */
  readonly line: number;
  readonly status: TaskStatus;
  /** The character in its box. */
  readonly mark: string;
}

/** Ignores code, math and front matter, and lines whose marks make no task. */
export function tasksIn(text: string, marks?: TaskMarks): Task[] {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): Task[] => {
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    const mark = isProse ? taskBox(line) : null;
    const status = mark === null ? 'none' : statusOf(mark, marks);
    return mark === null || status === 'none' ? [] : [{ line: at + 1, status, mark }];
  });
}

/**
 * The mark of a task with an undefined status, such as `?`; null for all others. The Tasks plugin
 * counts it as not done.
 */
export function customMark(line: string, marks = DEFAULT_MARKS): string | null {
  const box = taskBox(line);
  return box === null || marks.has(box) ? null : box;
}

/** Where the fields at the end of a task begin, with the blanks before them; null if there are none. */
export function taskFieldsFrom(line: string): number | null {
  const task = readTaskLine(line);
  return task && task.fieldsFrom < task.endsAt ? task.fieldsFrom : null;
}
