import { reading } from '#messages/tool-messages';
import { clip, codeSpan } from '#text/shorten';
import { counted, firstNames, number } from '#messages/plural';
import { compileFileGlob, compileGlob } from '#search/globs';
import { compilePattern } from '#search/pattern';
import { filterInSlices } from '#ports/slices';
import { countProgress } from '../progress';
import {
  type AskedPattern,
  closeNames,
  linkAsPattern,
  negationProblem,
  otherSpellings,
  whyNothing,
} from './unmatched-glob';
import * as z from 'zod/mini';
import type { NoteEntry } from '#ports/vault';
import type { FoundItem } from '#model/message';
import type { DocumentMatches, Excerpt, SearchResult } from '#search/grep';
import type { PatternAnswer } from '../vault-search';
import { aroundPlace, couldNotBeRead, onlyProposed, proposedAmong } from '../result-format';
import { rememberRows, type ShownRow, type ShownRows } from '../numbered-lines';
import { defineTool, firstFound, MAX_FOUND_CHARS, problem, text, type ToolContext } from '../tool';
import { TEXT_EXTENSIONS } from '../vault-documents';

/** More would make a search hold too many passages. */
const MAX_OFFSET = 5_000;

const input = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe(
        'Regular expression, such as "TODO|FIXME" or "due: \\\\d{4}"; escape . ( ) [ ] ? * + to match them literally.',
      ),
    ),
  file_pattern: z.optional(z.string()).check(z.describe('Folder or glob: "Journal", "*.canvas".')),
  case_sensitive: z.optional(z.boolean()),
  context_lines: z.optional(z.int().check(z.minimum(0), z.maximum(20))),
  max_results: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
  multiline: z.optional(z.boolean()).check(z.describe('A match may span lines; implied by \\n.')),
  output: z
    .optional(z.enum(['lines', 'paths']))
    .check(z.describe('paths: only notes with counts.')),
  offset: z
    .optional(z.int().check(z.minimum(0), z.maximum(MAX_OFFSET)))
    .check(z.describe('Lines or notes to skip.')),
});

const output = z.strictObject({ text: z.string(), matches: z.int(), files: z.int() });

const MAX_RESULT_CHARS = 40_000;

/** Time limit for explaining why nothing matched, which searches again. */
const MAX_EXPLAIN_MS = 1_000;

