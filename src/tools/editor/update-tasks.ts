import * as z from 'zod/mini';
import { readListItem } from '#text/block-marks';
import { itemEnd } from '#text/note-blocks';
import {
  dateOf,
  fieldNamed,
  PRIORITIES,
  readTaskLine,
  type TaskFormat,
  type TaskLine,
  taskWords,
  withField,
} from '#text/task-fields';
import { changedTask, type TaskEdit, type TaskRules, type TaskSettings } from '#text/task-change';
import { tasksIn } from '#text/tasks';
import { folded } from '#text/text-folding';
import { isNote, quote } from '#text/paths';
import { oneLine } from '#text/shorten';
import { ANY } from '#ports/metadata';
import { forEachInSlices } from '#ports/slices';
import { taskPriority } from '../librarian/note-conditions';
import { defineTool, problem, type ToolContext } from '../tool';
import { editNote } from './edit-file';
import type { EditPlan } from './edit/edit-plan';
import { NoteView, type Placed } from './edit/note-view';
import { findShown, insertion, placePositionEdit } from './edit/place-lines';
import { firstOverlap, inOrder, replacingLines, type Splice } from './edit/splices';
import { contentsOf, quoted } from './edit/text-lines';

const MAX_TASKS = 100;

const day = z
  .string()
  .check(z.regex(/^(\d{4}-\d{2}-\d{2})?$/, 'Expected a day such as "2026-12-31", or "" for none.'));

const input = z
  .strictObject({
    path: z.string(),
    tasks: z
      .array(
        z.union([z.int(), z.string().check(z.regex(/^[^\r\n]*\S[^\r\n]*$/, 'Expected one line.'))]),
      )
      .check(
        z.minLength(1),
        z.maxLength(MAX_TASKS),
        z.describe('Line numbers or words; of new ones all words.'),
      ),
    status: z.optional(z.enum(['new', 'open', 'done', 'canceled'])),
    due: z.optional(day).check(z.describe('"2026-12-31"; "" removes it.')),
    scheduled: z.optional(day),
    priority: z.optional(taskPriority),
    repeat: z.optional(z.string()).check(z.describe('"every 2 weeks on Monday when done"')),
    position: z.optional(z.string()).check(z.describe('As in edit_file, for new ones.')),
  })
  .check(
    z.refine(
      ({ status, due, scheduled, priority, repeat }) =>
        [status, due, scheduled, priority, repeat].some((each) => each !== undefined),
      { message: 'Give what to change: status, due, scheduled, priority or repeat.' },
    ),
    z.refine(({ status, position }) => position === undefined || status === 'new', {
      message: 'position is only for status "new".',
    }),
    z.refine(
      ({ status, tasks }) => status !== 'new' || tasks.every((each) => typeof each === 'string'),
      {
        message: 'For status "new", tasks are the words of the new tasks.',
      },
    ),
  );

type Input = z.infer<typeof input>;

export const updateTasks = defineTool<Input>({
  name: 'update_tasks',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Adds, ticks, cancels ("strike it"), reopens or reschedules tasks as the Tasks plugin does (done date, next recurring task), unlike edit_file.',
  input,
  example: { path: 'Lists/House.md', tasks: ['water the ficus'], status: 'done' },
  async run(wish, context) {
    const { vault, clock } = context;
    const found = await vault.find(wish.path, 'file');
    if (!found.ok) return problem(found);
    const { entry, preface } = found.value;
    const { path } = entry;
    if (!isNote(path)) {
      const reason = `${preface}${path} is not a note, so it has no tasks. Expected a .md file.`;
      return problem(reason, 'invalid-input');
    }
    const settings = await vault.taskSettings();
    const format = await usualFormat(path, settings, context);
    const rules: TaskRules = { today: clock.date(clock.now()), format, settings };
    return vault.alone([path], (change) =>
      editNote(path, (view) => planTasks(view, wish, rules), preface, context, change),
    );
  },
});

/** Notes with tasks that are read to see how the vault writes the fields of tasks. */
const MAX_NOTES_READ = 30;

/** The format of new fields: as in the note, else the setting of the plugin, else as in others. */
async function usualFormat(
  path: string,
  settings: TaskSettings | null,
  context: ToolContext,
): Promise<TaskFormat> {
  const own = await formatIn(path, context);
  if (own ?? settings) return own ?? settings!.format;
  const paths = await (await context.vault.metadata()).notesWith('task', ANY);
  const { newestFirst } = await context.vault.listing();
  const others: string[] = [];
  await forEachInSlices(newestFirst, context, ({ path: other }) => {
    if (others.length < MAX_NOTES_READ && paths.has(other)) others.push(other);
  });
  for (const other of others) {
    const format = await formatIn(other, context);
    if (format) return format;
  }
  return 'emoji';
}

