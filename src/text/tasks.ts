/** Finds the tasks of a note: list items with a box, also in quotes and ordered lists. */
import { taskBox } from './block-marks';
import { lineTexts } from './list-diff';
import { lineContexts } from './note-structure';

export interface Task {
  /** From 1. */
  readonly line: number;
  /** Boxes of themes and plugins, such as `[/]` and `[>]`, are open unless they mean canceled. */
  readonly status: 'open' | 'done' | 'canceled';
}

/** Ignores code, math and front matter. */
export function tasksIn(text: string): Task[] {
  const lines = lineTexts(text);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): Task[] => {
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    const box = isProse ? taskBox(line) : null;
    if (box === null) return [];
    const status = /x/i.test(box) ? 'done' : box === '-' ? 'canceled' : 'open';
    return [{ line: at + 1, status }];
  });
}
