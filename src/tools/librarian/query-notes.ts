import { firstCharacters } from '#text/shorten';
import * as z from 'zod/mini';
import type { FoundItem } from '#model/message';
import { byName, nameOf } from '#text/paths';
import { customMark } from '#text/tasks';
import { headings } from '../editor/edit/headings';
import { Lines, withoutMark } from '../editor/edit/text-lines';
import type { VisibleMetadata } from '#policy/visible-metadata';
import type { VisibleListing } from '#policy/visible-notes';
import { counted } from '#messages/plural';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, firstFound, listResult, problem, type ToolContext } from '../tool';
import {
  candidates,
  conditionFields,
  judge,
  type Judge,
  matchingTasks,
  notesMeeting,
  type FoundTask,
  type Tasks,
} from './note-conditions';
import { propertyOf } from './note-filter';

const input = z.strictObject({
  ...conditionFields,
  show: z
    .optional(z.array(z.string()))
    .check(z.describe('Properties to list; "headings": of the note or its tasks.')),
  sort: z.optional(z.enum(['modified', 'created', 'name'])),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
});

type Query = z.infer<typeof input>;

const MAX_LINES = 20;
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
    const found = await notesMeeting(judged, context);
    if (query.sort === 'created') found.sort((a, b) => b.created - a.created);
    if (query.sort === 'name') found.sort((a, b) => byName(a.path, b.path));
    const { limit = 50 } = query;
    const rows: string[] = [];
    const items: FoundItem[] = [];
    let notes = 0;
    const marks: string[] = [];
    const slices = new Slices(context.clock, context.signal);
    for (const entry of found) {
      // Only the text tells which tasks are open or done.
      const tasks = await matchingTasks(entry.path, query, judged.marks, context);
      if (tasks?.all.length === 0) continue;
      notes += 1;
      if (notes > limit) continue;
      const date = clock.date(query.sort === 'created' ? entry.created : entry.modified);
      const values = shown(entry.path, query, judged.metadata);
      const lines = await wantedLines(entry.path, query, tasks, context);
      rows.push(
        `${entry.path} (${[date, ...values].join('; ')})`,
        ...lineRows(entry.path, lines, context),
      );
      items.push(...itemsOf(entry.path, values, tasks?.all ?? lines.lines));
      marks.push(
        ...(tasks?.all ?? []).flatMap(({ words }) => customMark(words, judged.marks) ?? []),
      );
      if (slices.stopped) break;
      if (slices.isDue) await slices.pause();
    }
    if (notes === 0) {
      return listResult(judged.preface + (await whyNone(judged, listing, context)), 'note', 0);
    }
    const order = ORDERS[query.sort ?? 'modified'];
    const cut = notes > limit ? `; showing ${limit}. Narrow the query or raise limit.` : ':';
    const head = `${judged.preface}${counted(notes, 'note')}, ${order}${cut}`;
    const text = [head, ...rows, ...customText(marks)].join('\n');
    const shownItems = { found: firstFound(items, notes > limit) };
    return {
      text,
      failed: false,
      details: { kind: 'list', thing: 'note', count: notes, ...shownItems },
    };
  },
});

/** Says that tasks with marks of their own are among the open ones, which may surprise the user. */
function customText(marks: readonly string[]): string[] {
  if (marks.length === 0) return [];
  const each = [...new Set(marks)].map((mark) => `[${mark}]`).join(', ');
  const what = marks.length === 1 ? '1 task has a mark' : `${marks.length} tasks have marks`;
  return [
    `(${what} of the user's own: ${each}. The Tasks plugin counts them as not done, but they may mean anything; name them apart from [ ] and [/].)`,
  ];
}

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
    await forEachInSlices(candidates([condition], listing), context, (entry) => {
      if (isAmong(entry) && condition.meets(entry)) count += 1;
    });
    each.push(`${condition.name} ${count.toLocaleString('en')}`);
  }
  const among = listing.tree.at(folder)?.totals.notes ?? 0;
  const notes = counted(among, 'note');
  if (conditions.length === 0 || among === 0) return 'There are no notes here.';
  const which =
    conditions.length === 1
      ? `None of ${notes} meets the condition.`
      : `None of ${notes} meets all conditions. Notes that meet each one: ${each.join(', ')}.`;
  return `${which} list_tags and get_properties show what there is.`;
}

const ORDERS = {
  modified: 'most recently changed first',
  created: 'most recently created first',
  name: 'by path',
} as const;

/** The values of the properties that the query names. */
function shown(
  path: string,
  { properties = {}, show = [] }: Query,
  metadata: VisibleMetadata,
): string[] {
  const own = metadata.propertiesOf(path);
  const names = [...Object.keys(properties), ...show];
  const unique = new Map(names.map((name) => [name.toLowerCase(), name]));
  return [...unique.values()].flatMap((name) => {
    const value = propertyOf(own, name);
    if (value === undefined) return [];
    return [`${name}: ${firstCharacters(JSON.stringify(value), MAX_VALUE_CHARS)}`];
  });
}

interface NoteLines {
  /** Text of the whole note. */
  readonly text: string;
  readonly lines: readonly Pick<FoundTask, 'line' | 'words'>[];
}

/** The tasks and, if the query asks for headings, those above them or all of the note. */
async function wantedLines(
  path: string,
  { show = [] }: Query,
  tasks: Tasks | null,
  { vault }: ToolContext,
): Promise<NoteLines> {
  const own = tasks?.all ?? [];
  if (!show.some((each) => each.toLowerCase() === 'headings'))
    return { text: tasks?.text ?? '', lines: own };
  const read = tasks ? null : await vault.read(path);
  const text = tasks?.text ?? (read?.ok ? read.value.text : '');
  const all = headings(new Lines(withoutMark(text)));
  const above = new Set(own.map(({ line }) => all.findLast((heading) => heading.line < line)));
  const words = (tasks ? all.filter((heading) => above.has(heading)) : all).map(
    ({ level, text: title, line }) => ({
      line,
      words: firstCharacters(`${'#'.repeat(level)} ${title}`, MAX_VALUE_CHARS),
    }),
  );
  return { text, lines: [...words, ...own].sort((a, b) => a.line - b.line) };
}

/** The lines with their numbers, up to the limit. Records them as shown. */
function lineRows(path: string, { text, lines }: NoteLines, { notes }: ToolContext): string[] {
  const first = lines.slice(0, MAX_LINES);
  notes.show(
    path,
    text,
    first.map(({ line, words }) => [line, words]),
  );
  const rows = first.map(({ line, words }) => `  ${line}: ${words}`);
  const more = lines.length - rows.length;
  return more > 0 ? [...rows, `  (${more} more in ${nameOf(path)})`] : rows;
}

function itemsOf(
  path: string,
  values: readonly string[],
  lines: readonly Pick<FoundTask, 'line' | 'words'>[],
): FoundItem[] {
  if (lines.length > 0) return lines.map(({ line, words }) => ({ path, line, text: words.trim() }));
  return [values.length > 0 ? { path, text: values.join('; ') } : { path }];
}
