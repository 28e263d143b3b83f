/** Changes a task as the Tasks plugin would, with the next one of a task that recurs. */
import { daysBetween, daysLater, isDay } from './days';
import { readRecurrence } from './task-recurrence';
import {
  dateOf,
  fieldNamed,
  readTaskLine,
  type TaskDateName,
  type TaskFieldName,
  type TaskFormat,
  type TaskLine,
  type TaskPriority,
  withField,
} from './task-fields';
import {
  DEFAULT_MARKS,
  markFor,
  markOfNextTask,
  type TaskMarks,
  type TaskStatus,
} from './task-marks';

/** Settings of the Tasks plugin, as far as they decide what it writes. */
export interface TaskSettings {
  readonly format: TaskFormat;
  /** What a task has in its line to be one for the plugin, such as "#task"; empty for nothing. */
  readonly globalFilter: string;
  readonly setsDone: boolean;
  readonly setsCanceled: boolean;
  readonly setsCreated: boolean;
  /** Whether the next task is put below the one that was done, not above. */
  readonly nextBelow: boolean;
  readonly dropsScheduled: boolean;
  readonly marks: TaskMarks;
}

export const DEFAULT_TASK_SETTINGS: TaskSettings = {
  ...{ format: 'emoji', globalFilter: '', setsDone: true, setsCanceled: true },
  ...{ setsCreated: false, nextBelow: false, dropsScheduled: false },
  marks: DEFAULT_MARKS,
};

/** Null takes the field away; what is left out stays. */
export interface TaskEdit {
  readonly status?: TaskStatus | undefined;
  readonly due?: string | null | undefined;
  readonly scheduled?: string | null | undefined;
  readonly start?: string | null | undefined;
  readonly priority?: TaskPriority | null | undefined;
  readonly recurrence?: string | null | undefined;
}

export interface TaskRules {
  /** Such as 2026-12-31. */
  readonly today: string;
  /** The format of new fields. */
  readonly format: TaskFormat;
  /** Settings of the Tasks plugin; null if it is off. */
  readonly settings: TaskSettings | null;
}

