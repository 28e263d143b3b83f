import { reading } from '#messages/tool-messages';
import { counted } from '#messages/plural';
import { firstCharacters } from '#text/shorten';
import * as z from 'zod/mini';
import type { CallDetails, FoundItem } from '#model/message';
import type { NoteEntry } from '#ports/vault';
import { numberedLines, type NumberedText } from '../numbered-lines';
import type { PrintedLine } from '../printed-lines';
import { aroundPlace, couldNotBeRead, onlyProposed, proposedAmong } from '../result-format';
import { forEachInSlices } from '#ports/slices';
import { countProgress } from '../progress';
import { defineTool, firstFound, MAX_FOUND_CHARS, problem, text, type ToolContext } from '../tool';
import type { NearNotes, NearNote } from '../semantic-search';
import type { FoundNote, WordSearchResult } from '#search/search-engine';
import { type NoteFilter, noteFilter } from './note-filter';

const input = z.strictObject({
  query: z
    .string()
    .check(z.minLength(1), z.maxLength(1_000), z.describe('Such as "tomato seedlings frost".')),
  by: z
    .optional(z.enum(['keyword', 'meaning']))
    .check(z.describe('meaning needs an embedding endpoint.')),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
  folder: z.optional(z.string()),
  tags: z.optional(z.array(z.string())).check(z.describe('All of these, or nested in them.')),
  include_content: z.optional(z.boolean()).check(z.describe('Shows more of each note.')),
});

type Search = z.infer<typeof input>;

/** Limits of one note with `include_content`, and of the whole result. */
const MAX_NOTE_CHARS = 4_000;
const MAX_RESULT_CHARS = 40_000;

export const searchVault = defineTool<Search>({
  name: 'search_vault',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Finds the notes that say most about a topic, best first, with a passage of each. Aliases, headings, tags and names of properties count; word beginnings and small misspellings match. For exact text use search_files.',
  input,
  example: { query: 'tomato seedlings frost', folder: 'Garden' },
  async run(search, context) {
    const { query, folder, tags = [], limit = 10, include_content = false } = search;
    const { vault, search: texts, signal, clock } = context;
    const filter = await noteFilter(folder, tags, context);
    if ('reason' in filter) return problem(filter);
    const files = (await vault.listing()).notes;
    const isWhole = folder === undefined && tags.length === 0;
    const among = isWhole ? files : await filtered(files, filter, context);
    const excludedTag = vault.excludedTag();
    const progress = countProgress(context, 'note', reading);
    const looking = { among, excludedTag, sees: await vault.seeing(), signal, progress };
    const shown = (best: readonly ShownNote[]) => {
      const paths = new Set(best.map(({ id }) => id));
      const dated = among.filter(({ path }) => paths.has(path));
      const dates = new Map(dated.map(({ path, modified }) => [path, clock.date(modified)]));
      return partsOf(best, dates, include_content, context);
    };
    if (search.by === 'meaning') {
      const near = await texts.semanticSearch().near(query, limit, looking);
      if (!near.ok) return problem(near, 'unavailable');
      const best = near.best.map(nearNote);
      const details = detailsOf(best, best.length);
      const { parts, proposed } = await shown(best);
      return text(filter.preface + nearInWords(query, near, parts, proposed), details);
    }
    const ranked = await texts.rank({ query, limit, ...looking });
    if (!ranked) return problem('The search was stopped before it finished.', 'unfinished');
    if (ranked.words.length === 0) {
      return problem(
        `"${query}" has no letter or number in it. Give words; search_files finds special characters.`,
        'invalid-input',
      );
    }
    const best = ranked.best.map(foundNote);
    const details = detailsOf(best, ranked.found, ranked.unindexed);
    const { parts, proposed } = await shown(best);
    return text(filter.preface + rankedText(query, ranked, parts, proposed), details);
  },
});

function detailsOf(best: readonly ShownNote[], count: number, unsearched = 0): CallDetails {
  const items = best.map(({ id, hit }): FoundItem => ({ path: id, ...hit }));
  return {
    ...{ kind: 'search', matches: count, files: count },
    ...(items.length > 0 ? { found: firstFound(items, items.length < count) } : {}),
    ...(unsearched > 0 ? { unsearched } : {}),
  };
}

