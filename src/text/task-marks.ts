/**
 * What the marks in the boxes of tasks mean, such as the `/` of `[/]`: by the statuses that the user
 * has set in the Tasks plugin, or else by its defaults.
 */

export type TaskStatus = 'open' | 'done' | 'canceled';

/** The status types of the Tasks plugin. A line with a mark of `non-task` is no task. */
export type TaskMarkType = 'todo' | 'in-progress' | 'on-hold' | 'done' | 'canceled' | 'non-task';

export interface TaskMark {
  readonly type: TaskMarkType;
  /** The mark that follows it when the box is clicked. */
  readonly next: string;
}

/** By the character. */
export type TaskMarks = ReadonlyMap<string, TaskMark>;

export const DEFAULT_MARKS: TaskMarks = new Map<string, TaskMark>([
  [' ', { type: 'todo', next: 'x' }],
  ['x', { type: 'done', next: ' ' }],
  ['X', { type: 'done', next: ' ' }],
  ['/', { type: 'in-progress', next: 'x' }],
  ['-', { type: 'canceled', next: ' ' }],
]);

const STATUSES: Readonly<Record<TaskMarkType, TaskStatus | 'none'>> = {
  ...{ todo: 'open', 'in-progress': 'open', 'on-hold': 'open' },
  ...{ done: 'done', canceled: 'canceled', 'non-task': 'none' },
};

/** The Tasks plugin takes a mark that it does not know for one of a task to be done. */
const UNKNOWN: TaskMark = { type: 'todo', next: 'x' };

export function statusOf(mark: string, marks = DEFAULT_MARKS): TaskStatus | 'none' {
  return STATUSES[(marks.get(mark) ?? UNKNOWN).type];
}

const USUAL: Readonly<Record<TaskStatus, string>> = { open: ' ', done: 'x', canceled: '-' };

/** The mark that gives a task with this one another status: the next of them, as with clicks. */
export function markFor(status: TaskStatus, mark: string, marks = DEFAULT_MARKS): string {
  return following(mark, marks).find((each) => statusOf(each, marks) === status) ?? USUAL[status];
}

/** The mark of the next task of one that recurs and was done, as the Tasks plugin chooses it. */
export function markOfNextTask(done: string, marks = DEFAULT_MARKS): string {
  const all = following(done, marks);
  const first = (type: TaskMarkType) =>
    all.find((each) => (marks.get(each) ?? UNKNOWN).type === type);
  return first('todo') ?? first('in-progress') ?? ' ';
}

/** The marks that come one after the other when the box is clicked, until they repeat. */
function following(mark: string, marks: TaskMarks): readonly string[] {
  const all: string[] = [];
  for (let at = mark; ;) {
    at = (marks.get(at) ?? UNKNOWN).next;
    if (at === '' || all.includes(at)) return all;
    all.push(at);
  }
}