export const searchFiles = defineTool<z.infer<typeof input>>({
  name: 'search_files',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Searches the text of all notes: passages with line numbers, most recently changed notes first. To find a name use list_files.',
  input,
  output: {
    schema: output,
    of: ({ text: found, details }) =>
      details?.kind === 'search'
        ? { text: found, matches: details.matches, files: details.files }
        : { text: found },
  },
  example: { pattern: 'oat milk', file_pattern: 'Lists/**' },
  async run(query, context) {
    const { vault, search, notes, signal } = context;
    const options = {
      written: query.pattern,
      caseSensitive: query.case_sensitive ?? false,
      multiline: query.multiline ?? false,
    };
    const compiled = compilePattern(query.pattern, options);
    if (!compiled.ok) return problem(compiled.reason, 'invalid-input');
    const glob = query.file_pattern === undefined ? null : compileFileGlob(query.file_pattern);
    if (glob && !glob.ok) return problem(glob.reason, 'invalid-input');
    const rule = query.file_pattern === undefined ? null : vault.refusalOfGlob(query.file_pattern);
    if (rule !== null) return problem(rule, 'not-allowed');
    const files = (await vault.listing()).searchable;
    const wanted = glob
      ? await filterInSlices(files, context, ({ path }) => glob.glob.matches(path))
      : files;
    const { max_results: most = 50, output: shows = 'lines', offset = 0 } = query;
    const onlyCounts = shows === 'paths';
    const [excludedTag, sees] = [vault.excludedTag(), await vault.seeing()];
    const contextLines = query.context_lines ?? 2;
    const progress = countProgress(context, 'file', reading);
    const grep = (
      { written, caseSensitive, multiline }: AskedPattern,
      among: readonly NoteEntry[],
      maxExcerpts: number,
      until = signal,
    ) =>
      search.grep({
        ...{ written, caseSensitive, multiline, among, maxExcerpts, contextLines },
        ...{ maxExcerptsEach: maxLinesEach(most), excludedTag, sees, signal: until, progress },
        onlyCounts,
      });
    const answer = await grep(options, wanted, offset + most);
    if (!answer.ok) return refusal(query.pattern, answer.kind);
    const { result } = answer;
    const details = { kind: 'search', matches: result.matches, files: result.files } as const;
    if (result.matches > 0) {
      const hints = [
        ...linkAsPattern(query.pattern),
        ...(await otherSpellings(options, result, async (pattern) => {
          const found = await grep(pattern, wanted, 3);
          return found.ok ? found.result : null;
        })),
      ];
      const page = { files: query.file_pattern, most, offset };
      const words =
        shows === 'paths' ? pathsText(page, result, hints) : matchesText(page, result, hints);
      const proposed: string[] = [];
      for (const { path, rows } of words.shown) {
        const read = await vault.read(path);
        rememberRows(notes, path, read.ok ? read.value.text : '', rows);
        const numbers = rows.map(({ number }) => number);
        if (read.ok) proposed.push(...proposedAmong(path, read.value, numbers));
      }
      return text([words.text, ...onlyProposed(proposed)].join('\n\n'), {
        ...details,
        found: firstFound(words.found, words.isCut),
      });
    }

    const others = wanted.filter(({ path }) => !search.isText(path)).length;
    // A note hidden by its own text is recognized only after reading it, and must not be mentioned.
    const hasTexts = result.searched + result.unread.length > 0;
    if (glob && !hasTexts && others === 0) {
      const negation = negationProblem(query.file_pattern ?? '');
      if (negation !== null) return problem(negation, 'invalid-input');
    }
    const late = new AbortController();
    const cancel = context.clock.after(MAX_EXPLAIN_MS, () => late.abort());
    const until = AbortSignal.any([signal, late.signal]);
    const reasons = await whyNothing(
      options,
      glob !== null,
      async (pattern, among) => {
        const found = await grep(pattern, among === 'all' ? files : wanted, 3, until);
        return found.ok ? found.result : null;
      },
      () => until.aborted,
    );
    cancel();
    const head =
      glob && !hasTexts
        ? await noFile(query.file_pattern ?? '', others, context)
        : `No matches for "${query.pattern}" in ${counted(result.searched, 'file')}${amongWords(query.file_pattern)}.`;
    const excluded = context.settings.excludedFolders.length > 0 ? [EXCLUDED] : [];
    const advice = hasTexts ? ADVICE : ADVICE_WITHOUT_FILES;
    const rest = [
      ...(reasons.length > 0 ? reasons : [advice]),
      ...couldNotBeRead(result.unread),
      ...excluded,
    ];
    return text([head, ...rest].join('\n'), details);
  },
});

function refusal(
  pattern: string,
  why: Extract<PatternAnswer, { ok: false }>['kind'],
): ReturnType<typeof problem> {
  switch (why) {
    case 'stopped':
      return problem('The search was stopped before it finished.', 'unfinished');
    case 'too-slow':
      return problem(
        `The pattern ${codeSpan(pattern)} takes too long, so the search was ended. ${SIMPLER}`,
        'invalid-input',
      );
  }
}

const SIMPLER =
  'Write one repetition instead of several within or after each other, say what is between them, or use a bounded one: `\\w+`, `\\w+(, \\w+)*` or `.{1,80}`, not `(\\w+)+` or `(\\w|\\d)*`.';

const ADVICE = 'Try fewer or other words, a part of a word, or list_files to look for names.';
const ADVICE_WITHOUT_FILES =
  'Without file_pattern there are no matches either. Try fewer or other words, or list_files to look for names.';
const EXCLUDED = "(Folders excluded in Parley's settings are not searched.)";

