/** Explains why a glob or a search pattern matched nothing, and suggests what would match. */
import { closeMatches } from '#policy/look-up';
import { foldPath } from '#text/paths';
import type { NoteEntry } from '#ports/vault';
import type { SearchResult } from '#search/grep';
import { compilePattern, type PatternOptions } from '#search/pattern';
import { counted, firstNames } from '#messages/plural';

const MAX_NEAR_NAMES = 4;

/**
 * Files and folders with names similar to the literal words of a glob. Folders end with a slash.
 */
export function namesNear(glob: string, entries: readonly NoteEntry[]): string[] {
  const segments = glob.split(/[\\/]+/).filter((segment) => segment !== '');
  const words = segments.map((segment) => segment.replace(/[*?!{}[\],|;]+/g, ' ').trim());
  const kinds = new Map(entries.map(({ path, kind }) => [path, kind]));
  const folders = [...kinds.keys()].filter((path) => kinds.get(path) === 'folder');
  const known = new Set(folders.map(foldPath));
  const found = new Set<string>();
  words.forEach((word, place) => {
    const above = segments.slice(0, place + 1).join('/');
    if (word === '' || known.has(foldPath(above))) return;
    const isLast = place === words.length - 1;
    const wanted = above.endsWith(word) && isLast ? above : word;
    const near = closeMatches(wanted, isLast ? kinds.keys() : folders, MAX_NEAR_NAMES);
    for (const path of near) found.add(kinds.get(path) === 'folder' ? `${path}/` : path);
  });
  return [...found].slice(0, MAX_NEAR_NAMES);
}

/** A hint to append, such as ` Similar names: "Lists/".`; empty if there is none. */
export function closeNames(glob: string, entries: readonly NoteEntry[]): string {
  const near = namesNear(glob, entries);
  const hint =
    near.length > 0 ? ` Similar names: ${near.map((name) => `"${name}"`).join(', ')}.` : '';
  const isList = /[,|;]/.test(glob) && !glob.includes('{');
  return isList ? `${hint} To combine globs use braces, such as "{Lists,Journal}/**".` : hint;
}

/** Names may begin with `!`, so call this only if the glob matched nothing. */
export function negationProblem(glob: string): string | null {
  if (!glob.startsWith('!')) return null;
  return `The glob "${glob}" matches nothing: "!" cannot exclude anything here, and no name begins with it. Say what to include instead, such as "*.canvas" or "{Lists,Projects}/**".`;
}

export interface AskedPattern extends PatternOptions {
  readonly written: string;
}

interface Variant extends AskedPattern {
  /** Introduces the number of matches in the message. */
  readonly says: string;
}

const MAX_NAMES = 3;

/**
 * Searches again with relaxed variants of the pattern, and reports which of them match.
 *
 * @param search searches the files that match `file_pattern`, or all files; null if it did not finish
 * @param isLimited whether a `file_pattern` was given
 * @param isLate true once time is up
 */
export async function whyNothing(
  pattern: AskedPattern,
  isLimited: boolean,
  search: (pattern: AskedPattern, among: 'limited' | 'all') => Promise<SearchResult | null>,
  isLate: () => boolean,
): Promise<string[]> {
  const count = async (variant: AskedPattern, among: 'limited' | 'all'): Promise<string | null> => {
    const isValid = compilePattern(variant.written, variant).ok;
    const found = isValid ? await search(variant, among) : null;
    return found && found.matches > 0 ? matchCounts(found) : null;
  };
  const reasons: string[] = [];
  const all = () => (isLate() ? [...reasons, LATE] : reasons);
  const loosened = variants(pattern);
  for (const variant of loosened) {
    if (isLate()) break;
    const found = await count(variant, 'limited');
    if (found !== null) reasons.push(`${variant.says}: ${found}.`);
  }
  if (!isLimited || isLate()) return all();
  const everywhere = await count(pattern, 'all');
  if (everywhere !== null) reasons.push(`Without file_pattern: ${everywhere}.`);
  const [first] = loosened;
  if (reasons.length > 0 || pattern.caseSensitive !== true || !first || isLate()) return all();
  const both = await count(first, 'all');
  if (both !== null) reasons.push(`Without file_pattern and case_sensitive: ${both}.`);
  return all();
}

const LATE =
  'Not every reason was tried, since it took too long: without file_pattern or case_sensitive, or with other signs, there may be matches.';

