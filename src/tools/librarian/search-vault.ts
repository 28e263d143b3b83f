import * as z from 'zod/mini';
import type { NoteEntry } from '#ports/notes';
import { numberedLines } from '../numbered-lines';
import { aroundPlace } from '../shorten';
import { forEachInSlices } from '../slices';
import { defineTool, problem, text } from '../tool';
import { counted, couldNotBeRead } from '../words';
import type { FoundNote, Ranked } from '../vault-ranks';
import { noteFilter } from './note-filter';

const input = z.strictObject({
  query: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(1_000),
      z.describe('Words, such as "tomato seedlings frost"; the more fit, the better.'),
    ),
  by: z
    .optional(z.enum(['keyword', 'meaning']))
    .check(z.describe('Default keyword. meaning needs an embedding endpoint.')),
  limit: z
    .optional(z.int().check(z.minimum(1), z.maximum(50)))
    .check(z.describe('Notes shown. Default 10.')),
  folder: z.optional(z.string()).check(z.describe('In it and below.')),
  tags: z
    .optional(z.array(z.string()))
    .check(z.describe('All of these, with or without #. A nested tag counts as its parent.')),
  include_content: z
    .optional(z.boolean())
    .check(z.describe('True: more of each note, with numbered lines.')),
});

type Search = z.infer<typeof input>;

/** Characters of one note, and of all, where more than the passage is asked for. */
const LONGEST_NOTE = 4_000;
const LONGEST_RESULT = 40_000;
const MOST_SPELLINGS = 5;

const NO_MEANING =
  'Searching by meaning needs an embedding endpoint, and none is set: the person can set one in the settings of Parley, under Search. Call again without "by": give several words that the note might use, also other words for the same thing.';

export const searchVault = defineTool<Search>({
  name: 'search_vault',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Finds the notes that say most about something: ranked by the words of the query, with the passage that fits best. Names, aliases, headings and tags count more than text; beginnings of words and small slips in spelling are found. Use it for a topic; for an exact text use search_files.',
  input,
  example: { query: 'tomato seedlings frost', folder: 'Garden' },
  async run(search, context) {
    if (search.by === 'meaning') return problem(NO_MEANING);
    const { query, folder, tags = [], limit = 10 } = search;
    const { vault, search: texts, signal, clock } = context;
    const filter = await noteFilter(folder, tags, context);
    if ('problem' in filter) return problem(filter.problem);
    const among: NoteEntry[] = [];
    await forEachInSlices(await vault.newestFirst(), context, (entry) => {
      if (filter.isInFolder(entry.path) && filter.bearsTags(entry.path)) among.push(entry);
    });
    const [hides, sees] = [vault.hidingTexts(), await vault.seeing()];
    const ranked = await texts.rank({ query, among, limit, hides, sees, signal });
    if (!ranked) return problem('The search was stopped before it was finished.');
    if (ranked.ranking.words.length === 0) {
      return problem(
        `"${query}" has no letter or number in it. Give words; search_files finds signs.`,
      );
    }
    const found = ranked.ranking.notes.length;
    const dates = new Map(among.map(({ path, modified }) => [path, modified]));
    const dateOf = (id: string) => clock.date(dates.get(id) ?? 0);
    return text(filter.preface + inWords(search, ranked, dateOf), {
      ...{ kind: 'search', matches: found, files: found },
    });
  },
});

function inWords(search: Search, ranked: Ranked, dateOf: (id: string) => string): string {
  const { query, include_content: withContent } = search;
  const { notes, words, count } = ranked.ranking;
  if (notes.length === 0) {
    return [
      `None of the ${counted(count, 'note')} looked through has a word of "${query}".`,
      'Try other words for it, or fewer conditions; search_files finds parts of words, list_files names.',
      ...couldNotBeRead(ranked.unread),
    ].join('\n');
  }
  const all = notes.filter(({ words: has }) => has === words.length).length;
  const share =
    words.length === 1
      ? ''
      : ` (${all === notes.length ? 'all' : all.toLocaleString('en')} with all its words)`;
  const head = [
    `${counted(notes.length, 'note')} of ${count.toLocaleString('en')} for "${query}"${share}, the best first.`,
    ...spellings(ranked),
  ].join('\n');
  const shown: string[] = [];
  let room = LONGEST_RESULT;
  for (const note of ranked.best) {
    const part = `${titleOf(note, dateOf(note.id))}\n${withContent ? contentOf(note) : passageOf(note)}`;
    if (shown.length > 0 && part.length > room) break;
    shown.push(part);
    room -= part.length;
  }
  const cut =
    shown.length < notes.length
      ? [
          `(Shown: ${shown.length} of ${counted(notes.length, 'note')}. ${shown.length < ranked.best.length ? 'Leave out include_content' : 'Raise limit'}, or narrow with more words, folder or tags.)`,
        ]
      : [];
  return [head, ...shown, ...cut, ...couldNotBeRead(ranked.unread)].join('\n\n');
}

/** What no note has as it was asked for. */
function spellings({ ranking: { words, missing, respelled } }: Ranked): string[] {
  const lines = [...respelled].map(([word, names]) => {
    const more = names.length > MOST_SPELLINGS ? ' and more' : '';
    const shown = names.slice(0, MOST_SPELLINGS).map((name) => `"${name}"`);
    return `No note has "${word}"; taken for it: ${shown.join(', ')}${more}.`;
  });
  if (missing.length === 0 || words.length === 1) return lines;
  return [...lines, `No note has ${missing.map((word) => `"${word}"`).join(' or ')}.`];
}

function titleOf({ id, passage: { heading } }: FoundNote, date: string): string {
  const below = heading ? `; below "${aroundPlace(heading.text, 0)}", line ${heading.line}` : '';
  return `${id} (${date}${below})`;
}

function passageOf({ text: whole, passage }: FoundNote): string {
  if (passage.lines.length === 0) return whole.trim() === '' ? '  (empty)' : '  (properties only)';
  return passage.lines
    .map(({ number, text: line, matchAt }) => {
      const mark = matchAt === undefined ? ' ' : '>';
      return `${mark}${number}: ${aroundPlace(line.trimEnd(), matchAt ?? 0)}`;
    })
    .join('\n');
}

/** From the beginning where all of it has room, otherwise from the passage on. */
function contentOf(note: FoundNote): string {
  const { id, text: whole, passage } = note;
  const limits = { lines: 200, characters: LONGEST_NOTE, lineCharacters: 1_000 };
  const first = passage.heading?.line ?? passage.lines[0]?.number ?? 1;
  const all = numberedLines(whole, 1, Infinity, limits);
  const part = all.cut ? numberedLines(whole, first, Infinity, limits) : all;
  if (part.total === 0) return '  (empty)';
  if (part.first === 1 && !part.cut) return part.text;
  const rest = part.cut
    ? `; read_file with {"path":${JSON.stringify(id)},"start_line":${part.last + 1}} goes on`
    : '';
  return `${part.text}\n(lines ${part.first}-${part.last} of ${part.total}${rest})`;
}