async function formatIn(path: string, { vault }: ToolContext): Promise<TaskFormat | null> {
  const read = await vault.read(path);
  if (!read.ok) return null;
  const lines = read.value.text.split('\n');
  for (const { line } of tasksIn(read.value.text)) {
    const field = readTaskLine(lines[line - 1] ?? '')?.fields[0];
    if (field) return field.format;
  }
  return null;
}

function planTasks(note: NoteView, wish: Input, rules: TaskRules): EditPlan {
  const placed =
    wish.status === 'new'
      ? [placeNew(note, wish, rules)]
      : wish.tasks.map((each, at) => placeChange(note, each, at + 1, wish, rules));
  const reasons = placed.flatMap((each) => (each.ok ? [] : [each.reason]));
  const refuse = (all: readonly string[], isNothing = false): EditPlan => ({
    ...{ ok: false, isNothing, printed: note.printed },
    reason: [`${quote(note.path)} was not changed.`, ...new Set(all)].join('\n'),
  });
  if (reasons.length > 0) return refuse(reasons);
  const splices = inOrder(placed.flatMap((each) => (each.ok ? each.splices : [])));
  const notes = placed.flatMap((each) => (each.ok ? each.notes : []));
  if (splices.length === 0) return refuse(['The tasks are like that already.'], true);
  if (firstOverlap(splices)) return refuse(['The same task is named twice.']);
  const after = note.finish(splices, false);
  return {
    ok: true,
    after,
    notes: [...new Set(notes)],
    replacing: replacingLines(note.lines, splices),
  };
}

function placeChange(
  note: NoteView,
  named: number | string,
  number: number,
  wish: Input,
  rules: TaskRules,
): Placed {
  const found =
    typeof named === 'number' ? taskAt(note, named, rules) : taskNamed(note, named, wish, rules);
  if (!found.ok) return found;
  const { line, notes } = found;
  const { lines } = note;
  const text = lines.content(line);
  const made = changedTask(text, editOf(wish), rules, itemEnd(contentsOf(lines), line) > line);
  if (!made.ok) return { ok: false, reason: `${note.numbered(line, 0, 0)}\n${made.reason}` };
  if (made.lines.length === 1 && made.lines[0] === text) return { ok: true, splices: [], notes };
  const ending = lines.ending(line) || note.ending;
  const isGone = made.lines.length === 0;
  const splice: Splice = {
    edit: number,
    start: lines.start(line),
    end: isGone ? lines.start(line + 1) : lines.contentEnd(line),
    text: made.lines.join(ending),
  };
  const next = made.next === null ? [] : ['the next one of a task that recurs was added'];
  return { ok: true, splices: [splice], notes: [...notes, ...next, ...made.notes] };
}

function editOf({ status, due, scheduled, priority, repeat }: Input): TaskEdit {
  const orNone = (value: string | undefined) => (value === '' ? null : value);
  return {
    ...(status === undefined || status === 'new' ? {} : { status }),
    ...{ due: orNone(due), scheduled: orNone(scheduled) },
    priority: priority === '' ? null : PRIORITIES.find((each) => each === priority),
    recurrence: orNone(repeat?.trim()),
  };
}

type Found =
  | { readonly ok: true; readonly line: number; readonly notes: string[] }
  | { readonly ok: false; readonly reason: string };

function taskAt(note: NoteView, named: number, { settings }: TaskRules): Found {
  const place = findShown(note, { at: 'replace', from: named, to: named });
  if (!place.ok) return { ok: false, reason: `Line ${named}: ${place.reason}` };
  const line = place.from;
  if (tasksIn(note.text, settings?.marks).some((task) => task.line === line)) {
    return { ok: true, line, notes: place.notes };
  }
  return { ok: false, reason: `Line ${named} is no task:\n${note.numbered(line, 0, 0)}` };
}

const MAX_LISTED = 8;

/**
 * The task with these words: all of its words, or else part of them. Tasks that have the wanted
 * status already count only if no other has the words.
 */