/** Variants of the pattern with one rule relaxed each. The one that ignores case comes first. */
function variants(pattern: AskedPattern): Variant[] {
  const { written } = pattern;
  const all: Variant[] = [];
  const add = (says: string, change: Partial<AskedPattern>) => {
    const variant = { ...pattern, ...change, says };
    const isNew = change.written === undefined || change.written !== written;
    if (isNew) all.push(variant);
  };
  if (pattern.caseSensitive) add('Without case_sensitive', { caseSensitive: false });
  const escaped = written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  add(`As plain text, which is the pattern ${JSON.stringify(escaped)}`, { written: escaped });
  const unbounded = written.replace(/(\\[^bB])|\\[bB]/g, '$1');
  add('Without "\\\\b", which takes only a-z, 0-9 and _ for parts of a word', {
    written: unbounded,
  });
  const unescaped = written.replace(/\\[<>]/g, '\\b').replace(/\\([|()+?{}])/g, '$1');
  add('Without the backslash, which makes | ( ) + ? { } plain characters', { written: unescaped });
  const delimited = /^\/(.+)\/[a-z]*$/s.exec(written)?.[1];
  if (delimited) add('Without the slashes around the pattern', { written: delimited });
  const isOneLine = /\\[sSWD]|\[\^/.test(written) && !pattern.multiline;
  if (isOneLine) add('Across lines, with multiline true', { multiline: true });
  add(OTHER_SPELLINGS, { written: withOtherSpellings(written) });
  return all;
}

/** A search that finds fewer may have missed other spellings. */
const MAX_FEW_MATCHES = 10;

/** Says that a search with other spellings finds more than the few matches there are. */
export async function otherSpellings(
  pattern: AskedPattern,
  { matches }: SearchResult,
  search: (pattern: AskedPattern) => Promise<SearchResult | null>,
): Promise<string[]> {
  const written = withOtherSpellings(pattern.written);
  const isTried = matches <= MAX_FEW_MATCHES && written !== pattern.written;
  const found =
    isTried && compilePattern(written, pattern).ok ? await search({ ...pattern, written }) : null;
  if (!found || found.matches <= matches) return [];
  return [
    `${OTHER_SPELLINGS}, which is the pattern ${JSON.stringify(written)}: ${matchCounts(found)}.`,
  ];
}

/** Says how to search for a link whose brackets the pattern reads as a set of characters. */
export function linkAsPattern(written: string): string[] {
  const link = /(?<!\\)\[\[(?!:)[^[\]\\]{2,}\]\]/.exec(written)?.[0];
  if (link === undefined) return [];
  const escaped = link.replace(/[[\]|.?+*()]/g, '\\$&');
  return [
    `"${link}" in a pattern is one of these characters and a bracket, not a link. For the link: ${JSON.stringify(escaped)}.`,
  ];
}

const OTHER_SPELLINGS =
  'With other quotation marks, dashes or spaces, or accents stored differently';

/** A hyphen that comes last stands for itself within brackets. */
const ALIKE = ["'‘’ʼ", '"“”„', '‐‑–—-', ' \u00a0\u202f'];

/**
 * Leaves patterns with brackets alone, since characters within brackets would need another form.
 */
function withOtherSigns(written: string): string {
  if (written.includes('[')) return written;
  return written.replace(/\\[^]|['‘’ʼ"“”„‐‑–—\u00a0\u202f -]/gu, (sign) => {
    const alike = ALIKE.find((each) => each.includes(sign));
    return alike === undefined ? sign : `[${alike}]`;
  });
}

/** Says that a glob matches more names with other signs than the few that it does. */
export async function otherNames(
  glob: string,
  count: number,
  matching: (glob: string) => Promise<readonly NoteEntry[]>,
): Promise<string[]> {
  const written = withOtherSigns(glob);
  if (count > MAX_FEW_MATCHES || written === glob) return [];
  const found = await matching(written);
  if (found.length <= count) return [];
  const names = firstNames(
    found.map(({ path }) => path),
    MAX_FEW_MATCHES,
  );
  return [
    `With other quotation marks, dashes or spaces, which is the pattern ${JSON.stringify(written)}: ${counted(found.length, 'match', 'matches')} (${names}).`,
  ];
}

function withOtherSpellings(written: string): string {
  const loose = withOtherSigns(written);
  const [composed, decomposed] = [loose.normalize('NFC'), loose.normalize('NFD')];
  return composed === decomposed ? loose : `(?:${composed})|(?:${decomposed})`;
}

function matchCounts({ matches, files, found }: SearchResult): string {
  const names = found.map(({ id }) => id);
  return `${counted(matches, 'match', 'matches')} in ${counted(files, 'file')} (${firstNames(names, MAX_NAMES, files)})`;
}
