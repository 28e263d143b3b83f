/** The conditions that choose notes, for `query_notes` and for tools that change many notes. */
import * as z from 'zod/mini';
import { firstCharacters } from '#text/shorten';
import { lineTexts } from '#text/list-diff';
import { dateOf, PRIORITIES, priorityOf, readTaskLine, type TaskLine } from '#text/task-fields';
import { statusOf, type TaskMarks, type TaskStatus } from '#text/task-marks';
import { tasksIn } from '#text/tasks';
import { withoutMark } from '../editor/edit/text-lines';
import { tagKey } from '#text/tags';
import type { VisibleMetadata } from '#policy/visible-metadata';
import type { Clock } from '#ports/clock';
import type { NoteEntry } from '#ports/vault';
import { byNewest, type VisibleListing } from '#policy/visible-notes';
import { forEachInSlices, Slices } from '#ports/slices';
import type { ToolContext } from '../tool';
import {
  bareTag,
  noteFilter,
  fits,
  isInRange,
  propertyOf,
  type PropertyCondition,
  type Range,
} from './note-filter';

const day = z
  .string()
  .check(z.regex(/^\d{4}(-\d{2}){0,2}$/, 'Expected a day, month or year such as "2026-11-22".'));
/** Described to the model once, for all such fields. */
const days = z.optional(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.strictObject({ from: z.optional(day), to: z.optional(day) }).check(
      z.refine(({ from = '', to = '~' }) => from.slice(0, to.length) <= to, {
        message: 'from must not be after to.',
      }),
    ),
  ),
);
/** Empty for none. A list of the values would be in every request. */
export const taskPriority = z.string().check(
  z.refine((value) => value === '' || PRIORITIES.some((each) => each === value), {
    message: `Expected ${PRIORITIES.join(', ')}, or "" for none.`,
  }),
);
const bound = z.optional(z.union([z.string(), z.number()]));
const wanted = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), z.number()])),
  z.strictObject({ from: bound, to: bound }),
]);

/** The fields of the conditions in the input of a tool. */
export const conditionFields = {
  properties: z
    .optional(z.record(z.string(), wanted))
    .check(
      z.describe(
        'By name: a value (which a list must contain), a list of values of which one must match, "*" for any, null for missing or empty, or {"from", "to"}.',
      ),
    ),
  tags: z.optional(z.array(z.string())).check(z.describe('All of these, or nested in them.')),
  folder: z.optional(z.string()),
  created: days.check(
    z.describe(
      'As are modified, due and scheduled: {"from": "2026-11-22", "to": "2026-12"}, inclusive.',
    ),
  ),
  modified: days,
  links_to: z.optional(z.string()),
  tasks: z
    .optional(z.enum(['open', 'done', 'canceled']))
    .check(z.describe('Lists them with line numbers.')),
  due: days.check(z.describe('Tasks due then, or else scheduled; open ones by default.')),
  priority: z.optional(taskPriority),
};

const MAX_VALUE_CHARS = 200;

export const noteConditions = z.strictObject(conditionFields);

export type NoteConditions = z.infer<typeof noteConditions>;

/** The notes that meet all conditions, by path; a problem if the folder or file does not exist. */
export async function notesWhere(
  conditions: NoteConditions,
  context: ToolContext,
): Promise<{ readonly preface: string; readonly paths: readonly string[] } | { reason: string }> {
  const judged = await judge(conditions, context);
  if ('reason' in judged) return judged;
  const found = await notesMeeting(judged, context);
  const paths: string[] = [];
  const slices = new Slices(context.clock, context.signal);
  for (const { path } of found) {
    if (slices.stopped) break;
    if (slices.isDue) await slices.pause();
    const tasks = await matchingTasks(path, conditions, judged.marks, context);
    if (tasks === null || tasks.all.length > 0) paths.push(path);
  }
  return { preface: judged.preface, paths: paths.sort() };
}

/** The notes that meet all conditions but the one on tasks, which only their text tells. */
export async function notesMeeting(judged: Judge, context: ToolContext): Promise<NoteEntry[]> {
  const listing = await context.vault.listing();
  const found: NoteEntry[] = [];
  await forEachInSlices(candidates(judged.conditions, listing), context, (entry) => {
    const isFound = judged.isAmong(entry) && judged.conditions.every((each) => each.meets(entry));
    if (isFound) found.push(entry);
  });
  return found;
}

/** Sorting more of the notes takes longer than looking at all, which are sorted. */
const MAX_SORTED_SHARE = 0.1;

/** The notes among which those that meet all conditions are, most recently modified first. */
export function candidates(
  conditions: readonly Condition[],
  listing: VisibleListing,
): readonly NoteEntry[] {
  let fewest: Paths | null = null;
  for (const { among } of conditions) {
    if (among && (fewest === null || among.size < fewest.size)) fewest = among;
  }
  if (fewest === null || fewest.size > listing.notes.length * MAX_SORTED_SHARE)
    return listing.notes;
  return [...fewest.keys()].flatMap((path) => listing.get(path) ?? []).sort(byNewest);
}

