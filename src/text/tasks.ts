/** Finds the tasks of a note: list items with a box, also in quotes and ordered lists. */
import { taskBox } from './block-marks';
import { lineTexts } from './list-diff';
import { lineContexts } from './note-structure';
import { readTaskLine, statusOf, type TaskStatus } from './task-fields';

export interface Task {
  /** From 1. */
  readonly line: number;
  readonly status: TaskStatus;
}

/** Ignores code, math and front matter. */
export function tasksIn(text: string): Task[] {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): Task[] => {
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    const box = isProse ? taskBox(line) : null;
    return box === null ? [] : [{ line: at + 1, status: statusOf(box) }];
  });
}

/**
 * The mark of a task that neither Obsidian nor the Tasks plugin defines, such as `?`; null for all
 * others. The Tasks plugin counts it as not done.
 */
export function customMark(line: string): string | null {
  const box = taskBox(line);
  return box === null || ' xX/-'.includes(box) ? null : box;
}

/** Where the fields at the end of a task begin, with the blanks before them; null if there are none. */
export function taskFieldsFrom(line: string): number | null {
  const task = readTaskLine(line);
  return task && task.fieldsFrom < task.endsAt ? task.fieldsFrom : null;
}
