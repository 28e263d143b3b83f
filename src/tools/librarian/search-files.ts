import * as z from 'zod/mini';
import type { DocumentMatches, SearchResult } from '#search/grep';
import { rememberRows, type ShownRow, type ShownRows } from '../shown-rows';
import { aroundPlace } from '../shorten';
import { defineTool, problem, text } from '../tool';
import { counted, couldNotBeRead } from '../words';

const input = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe(
        'Regular expression, such as "milk" or "TODO|FIXME" or "due: \\\\d{4}-\\\\d{2}". Escape . ( ) [ ] ? * + for their literal meaning.',
      ),
    ),
  file_pattern: z
    .optional(z.string())
    .check(z.describe('Glob: only in these files, such as "Journal/**" or "*.canvas".')),
  case_sensitive: z
    .optional(z.boolean())
    .check(z.describe('Left out: case counts only if the pattern has an upper-case letter.')),
  context_lines: z
    .optional(z.int().check(z.minimum(0), z.maximum(20)))
    .check(z.describe('Lines shown around a match. Default 2.')),
  max_results: z
    .optional(z.int().check(z.minimum(1), z.maximum(500)))
    .check(z.describe('Matching lines shown. Default 50.')),
  multiline: z.optional(z.boolean()).check(z.describe('True: a match may span lines.')),
});

const output = z.strictObject({ text: z.string(), matches: z.int(), files: z.int() });

const LONGEST_RESULT = 40_000;

export const searchFiles = defineTool<z.infer<typeof input>>({
  name: 'search_files',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Searches the text of all notes with a regular expression and shows numbered passages, from the last changed note on, with true totals. Use it to find where something is said. To find a note by its name use list_files.',
  input,
  output: {
    schema: output,
    of: ({ text: found, details }) =>
      details?.kind === 'search'
        ? { text: found, matches: details.matches, files: details.files }
        : { text: found },
  },
  example: { pattern: 'oat milk', file_pattern: 'Lists/**' },
  async run(wish, { vault, search, notes, signal }) {
    const [{ compileGlob }, { compilePattern }] = await Promise.all([
      import('#search/globs'),
      import('#search/pattern'),
    ]);
    const compiled = compilePattern(wish.pattern, {
      ...(wish.case_sensitive === undefined ? {} : { caseSensitive: wish.case_sensitive }),
      multiline: wish.multiline ?? false,
    });
    if (!compiled.ok) return problem(compiled.reason);
    const glob = wish.file_pattern === undefined ? null : compileGlob(wish.file_pattern);
    if (glob && !glob.ok) return problem(glob.reason);
    const rule = wish.file_pattern === undefined ? null : vault.refusalOfGlob(wish.file_pattern);
    if (rule !== null) return problem(rule);
    const files = await vault.searchable();
    const among = glob ? files.filter(({ path }) => glob.glob.matches(path)) : files;
    const most = wish.max_results ?? 50;
    const contextLines = wish.context_lines ?? 2;
    const result = await search.grep(compiled.pattern, {
      among,
      contextLines,
      maxExcerpts: most,
      hides: vault.hidingTexts(),
      sees: await vault.seeing(),
      signal,
    });
    if (!result.finished) return problem('The search was stopped before it was finished.');
    const details = { kind: 'search', matches: result.matches, files: result.files } as const;
    const words = inWords(wish.pattern, wish.file_pattern, most, result);
    for (const { path, rows } of words.shown) {
      const read = await vault.read(path);
      rememberRows(notes, path, read.ok ? read.value.text : '', rows);
    }
    return text(words.text, details);
  },
});

function inWords(
  pattern: string,
  files: string | undefined,
  most: number,
  result: SearchResult,
): { text: string; shown: readonly ShownRows[] } {
  const among = files === undefined ? '' : ` among "${files}"`;
  if (result.matches === 0) {
    const text = [
      `No matches for "${pattern}" in ${counted(result.searched, 'file')}${among}.`,
      'Try fewer or other words, a part of a word, or list_files to look for names.',
      ...leftOut(result),
    ].join('\n');
    return { text, shown: [] };
  }
  const head = `${counted(result.matches, 'match', 'matches')} in ${counted(result.files, 'file')} (${result.searched.toLocaleString('en')} searched${among}), the last changed first.`;
  const parts: string[] = [];
  const shown: ShownRows[] = [];
  let room = LONGEST_RESULT;
  let lines = 0;
  for (const document of result.found) {
    if (room <= 0 || lines >= most) break;
    const part = documentText(document, room, most - lines);
    parts.push(part.text);
    shown.push({ path: document.id, rows: part.rows });
    room -= part.text.length;
    lines += part.hits;
  }
  const all = `${counted(result.lines, 'matching line')} in ${counted(result.files, 'file')}`;
  const cut =
    lines < result.lines
      ? [
          `(Shown: ${lines.toLocaleString('en')} of ${all}. ${room > 0 ? 'Raise max_results, or narrow' : 'Narrow'} with file_pattern or a longer pattern.)`,
        ]
      : [];
  return { text: [head, ...parts, ...cut, ...leftOut(result)].join('\n\n'), shown };
}

/** As much of the passages as there is room for; at least the first line. */
function documentText(
  { id, matches, excerpts }: DocumentMatches,
  room: number,
  most: number,
): { text: string; hits: number; rows: readonly ShownRow[] } {
  const numbered: ShownRow[] = [];
  const rows = [`${id} (${counted(matches, 'match', 'matches')})`];
  let length = 0;
  let hits = 0;
  for (const [place, lines] of excerpts.entries()) {
    if (place > 0) rows.push('  …');
    for (const { number, text: line, matchAt } of lines) {
      const mark = matchAt === undefined ? ' ' : '>';
      const printed = aroundPlace(line, matchAt ?? 0);
      const row = `${mark}${number}: ${printed}`;
      // Lines that follow each other are one passage, however many they are.
      const isFull = length + row.length > room || (matchAt !== undefined && hits >= most);
      if (rows.length > 1 && isFull) {
        rows.push('  … (the rest of this file is not shown)');
        return { text: rows.join('\n'), hits, rows: numbered };
      }
      rows.push(row);
      numbered.push({ number, line, printed });
      length += row.length + 1;
      if (matchAt !== undefined) hits += 1;
    }
  }
  return { text: rows.join('\n'), hits, rows: numbered };
}

function leftOut({ unread, incomplete }: SearchResult): string[] {
  const lines = couldNotBeRead(unread);
  if (incomplete.length > 0) {
    lines.push(
      `(Lines too long for this pattern were left out in ${incomplete.slice(0, 3).join(', ')}; a simpler pattern searches them.)`,
    );
  }
  return lines;
}
