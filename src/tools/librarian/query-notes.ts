import { firstCharacters } from '#text/shorten';
import * as z from 'zod/mini';
import { nameOf } from '#text/paths';
import type { VisibleMetadata } from '#policy/visible-metadata';
import type { VisibleListing } from '#policy/visible-notes';
import { counted } from '#messages/plural';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import {
  conditionFields,
  judge,
  type Judge,
  matchingTasks,
  notesMeeting,
  type Tasks,
} from './note-conditions';
import { propertyOf } from './note-filter';

const input = z.strictObject({
  ...conditionFields,
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
    const found = await notesMeeting(judged, context);
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

/** The values of the properties that the query names. */
function shown(path: string, { properties = {} }: Query, metadata: VisibleMetadata): string[] {
  const own = metadata.propertiesOf(path);
  return Object.keys(properties).flatMap((name) => {
    const value = propertyOf(own, name);
    if (value === undefined) return [];
    return [`${name}: ${firstCharacters(JSON.stringify(value), MAX_VALUE_CHARS)}`];
  });
}

/** Indented task lines, up to the limit. Records them as shown. */
function taskRows(path: string, { text, all }: Tasks, { notes }: ToolContext): string[] {
  notes.show(path, text, all.slice(0, MAX_TASKS));
  const rows = all.map(([number, words]) => `  ${number}: ${words}`);
  const more = rows.length - MAX_TASKS;
  if (more <= 0) return rows;
  return [...rows.slice(0, MAX_TASKS), `  (${more} more in ${nameOf(path)})`];
}
