/** Finds the tasks of a note: list items with a box, also in quotes and ordered lists. */
import { taskBox } from './block-marks';
import { lineTexts } from './list-diff';
import { lineContexts } from './note-structure';

export interface Task {
  /** From 1. */
  readonly line: number;
  /** `other` for the boxes of themes and plugins, such as `[/]` and `[-]`. */
  readonly status: 'open' | 'done' | 'other';
}

/** Ignores code, math and front matter. */
export function tasksIn(text: string): Task[] {
  const lines = lineTexts(text);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): Task[] => {
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    const box = isProse ? taskBox(line) : null;
    if (box === null) return [];
    return [{ line: at + 1, status: box === ' ' ? 'open' : /x/i.test(box) ? 'done' : 'other' }];
  });
}