function taskNamed(
  note: NoteView,
  words: string,
  { status }: Input,
  { settings, today }: TaskRules,
): Found {
  const wanted = comparable(words);
  const marks = settings?.marks;
  const all = tasksIn(note.text, marks).flatMap(({ line }) => {
    const task = readTaskLine(note.lines.content(line), marks);
    return task ? [{ line, task, words: comparable(task.text) }] : [];
  });
  const isOther = ({ task }: { task: TaskLine }) =>
    status === undefined ? task.status === 'open' : task.status !== status;
  const exact = all.filter((each) => each.words === wanted);
  // A number is a line number in quotes.
  const isWords = /[^\d\s]/.test(wanted);
  const partly = isWords ? all.filter((each) => each.words.includes(wanted)) : [];
  // With all of the words of a task that has the status, another task may be meant or not.
  const unclear = exact.length === 0 ? [] : partly.filter(isOther);
  for (const some of [
    exact.filter(isOther),
    [...exact, ...unclear],
    partly.filter(isOther),
    partly,
  ]) {
    const [only, other] = some;
    if (only && !other) {
      const before =
        status === 'done' ? all.find((each) => isTickedBefore(each, only, today)) : null;
      if (!before) return { ok: true, line: only.line, notes: [] };
      const rows = [before, only].map(({ line }) => note.numbered(line, 0, 0)).join('\n');
      const reason = `${quoted(words)} was ticked already, and what is open is the next one. To tick it as well, name it by its line number:\n${rows}`;
      return { ok: false, reason };
    }
    if (only) {
      const rows = some.slice(0, MAX_LISTED).map(({ line }) => note.numbered(line, 0, 0));
      const reason = `${quoted(words)} is in ${some.length} tasks. Name one by its line number:\n${rows.join('\n')}`;
      return { ok: false, reason };
    }
  }
  const rows = all
    .filter(isOther)
    .slice(0, MAX_LISTED)
    .map(({ line }) => note.numbered(line, 0, 0));
  const has = rows.length === 0 ? 'It has no such tasks.' : `It has:\n${rows.join('\n')}`;
  return { ok: false, reason: `No task has the words ${quoted(words)}. ${has}` };
}

interface NamedTask {
  readonly task: TaskLine;
  readonly words: string;
}

/** Whether a task that recurs was added when the other one was ticked, which may be meant. */
function isTickedBefore({ task, words }: NamedTask, next: NamedTask, today: string): boolean {
  if (task.status !== 'done' || words !== next.words || !fieldNamed(next.task, 'recurrence'))
    return false;
  const day = dateOf(next.task, 'due') ?? dateOf(next.task, 'scheduled');
  return (dateOf(task, 'done') ?? today) === today && day !== null && day > today;
}

function comparable(line: string): string {
  const task = readTaskLine(line) ?? readTaskLine(`- [ ] ${line}`);
  return folded(oneLine(task ? taskWords(task) : line).trim());
}

function placeNew(note: NoteView, wish: Input, rules: TaskRules): Placed {
  const made: string[] = [];
  for (const each of wish.tasks) {
    const task = newTask(String(each), wish, rules);
    if (!task.ok) return task;
    made.push(task.line);
  }
  const content = made.join('\n');
  if (wish.position !== undefined) {
    const placed = placePositionEdit(note, { position: wish.position, content }, 1);
    return placed.ok ? placed : { ok: false, reason: `position: ${placed.reason}` };
  }
  const at = belowTasks(note, rules);
  return at === null
    ? placePositionEdit(note, { position: 'end', content }, 1)
    : insertion(note, 1, at, content, []);
}

function newTask(
  words: string,
  wish: Input,
  rules: TaskRules,
): { readonly ok: true; readonly line: string } | { readonly ok: false; readonly reason: string } {
  const { settings, today, format } = rules;
  const item = readListItem(words.trim()) ?? readListItem(`- ${words.trim()}`);
  const own = (item && item.gap !== '' ? item.words : words).trim();
  const filter = settings?.globalFilter ?? '';
  const isMissing = filter !== '' && !own.includes(filter);
  let line = `- [ ] ${isMissing ? `${filter} ` : ''}${own}`;
  if (settings?.setsCreated) line = withField(line, 'created', today, format);
  const made = changedTask(line, { ...editOf(wish), status: 'open' }, rules);
  return made.ok ? { ok: true, line: made.lines[0] ?? line } : made;
}

/**
 * The line below the last open task at the top of a list, and all that belongs to it; below the
 * last task if none is open, null without tasks.
 */
function belowTasks({ text, lines }: NoteView, { settings }: TaskRules): number | null {
  const top = tasksIn(text, settings?.marks).filter(
    ({ line }) => readListItem(lines.content(line))?.indent === '',
  );
  const last = top.findLast(({ status }) => status === 'open') ?? top.at(-1);
  if (!last) return null;
  return itemEnd(contentsOf(lines), last.line) + 1;
}
