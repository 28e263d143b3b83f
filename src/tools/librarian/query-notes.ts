import { firstCharacters } from '#text/shorten';
import { lineTexts } from '#text/list-diff';
import * as z from 'zod/mini';
import type { NoteEntry } from '#ports/vault';
import { nameOf } from '#text/paths';
import { tasksIn } from '#text/tasks';
import type { VisibleMetadata } from '#policy/visible-metadata';
import type { VisibleListing } from '#policy/visible-notes';
import { hasTag } from '#text/tags';
import { counted } from '#messages/plural';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import {
  bareTag,
  noteFilter,
  fits,
  isInRange,
  propertyOf,
  type PropertyCondition,
} from './note-filter';

const day = z
  .string()
  .check(z.regex(/^\d{4}(-\d{2}){0,2}$/, 'Expected a day, month or year such as "2026-11-22".'));
const days = z.optional(
  z.strictObject({ from: z.optional(day), to: z.optional(day) }).check(
    z.refine(({ from = '', to = '~' }) => from.slice(0, to.length) <= to, {
      message: 'from must not be after to.',
    }),
  ),
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

const input = z.strictObject({
  properties: z
    .optional(z.record(z.string(), wanted))
    .check(
      z.describe(
        'By name: a value (which a list property must contain), a list of values of which one must match, "*" for any, null for missing or empty, or {"from", "to"} for numbers and dates.',
      ),
    ),
  tags: z
    .optional(z.array(z.string()))
    .check(z.describe('All of these; nested tags count as their parent.')),
  folder: z.optional(z.string()).check(z.describe('Only this folder and below.')),
  created: days.check(z.describe('Days, months or years such as "2026-11-22", inclusive.')),
  modified: days.check(z.describe('As for created.')),
  links_to: z.optional(z.string()).check(z.describe('A file.')),
  tasks: z
    .optional(z.enum(['open', 'done']))
    .check(z.describe('Such tasks are listed with their lines.')),
  sort: z.optional(z.enum(['modified', 'created', 'name'])).check(z.describe('Default modified.')),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(500))).check(z.describe('Default 50.')),
});

type Query = z.infer<typeof input>;

const MAX_TASKS = 20;
const MAX_VALUE_CHARS = 200;

export const queryNotes = defineTool<Query>({
  name: 'query_notes',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Finds notes that meet all the given conditions. To find notes by their text use search_files.',
  input,
  example: { properties: { status: 'open', due: { to: '2026-11-30' } }, tags: ['project'] },
  async run(query, context) {
    const { vault, clock } = context;
    const judged = await judge(query, context);
    if ('reason' in judged) return problem(judged);
    const listing = await vault.listing();
    const found: NoteEntry[] = [];
    await forEachInSlices(listing.notes, context, (entry) => {
      const isFound = judged.isAmong(entry) && judged.conditions.every((each) => each.meets(entry));
      if (isFound) found.push(entry);
    });
    if (query.sort === 'created') found.sort((a, b) => b.created - a.created);
    if (query.sort === 'name') found.sort((a, b) => (a.path < b.path ? -1 : 1));
    const { limit = 50, tasks } = query;
    const rows: string[] = [];
    let notes = 0;
    const slices = new Slices(context.clock, context.signal);
    for (const entry of found) {
      // Only the text tells which tasks are open or done.
      const own = tasks === undefined ? null : await matchingTasks(entry.path, tasks, context);
      if (own?.all.length === 0) continue;
      notes += 1;
      if (notes > limit) continue;
      const date = clock.date(query.sort === 'created' ? entry.created : entry.modified);
      rows.push(
        `${entry.path} (${[date, ...shown(entry.path, query, judged.metadata)].join('; ')})`,
        ...(own ? taskRows(entry.path, own, context) : []),
      );
      if (slices.stopped) break;
      if (slices.isDue) await slices.pause();
    }
    if (notes === 0) {
      return listResult(judged.preface + (await whyNone(judged, listing, context)), 'note', 0);
    }
    const order = ORDERS[query.sort ?? 'modified'];
    const cut = notes > limit ? `; showing ${limit}. Narrow the query or raise limit.` : ':';
    return listResult(
      `${judged.preface}${counted(notes, 'note')}, ${order}${cut}\n${rows.join('\n')}`,
      'note',
      notes,
    );
  },
});

/**
 * Counts the notes that meet each condition by itself, so that the model sees which one to drop or
 * respell.
 */