export interface Judge {
  readonly preface: string;
  readonly metadata: VisibleMetadata;
  /** '' for the whole vault. */
  readonly folder: string;
  isAmong(entry: NoteEntry): boolean;
  /** What the boxes of tasks mean; undefined for the defaults. */
  readonly marks: TaskMarks | undefined;
  readonly conditions: readonly Condition[];
}

/** One condition of the query, with its name for messages. */
interface Condition {
  readonly name: string;
  meets(entry: NoteEntry): boolean;
  /** All notes that meet the condition, and maybe others; null if only a walk finds them. */
  readonly among: Paths | null;
}

type Paths = Pick<ReadonlySet<string>, 'has' | 'keys' | 'size'>;

export async function judge(
  query: NoteConditions,
  context: ToolContext,
): Promise<Judge | { reason: string }> {
  const { vault, clock } = context;
  const { folder: rawFolder, links_to: rawTarget, created, modified, tags = [] } = query;
  const filter = await noteFilter(rawFolder, [], context);
  if ('reason' in filter) return filter;
  const { metadata } = filter;
  let { preface } = filter;
  let sources: Paths | null = null;
  if (rawTarget !== undefined) {
    const found = await vault.find(rawTarget, 'file');
    if (!found.ok) return found;
    preface += found.value.preface;
    sources = await metadata.backlinks(found.value.entry);
  }
  const properties = Object.entries(query.properties ?? {}) as [string, PropertyCondition][];
  const conditions: Condition[] = [];
  const add = (name: string, among: Paths | null, meets: Condition['meets']) =>
    conditions.push({ name, meets, among });
  const addPaths = (name: string, paths: Paths) => add(name, paths, ({ path }) => paths.has(path));
  if (sources) addPaths('links_to', sources);
  if (created) add('created', null, (entry) => isInRange(clock.date(entry.created), created));
  if (modified) {
    addPaths('modified', modifiedWithin((await vault.listing()).notes, modified, clock));
  }
  const status = wantedTasks(query);
  const marks = status === null ? undefined : (await vault.taskSettings())?.marks;
  if (status !== null) {
    addPaths('tasks', await metadata.notesWithTasks((mark) => statusOf(mark, marks) === status));
  }
  for (const tag of tags) {
    addPaths(`tag ${bareTag(tag)}`, await metadata.notesWith('tag', tagKey(tag)));
  }
  for (const [name, value] of properties) {
    const isForMissing = fits(undefined, value);
    add(
      `property ${name}`,
      isForMissing ? null : await metadata.notesWith('property', name.toLowerCase()),
      ({ path }) => fits(propertyOf(metadata.propertiesOf(path), name), value),
    );
  }
  const { folder } = filter;
  const isAmong: Judge['isAmong'] = ({ path }) => filter.isInFolder(path);
  return { preface, metadata, conditions, folder, marks, isAmong };
}

/** @param notes most recently modified first */
function modifiedWithin(
  notes: readonly NoteEntry[],
  { from, to }: Range,
  { date }: Pick<Clock, 'date'>,
): ReadonlySet<string> {
  const first = firstWhere(notes, ({ modified }) => isInRange(date(modified), { to }));
  const end = firstWhere(notes, ({ modified }) => !isInRange(date(modified), { from }));
  return new Set(notes.slice(first, end).map(({ path }) => path));
}

/** By bisection: the condition must hold for all items after the first for which it holds. */
function firstWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Which tasks the conditions are about; null for none. */
function wantedTasks({ tasks, due, priority }: NoteConditions): TaskStatus | null {
  const isAboutTasks = [due, priority].some((each) => each !== undefined);
  return tasks ?? (isAboutTasks ? 'open' : null);
}

export interface FoundTask {
  /** From 1. */
  readonly line: number;
  /** With its indent; cut if it is long. */
  readonly words: string;
  readonly task: TaskLine;
}

export interface Tasks {
  /** Text of the whole note. */
  readonly text: string;
  readonly all: readonly FoundTask[];
}

/** The tasks of a note that meet the conditions; null if these are not about tasks. */
export async function matchingTasks(
  path: string,
  conditions: NoteConditions,
  marks: TaskMarks | undefined,
  { vault }: ToolContext,
): Promise<Tasks | null> {
  const which = wantedTasks(conditions);
  if (which === null) return null;
  const read = await vault.read(path);
  if (!read.ok) return { text: '', all: [] };
  const text = withoutMark(read.value.text);
  const lines = lineTexts(text);
  const all = tasksIn(text, marks).flatMap(({ line, status }): FoundTask[] => {
    const words = (lines[line - 1] ?? '').trimEnd();
    const task = status === which ? readTaskLine(words) : null;
    if (!task || !meetsFields(task, conditions)) return [];
    return [{ line, words: firstCharacters(words, MAX_VALUE_CHARS), task }];
  });
  return { text, all };
}

function meetsFields(task: TaskLine, { due, priority }: NoteConditions): boolean {
  if (priority !== undefined && (priorityOf(task) ?? '') !== priority) return false;
  if (due === undefined) return true;
  const day = dateOf(task, 'due') ?? dateOf(task, 'scheduled');
  return day !== null && isInRange(day, due);
}