/** @param others number of files that match the glob but cannot be searched */
async function noFile(glob: string, others: number, context: ToolContext): Promise<string> {
  if (others > 0) {
    return `"${glob}" matches ${counted(others, 'file')}, but none of them can be searched as text (only ${TEXT_EXTENSIONS.join(', ')}).`;
  }
  const entries = (await context.vault.listing()).entries;
  const asFolder = compileGlob(glob.replace(/(?<=.)[\\/]+$/, ''));
  const named = asFolder.ok
    ? await filterInSlices(entries, context, ({ path }) => asFolder.glob.matches(path))
    : [];
  const file = named.find(({ kind }) => kind === 'file');
  if (file) {
    return `"${glob}" matches no folder, so nothing was searched. To search the file, give "${file.path}".`;
  }
  return named.length > 0
    ? `"${glob}" contains no files, so nothing was searched.`
    : `No file matches "${glob}", so nothing was searched.${closeNames(glob, entries)}`;
}

function amongWords(files: string | undefined): string {
  return files === undefined ? '' : ` matching "${clip(files, MAX_GLOB_CHARS)}"`;
}

/** A longer one is not repeated whole. */
const MAX_GLOB_CHARS = 60;

/** What of the matches to show. */
interface Page {
  /** The glob of the files. */
  readonly files: string | undefined;
  /** Maximum lines with a match, or notes. */
  readonly most: number;
  /** Lines with a match, or notes, to skip. */
  readonly offset: number;
}

interface Shown {
  readonly text: string;
  readonly shown: readonly ShownRows[];
  readonly found: readonly FoundItem[];
  readonly isCut: boolean;
}

function headOf({ files }: Page, result: SearchResult, hints: readonly string[]): string {
  const { matches, files: notes, searched } = result;
  const head = `${counted(matches, 'match', 'matches')} in ${counted(notes, 'file')} (${searched.toLocaleString('en')} searched${amongWords(files)}), most recently changed first.`;
  return [head, ...hints].join('\n');
}

function nothingFrom({ offset }: Page, all: string): string {
  return `(Nothing is left after the first ${offset.toLocaleString('en')}: ${all}.)`;
}

/** The notes with their numbers of matches. */
function pathsText(page: Page, result: SearchResult, hints: readonly string[]): Shown {
  const { most, offset } = page;
  const notes = result.found.slice(offset, offset + most);
  const last = offset + notes.length;
  const all = counted(result.files, 'file');
  const cut =
    notes.length === 0
      ? [nothingFrom(page, all)]
      : last < result.files
        ? [`(Shown: ${offset + 1}-${last} of ${all}. Continue with offset ${last}.)`]
        : [];
  const rows = notes.map(({ id, matches }) => `${id} (${matches.toLocaleString('en')})`);
  return {
    text: [headOf(page, result, hints), ...rows, ...cut, ...couldNotBeRead(result.unread)].join(
      '\n',
    ),
    shown: [],
    found: notes.map(({ id, matches }) => ({
      path: id,
      text: counted(matches, 'match', 'matches'),
    })),
    isCut: notes.length < result.files,
  };
}

/** If not all matching lines fit, one of several files has no more of them before all others. */
function maxLinesEach(most: number): number {
  return Math.max(5, Math.ceil(most / 5));
}

function matchesText(page: Page, result: SearchResult, hints: readonly string[]): Shown {
  const { most, offset } = page;
  const isShared = result.files > 1 && result.lines > most;
  const documents = isShared ? inShares(result.found, maxLinesEach(most)) : result.found;
  const parts: string[] = [];
  const shown: ShownRows[] = [];
  const found: FoundItem[] = [];
  let room = MAX_RESULT_CHARS;
  let lines = 0;
  for (const document of afterLines(documents, offset)) {
    if (room <= 0 || lines >= most) break;
    const part = documentText(document, room, most - lines);
    parts.push(part.text);
    shown.push({ path: document.id, rows: part.rows });
    found.push(...part.found);
    room -= part.text.length;
    lines += part.found.length;
  }
  const all = `${counted(result.lines, 'matching line')} in ${counted(result.files, 'file')}`;
  const last = offset + lines;
  const first = offset > 0 ? `${number(offset + 1)}-` : '';
  const cut =
    lines === 0
      ? [nothingFrom(page, all)]
      : last < result.lines
        ? [
            ...unshownNames(result, shown),
            `(Shown: ${first}${number(last)} of ${all}. Continue with offset ${last}, or narrow with file_pattern or a longer pattern.)`,
          ]
        : [];
  return {
    text: [headOf(page, result, hints), ...parts, ...cut, ...couldNotBeRead(result.unread)].join(
      '\n\n',
    ),
    shown,
    found,
    isCut: lines < result.lines,
  };
}