export type ChangedTask =
  | {
      readonly ok: true;
      /** In place of the line: none if the task is deleted when it is done. */
      readonly lines: readonly string[];
      /** The task that was added because the changed one recurs. */
      readonly next: string | null;
      /** What follows from the change, beside it. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

const DATES = ['start', 'scheduled', 'due'] as const;

/**
 * The lines in place of a task's line. They are the same line if nothing changes.
 *
 * @param hasNested whether lines below belong to the task
 */
export function changedTask(
  line: string,
  edit: TaskEdit,
  rules: TaskRules,
  hasNested = false,
): ChangedTask {
  const marks = rules.settings?.marks;
  const task = readTaskLine(line, marks);
  if (!task) return refused('It is no task.');
  const fields = withFields(task, edit, rules);
  if (!fields.ok) return fields;
  const now = readTaskLine(fields.line, marks)!;
  const { status } = edit;
  if (status === undefined || status === task.status) {
    return { ok: true, lines: [fields.line], next: null, notes: [] };
  }
  return withStatus(now, status, rules, hasNested);
}

type FieldsChanged =
  { readonly ok: true; readonly line: string } | { readonly ok: false; readonly reason: string };

function withFields({ text, fields }: TaskLine, edit: TaskEdit, rules: TaskRules): FieldsChanged {
  let line = text;
  const names = ['priority', 'recurrence', ...DATES] as const satisfies TaskFieldName[];
  for (const name of names) {
    const value = edit[name];
    if (value === undefined) continue;
    const unread = fields.find((field) => field.name === name && field.value === '');
    if (unread) return refused(cannotRead(text.slice(unread.from, unread.to), name));
    const isDate = name !== 'priority' && name !== 'recurrence';
    if (isDate && value !== null && !isDay(value)) {
      return refused(`${value} is not a day of the calendar, such as 2026-12-31.`);
    }
    if (name === 'recurrence' && value !== null && !readRecurrence(value)) {
      return refused(unknownRule(value));
    }
    line = withField(line, name, value, rules.format);
  }
  const now = readTaskLine(line);
  const hasDate = DATES.some((name) => now && fieldNamed(now, name));
  return edit.recurrence && !hasDate ? refused(NEEDS_DATE) : { ok: true, line };
}

const NEEDS_DATE =
  'A task that recurs needs a due or scheduled date, from which the next ones are counted.';

function withStatus(
  task: TaskLine,
  status: TaskStatus,
  rules: TaskRules,
  hasNested: boolean,
): ChangedTask {
  const { settings, today } = rules;
  const { setsDone, setsCanceled, globalFilter, nextBelow, marks } =
    settings ?? DEFAULT_TASK_SETTINGS;
  // Without the plugin, only a line with its fields is one of its tasks.
  const isOwn = settings ? task.text.includes(globalFilter) : task.fields.length > 0;
  const mark = markFor(status, markIn(task), marks);
  let line = withMark(task, mark);
  const days = {
    done: status === 'done' && isOwn && setsDone ? today : null,
    canceled: status === 'canceled' && isOwn && setsCanceled ? today : null,
  };
  for (const name of ['canceled', 'done'] as const) {
    if (days[name] === null && task.status === 'open') continue;
    line = withField(line, name, days[name], rules.format);
  }
  const recurs = isOwn && fieldNamed(task, 'recurrence') !== null;
  if (status !== 'done') {
    const notes = recurs ? [status === 'canceled' ? ENDS_SERIES : NEXT_STAYS] : [];
    return { ok: true, lines: [line], next: null, notes };
  }
  const next = recurs ? nextTask(task, markOfNextTask(mark, marks), rules) : null;
  if (next?.ok === false) return next;
  const isDeleted = fieldNamed(task, 'onCompletion')?.value.toLowerCase() === 'delete' && isOwn;
  if (isDeleted && hasNested) return refused(WOULD_LEAVE_NESTED);
  const own = isDeleted ? [] : [line];
  const added = next ? [next.line] : [];
  return {
    ok: true,
    lines: nextBelow ? [...own, ...added] : [...added, ...own],
    next: next?.line ?? null,
    notes: isDeleted ? [DELETED] : [],
  };
}

const ENDS_SERIES =
  'the Tasks plugin adds no next one for a canceled task that recurs. To skip only this one, move it to its next date instead';
const NEXT_STAYS =
  'the next one of a task that recurs stays, if it was added when this one was ticked';
const DELETED = 'a task with 🏁 delete was deleted, as it says';
const WOULD_LEAVE_NESTED =
  'It has 🏁 delete, so the Tasks plugin would delete its line and leave the lines nested below it alone. Take these or 🏁 delete away first.';

function markIn({ text, boxAt }: TaskLine): string {
  return String.fromCodePoint(text.codePointAt(boxAt)!);
}

function withMark(task: TaskLine, mark: string): string {
  const { text, boxAt } = task;
  return text.slice(0, boxAt) + mark + text.slice(boxAt + markIn(task).length);
}

/** The next task of one that recurs, which is its line with other dates. */
function nextTask(
  task: TaskLine,
  mark: string,
  { today, format, settings }: TaskRules,
): FieldsChanged {
  const { setsCreated, dropsScheduled } = settings ?? DEFAULT_TASK_SETTINGS;
  const written = fieldNamed(task, 'recurrence')!.value;
  const rule = readRecurrence(written);
  if (!rule) return refused(unknownRule(written));
  const unread = DATES.find((name) => fieldNamed(task, name) && dateOf(task, name) === null);
  if (unread) {
    const { from, to } = fieldNamed(task, unread)!;
    return refused(cannotRead(task.text.slice(from, to), unread));
  }
  const priority = dropsScheduled ? DUE_FIRST_START : DUE_FIRST;
  const reference = priority.map((name) => dateOf(task, name)).find((each) => each !== null);
  const next = rule.next(rule.whenDone || !reference ? today : reference);
  if (next === null) return refused(`The rule "${written}" names no day after this one.`);
  // The block id goes, the blanks at the end stay.
  const blanks = task.text.slice(task.text.trimEnd().length);
  let line = withMark({ ...task, text: task.text.slice(0, task.endsAt) + blanks }, mark);
  const left: TaskFieldName[] = ['id', 'dependsOn', 'done', 'canceled', 'created'];
  const isDropped =
    dropsScheduled && DATES.some((name) => name !== 'scheduled' && dateOf(task, name));
  if (isDropped) left.push('scheduled');
  for (const name of left) line = withField(line, name, null, format);
  for (const name of DATES) {
    const day = left.includes(name) ? null : dateOf(task, name);
    if (day === null || !reference) continue;
    line = withField(line, name, daysLater(next, daysBetween(reference, day)), format);
  }
  if (setsCreated) line = withField(line, 'created', today, format);
  return { ok: true, line };
}

const DUE_FIRST: readonly TaskDateName[] = ['due', 'scheduled', 'start'];
const DUE_FIRST_START: readonly TaskDateName[] = ['due', 'start', 'scheduled'];

function unknownRule(rule: string): string {
  return `The Tasks plugin cannot read the rule "${rule}". Rules it reads are such as "every 2 weeks on Monday", "every weekday", "every month on the last Friday" or "every year when done".`;
}

function cannotRead(written: string, name: TaskFieldName): string {
  return `Its field ${written.trim()} has no ${name === 'priority' || name === 'recurrence' ? name : 'date'} that can be read, so it would be wrong to change it without its text; use edit_file.`;
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