async function filtered(
  files: readonly NoteEntry[],
  filter: NoteFilter,
  context: ToolContext,
): Promise<readonly NoteEntry[]> {
  const among: NoteEntry[] = [];
  await forEachInSlices(files, context, (entry) => {
    if (filter.isInFolder(entry.path) && filter.hasTags(entry.path)) among.push(entry);
  });
  return among;
}

function rankedText(
  query: string,
  ranked: WordSearchResult,
  shown: readonly string[],
  proposed: readonly string[],
): string {
  const { found, withAllWords: all, words, count } = ranked;
  if (found === 0) {
    return [
      ...notIndexed(ranked),
      `${noNote(ranked)} contains a word of "${query}" (${counted(count, 'note')} searched).`,
      'Try other words for it, or leave out folder and tags if you gave them. search_files finds parts of words, list_files finds names.',
      ...couldNotBeRead(ranked.unread),
    ].join('\n');
  }
  const share =
    words.length === 1
      ? ''
      : ` (${all === found ? 'all' : all.toLocaleString('en')} with every word)`;
  const head = [
    ...notIndexed(ranked),
    `${counted(found, 'note')} of ${count.toLocaleString('en')} for "${query}"${share}, best first.`,
    ...missingWords(ranked),
  ].join('\n');
  const more = shown.length < ranked.best.length ? 'Leave out include_content' : 'Raise limit';
  const cut = `(Shown: ${shown.length} of ${counted(found, 'note')}. ${more}, or narrow with more words, folder or tags.)`;
  return [
    ...[head, ...shown, ...(shown.length < found ? [cut] : [])],
    ...proposed,
    ...couldNotBeRead(ranked.unread),
  ].join('\n\n');
}

/** A line about the notes that were left out. No number: some of them may turn out to be hidden. */
function notIndexed({ unindexed }: WordSearchResult): string[] {
  if (unindexed === 0) return [];
  return [
    'Some notes were not searched, because they are not indexed yet. search_files searches all; search_vault finds more in them later.',
  ];
}

function noNote({ unindexed }: WordSearchResult): string {
  return unindexed === 0 ? 'No note' : 'No note searched';
}

const MAX_SIMILAR = 3;

/** Lines about query words that no note contains, with the similar words used instead. */
function missingWords(ranked: WordSearchResult): string[] {
  const { words, missing, matches } = ranked;
  const similar = (word: string) => {
    const place = words.indexOf(word);
    const isFor = (each: { word: number; score: number }) => each.word === place && each.score > 0;
    return [...matches].flatMap(([name, matched]) => (matched.some(isFor) ? [name] : []));
  };
  const alternatives = missing.map((word) => ({
    word,
    instead: similar(word).slice(0, MAX_SIMILAR),
  }));
  const absent = alternatives.flatMap(({ word, instead }) =>
    instead.length === 0 ? [`"${word}"`] : [],
  );
  return [
    ...(absent.length > 0 ? [`${noNote(ranked)} contains ${absent.join(' or ')}.`] : []),
    ...alternatives
      .filter(({ instead }) => instead.length > 0)
      .map(
        ({ word, instead }) =>
          `${noNote(ranked)} contains "${word}"; similar words were used: ${instead.join(', ')}.`,
      ),
  ];
}

function nearInWords(
  query: string,
  near: NearNotes,
  shown: readonly string[],
  proposed: readonly string[],
): string {
  const head = `The ${counted(shown.length, 'note')} of ${near.count.toLocaleString('en')} nearest in meaning to "${query}", nearest first. Nearness is from 0 to 1; something is always nearest.`;
  const why =
    near.reason ?? 'The user can have them embedded in the settings, under Search and web: Update.';
  const left = `(${counted(near.missing, 'passage')} could not be looked at, not being embedded yet. ${why})`;
  return [head, ...shown, ...(near.missing > 0 ? [left] : []), ...proposed].join('\n\n');
}