const MAX_UNSHOWN_NAMES = 10;

/** The files after all that are shown. */
function unshownNames({ found, files }: SearchResult, shown: readonly ShownRows[]): string[] {
  const paths = new Set(shown.map(({ path }) => path));
  const from = found.findLastIndex(({ id }) => paths.has(id)) + 1;
  if (from >= files) return [];
  const names = found.slice(from).map(({ id, matches }) => `${id} (${number(matches)})`);
  return [`Not shown: ${firstNames(names, MAX_UNSHOWN_NAMES, files - from)}.`];
}

/** The first matching lines of each document, and after those of all the rest of each. */
function inShares(documents: readonly DocumentMatches[], most: number): DocumentMatches[] {
  const rests = documents.map((document) => afterLines([document], most)[0]);
  const firsts = documents.map((document) => {
    const excerpts: Excerpt[] = [];
    let left = most;
    for (const lines of document.excerpts) {
      if (left <= 0) break;
      const hits = hitsIn(lines);
      excerpts.push(hits.length <= left ? lines : lines.slice(0, hits[left]));
      left -= hits.length;
    }
    return { ...document, excerpts };
  });
  return [...firsts, ...rests.filter((document) => document !== undefined)];
}

/** Indexes of the lines with a match. */
function hitsIn(lines: Excerpt): number[] {
  return lines.flatMap(({ matchAt }, at) => (matchAt === undefined ? [] : [at]));
}

/** The passages without the first lines that have a match; `lines` counts those that are left. */
export function afterLines(
  documents: readonly DocumentMatches[],
  offset: number,
): readonly DocumentMatches[] {
  let left = offset;
  const rest: DocumentMatches[] = [];
  for (const document of documents) {
    const own: Excerpt[] = [];
    const before = left;
    for (const lines of document.excerpts) {
      const hits = hitsIn(lines);
      const skipped = Math.min(left, hits.length);
      left -= skipped;
      if (skipped < hits.length) own.push(skipped === 0 ? lines : lines.slice(hits[skipped]));
    }
    const lines = document.lines - (before - left);
    if (own.length > 0) rest.push({ ...document, lines, excerpts: own });
  }
  return rest;
}

/** Between passages that are not consecutive. */
const MARK = '  …';

/** As many passages as fit; at least one line. */
function documentText(
  { id, matches, lines: all, excerpts }: DocumentMatches,
  room: number,
  most: number,
): { text: string; rows: readonly ShownRow[]; found: readonly FoundItem[] } {
  const numbered: ShownRow[] = [];
  const found: FoundItem[] = [];
  const rows = [`${id} (${counted(matches, 'match', 'matches')})`];
  let length = 0;
  let isFull = false;
  for (const [place, lines] of excerpts.entries()) {
    if (isFull || found.length >= most) break;
    // Line numbers alone tell lines without context apart.
    const isApart = [excerpts[place - 1] ?? [], lines].some((each) => each.some(isContext));
    if (place > 0 && isApart) rows.push(MARK);
    for (const { number: line, text: words, matchAt } of lines) {
      const column = matchAt ?? 0;
      const printed = aroundPlace(words, column);
      const row = `${matchAt === undefined ? ' ' : '>'}${line}: ${printed}`;
      // Checked per line: a passage of consecutive lines can have any length.
      isFull = length + row.length > room || (matchAt !== undefined && found.length >= most);
      if (numbered.length > 0 && isFull) break;
      rows.push(row);
      numbered.push({ number: line, line: words, printed });
      length += row.length + 1;
      if (matchAt !== undefined) {
        const shown = aroundPlace(words, column, MAX_FOUND_CHARS - 4);
        found.push({ path: id, line, text: shown });
      }
    }
  }
  if (rows.at(-1) === MARK) rows.pop();
  const more = all - found.length;
  if (more > 0) rows.push(`  … (${counted(more, 'more matching line')} in this file)`);
  return { text: rows.join('\n'), rows: numbered, found };
}

function isContext({ matchAt }: Excerpt[number]): boolean {
  return matchAt === undefined;
}