async function whyNone(
  { conditions, folder, isAmong }: Judge,
  listing: VisibleListing,
  context: ToolContext,
): Promise<string> {
  const each: string[] = [];
  for (const condition of conditions) {
    let count = 0;
    await forEachInSlices(listing.notes, context, (entry) => {
      if (isAmong(entry) && condition.meets(entry)) count += 1;
    });
    each.push(`${condition.name} ${count.toLocaleString('en')}`);
  }
  const among = listing.tree.at(folder)?.totals.notes ?? 0;
  const notes = counted(among, 'note');
  const hint = 'list_tags and get_properties show what there is.';
  return conditions.length === 0 || among === 0
    ? 'There are no notes here.'
    : `None of ${notes} meets ${conditions.length === 1 ? 'the condition' : 'all conditions'}. Notes that meet each one: ${each.join(', ')}. ${hint}`;
}

const ORDERS = {
  modified: 'most recently changed first',
  created: 'most recently created first',
  name: 'by path',
} as const;

interface Judge {
  readonly preface: string;
  readonly metadata: VisibleMetadata;
  /** '' for the whole vault. */
  readonly folder: string;
  isAmong(entry: NoteEntry): boolean;
  readonly conditions: readonly Condition[];
}

/** One condition of the query, with its name for messages. */
interface Condition {
  readonly name: string;
  meets(entry: NoteEntry): boolean;
}

async function judge(query: Query, context: ToolContext): Promise<Judge | { reason: string }> {
  const { vault, clock } = context;
  const { folder: rawFolder, links_to: rawTarget, created, modified, tags = [], tasks } = query;
  const filter = await noteFilter(rawFolder, [], context);
  if ('reason' in filter) return filter;
  const { metadata } = filter;
  let { preface } = filter;
  let sources: ReadonlyMap<string, number> | null = null;
  if (rawTarget !== undefined) {
    const found = await vault.find(rawTarget, 'file');
    if (!found.ok) return found;
    preface += found.value.preface;
    sources = await metadata.backlinks(found.value.entry);
  }
  const properties = Object.entries(query.properties ?? {}) as [string, PropertyCondition][];
  const conditions: Condition[] = [];
  const add = (name: string, meets: Condition['meets']) => conditions.push({ name, meets });
  if (sources) add('links_to', ({ path }) => sources.has(path));
  if (created) add('created', (entry) => isInRange(clock.date(entry.created), created));
  if (modified) add('modified', (entry) => isInRange(clock.date(entry.modified), modified));
  if (tasks !== undefined) add('tasks (open or done)', ({ path }) => metadata.hasTasks(path));
  for (const tag of tags) {
    add(`tag ${bareTag(tag)}`, ({ path }) => hasTag(metadata.tagsOf(path), bareTag(tag)));
  }
  for (const [name, value] of properties) {
    add(`property ${name}`, ({ path }) =>
      fits(propertyOf(metadata.propertiesOf(path), name), value),
    );
  }
  const { folder } = filter;
  return { preface, metadata, conditions, folder, isAmong: ({ path }) => filter.isInFolder(path) };
}

/** The values of the properties that the query names. */
function shown(path: string, { properties = {} }: Query, metadata: VisibleMetadata): string[] {
  const own = metadata.propertiesOf(path);
  return Object.keys(properties).flatMap((name) => {
    const value = propertyOf(own, name);
    if (value === undefined) return [];
    return [`${name}: ${firstCharacters(JSON.stringify(value), MAX_VALUE_CHARS)}`];
  });
}

interface Tasks {
  /** Text of the whole note. */
  readonly text: string;
  readonly all: readonly (readonly [line: number, words: string])[];
}

async function matchingTasks(
  path: string,
  which: 'open' | 'done',
  { vault }: ToolContext,
): Promise<Tasks> {
  const read = await vault.read(path);
  if (!read.ok) return { text: '', all: [] };
  const lines = lineTexts(read.value.text);
  const all = tasksIn(read.value.text).flatMap(({ line, status }) => {
    if (status !== which) return [];
    return [[line, firstCharacters((lines[line - 1] ?? '').trim(), MAX_VALUE_CHARS)] as const];
  });
  return { text: read.value.text, all };
}

/** Indented task lines, up to the limit. Records them as shown. */
function taskRows(path: string, { text, all }: Tasks, { notes }: ToolContext): string[] {
  notes.show(path, text, all.slice(0, MAX_TASKS));
  const rows = all.map(([number, words]) => `  ${number}: ${words}`);
  const more = rows.length - MAX_TASKS;
  if (more <= 0) return rows;
  return [...rows.slice(0, MAX_TASKS), `  (${more} more in ${nameOf(path)})`];
}