interface ShownNote {
  readonly id: string;
  readonly text: string;
  /** Follows the note's date in the result. */
  readonly about: string;
  readonly passage: string;
  /** The line that says most; none for a note without text. */
  readonly hit: { readonly line?: number; readonly text?: string };
  /** Lines that `passage` shows. */
  readonly printed: readonly PrintedLine[];
  /** First line to show if more than the passage is requested. */
  readonly first: number;
}

/** A longer heading is cut before it is trimmed, because the regex would be slow on it. */
const MAX_HEADING_CHARS = 400;

function foundNote({ id, text: whole, passage: { heading, lines } }: FoundNote): ShownNote {
  const rows = lines.map(({ number, text: line, matchAt }) => ({
    number,
    mark: matchAt < 0 ? ' ' : '>',
    words: aroundPlace(line.trimEnd(), matchAt),
  }));
  const passage = rows.map(({ mark, number, words }) => `${mark}${number}: ${words}`);
  const printed = rows.map(({ number, words }): PrintedLine => [number, words]);
  if (heading) printed.push([heading.number, null]);
  const about = heading
    ? `; below "${aroundPlace(firstCharacters(heading.text, MAX_HEADING_CHARS).replace(/^[\s#]+|[\s#]+$/g, ''), 0)}", line ${heading.number}`
    : '';
  const first = heading?.number ?? lines[0]?.number ?? 1;
  const best = lines.find(({ matchAt }) => matchAt >= 0) ?? lines[0];
  const hit = best
    ? {
        line: best.number,
        text: aroundPlace(best.text.trimEnd(), best.matchAt, MAX_FOUND_CHARS - 4),
      }
    : {};
  return { id, text: whole, about, passage: passage.join('\n'), printed, first, hit };
}

function nearNote({ id, text: whole, likeness, chunk: { first, last } }: NearNote): ShownNote {
  const limits = { lines: 12, characters: 600, lineCharacters: 300 };
  const about = `; nearness ${likeness.toFixed(2)}`;
  const { text: passage, printed } = numberedLines(whole, first, last, limits);
  const [line, words] = printed[0] ?? [];
  const hit = line === undefined ? {} : { line, text: words ?? '' };
  return { id, text: whole, about, passage, printed, first, hit };
}

interface ShownParts {
  readonly parts: readonly string[];
  /** A line about the lines among them that are only proposed; empty for none. */
  readonly proposed: readonly string[];
}

/** Formats as many notes as fit, and records their lines as shown. */
async function partsOf(
  notes: readonly ShownNote[],
  dates: ReadonlyMap<string, string>,
  withContent: boolean,
  { vault, notes: shownTo }: ToolContext,
): Promise<ShownParts> {
  const shown: string[] = [];
  const proposed: string[] = [];
  let room = MAX_RESULT_CHARS;
  for (const note of notes) {
    const { id, about, passage, text: whole } = note;
    const { text: content, printed } = withContent
      ? contentOf(note)
      : { text: passage, printed: note.printed };
    const empty = whole.trim() === '' ? '  (empty)' : '  (properties only)';
    const part = `${id} (${dates.get(id) ?? ''}${about})\n${content === '' ? empty : content}`;
    if (shown.length > 0 && part.length > room) break;
    shown.push(part);
    shownTo.show(id, whole, printed);
    room -= part.length;
    const read = await vault.read(id);
    const numbers = printed.map(([number]) => number);
    if (read.ok) proposed.push(...proposedAmong(id, read.value, numbers));
  }
  return { parts: shown, proposed: onlyProposed(proposed) };
}

/** The whole note if it fits, otherwise its text from the passage on. */
function contentOf({ id, text: whole, first }: ShownNote): Pick<NumberedText, 'text' | 'printed'> {
  const limits = { lines: 200, characters: MAX_NOTE_CHARS, lineCharacters: 1_000 };
  const all = numberedLines(whole, 1, Infinity, limits);
  const part = all.cut ? numberedLines(whole, first, Infinity, limits) : all;
  if (part.total === 0 || (part.first === 1 && !part.cut)) return part;
  const rest = part.cut
    ? `; continue with read_file {"path":${JSON.stringify(id)},"start_line":${part.last + 1}}`
    : '';
  const text = `${part.text}\n(lines ${part.first}-${part.last} of ${part.total}${rest})`;
  return { text, printed: part.printed };
}
