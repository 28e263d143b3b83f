/** Compares a passage of a note with the notes as they are today. */
import { closestPassage } from '#text/closest-passage';
import { lineTexts } from '#text/list-diff';
import { headingSubpath } from '#text/link-places';
import { ENDS_WITH_ID, isBlank } from '#text/note-blocks';
import { headingsIn } from '#text/note-structure';
import { lineHash } from './edit/edit-block';
import { type NotePassage, wordsQuoted } from './passage';

/** What a passage is today. Lines are those of the note as the user has it, from 1, inclusive. */
export type PassageCheck =
  /** The same words, in the same lines of the same note or elsewhere. */
  | ({ readonly kind: 'unchanged' | 'moved' } & NoteLines)
  /** Other words. */
  | ({ readonly kind: 'changed'; readonly now: string } & NoteLines)
  /** @param path of the note that no longer has it; null if the note is gone, too */
  | { readonly kind: 'gone'; readonly path: string | null }
  /** The note is there, but is excluded now. */
  | { readonly kind: 'hidden' }
  /** The note cannot be read. */
  | { readonly kind: 'unreadable'; readonly path: string }
  /** Of a web page or an MCP server, which are not asked again. */
  | { readonly kind: 'outside' };

interface NoteLines {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** A note that may have the passage today, the likeliest first. */
export type NoteToday =
  | {
      readonly kind: 'text';
      readonly path: string;
      readonly text: string;
      /** Set if only its name or age speaks for it; then it must have the same words. */
      readonly isGuess?: true;
      /** The line of the note as the user has it, for a line of this text; the same by default. */
      fileLine?(line: number): number;
    }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unreadable'; readonly path: string };

/** What is known of the lines of a passage and of those around it. */
type KnownLines = Pick<NotePassage, 'text'> & Partial<NotePassage>;

export function checkPassage(passage: NotePassage, notes: readonly NoteToday[]): PassageCheck {
  return likeliest(notes, (lines, path) => {
    const first = sameLines(passage, lines);
    if (first === null) return replacingLines(passage, lines);
    const last = first + passage.last - passage.first;
    const isThere = path === passage.path && first === passage.first;
    return { kind: isThere ? 'unchanged' : 'moved', first, last };
  });
}

/** Words of a note that are quoted in another. */
export interface Quotation {
  /** Plain, in one line; it ends with an ellipsis if it is cut. */
  readonly text: string;
  /** A heading with `#` or a block id with `#^`; '' for none. */
  readonly subpath: string;
}

export function checkQuotation(
  { text, subpath }: Quotation,
  notes: readonly NoteToday[],
): PassageCheck {
  return likeliest(notes, (lines) => {
    const same = quotedLines(text, lines);
    if (same !== null) return { kind: 'unchanged', first: same[0], last: same[1] };
    const id = /^#(\^[\w-]+)$/.exec(subpath)?.[1];
    const words = text.replace(/…$/, '');
    const heading = headingsIn(lines).find((each) => headingSubpath(each.text) === subpath)?.text;
    const known = id === undefined || ENDS_WITH_ID.test(words) ? words : `${words} ${id}`;
    return replacingLines({ text: known, ...(heading === undefined ? {} : { heading }) }, lines);
  });
}

type Compared =
  | {
      readonly kind: 'unchanged' | 'moved' | 'changed';
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'gone' };

function likeliest(
  notes: readonly NoteToday[],
  compare: (lines: readonly string[], path: string) => Compared,
): PassageCheck {
  let best: PassageCheck = { kind: 'gone', path: null };
  for (const note of notes) {
    if (note.kind !== 'text') return best.kind === 'gone' ? note : best;
    const check = checkOf(note, compare);
    if (check.kind === 'unchanged' || check.kind === 'moved') return check;
    if (note.isGuess || best.kind === 'changed') continue;
    if (check.kind === 'changed' || (check.kind === 'gone' && best.path === null)) best = check;
  }
  return best;
}

function checkOf(
  { path, text, fileLine = (line) => line }: Extract<NoteToday, { kind: 'text' }>,
  compare: (lines: readonly string[], path: string) => Compared,
): PassageCheck {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const found = compare(lines, path);
  if (found.kind === 'gone') return { kind: 'gone', path };
  const place = { path, first: fileLine(found.first), last: fileLine(found.last) };
  if (found.kind !== 'changed') return { kind: found.kind, ...place };
  return { kind: 'changed', ...place, now: lines.slice(found.first - 1, found.last).join('\n') };
}

/** The first run of lines that reads like the quotation, from 1, inclusive. */
function quotedLines(
  quotation: string,
  lines: readonly string[],
): readonly [first: number, last: number] | null {
  const [whole, isCut] = [quotation.replace(/…$/, ''), quotation.endsWith('…')];
  for (let from = 0; from < lines.length; from += 1) {
    const words = wordsQuoted(lines[from] ?? '');
    if (words === '' || !(whole.startsWith(words) || (isCut && words.startsWith(whole)))) continue;
    for (let to = from; to < lines.length; to += 1) {
      const quoted = wordsQuoted(lines.slice(from, to + 1).join('\n'));
      if (quoted === quotation || quoted === whole) return [from + 1, to + 1];
      if (isCut && quoted.startsWith(whole)) return [from + 1, to + 1];
      if (quoted.length > quotation.length) break;
    }
  }
  return null;
}

/** The first of the lines with the same text, from 1; of several the likeliest. */
function sameLines(passage: NotePassage, lines: readonly string[]): number | null {
  const own = lineTexts(passage.text).map((line) => line.trimEnd());
  const isAt = (at: number) =>
    own.every((line, index) => {
      const now = lines[at + index]?.trimEnd();
      const isPart = passage.isCut && index === own.length - 1;
      return now !== undefined && (isPart ? now.startsWith(line) : now === line);
    });
  const places = lines.flatMap((_, at) => (isAt(at) ? [at] : []));
  const distance = (at: number) => Math.abs(at + 1 - passage.first);
  const nearest = (among: readonly number[]) =>
    among.toSorted((one, other) => distance(one) - distance(other))[0];
  const beside = places.filter(
    (at) => passage.above !== null && lineHash(textAbove(lines, at) ?? '') === passage.above,
  );
  const there = places.find((at) => distance(at) === 0);
  const found = there ?? nearest(beside) ?? nearest(places);
  return found === undefined ? null : found + 1;
}

/** The nearest line with text above a line; null if there is none. */
function textAbove(lines: readonly string[], at: number): string | null {
  return lines.slice(0, at).findLast((line) => !isBlank(line)) ?? null;
}

/** Beyond so many more lines, what is between the lines around a passage is taken for other text. */
const MAX_MORE_LINES = 8;

/** Minimum share of the words of a passage that another must have to be its new version. */
const MIN_SHARE = 0.5;
/** The same if the passage was certainly removed from its place. */
const MIN_SHARE_ELSEWHERE = 0.75;

/** The lines that are there instead. */
function replacingLines(passage: KnownLines, lines: readonly string[]): Compared {
  const changed = (first: number, last: number) => ({ kind: 'changed', first, last }) as const;
  const id = ENDS_WITH_ID.exec(passage.text)?.[1];
  const named = lines.findIndex((line) => id !== undefined && ENDS_WITH_ID.exec(line)?.[1] === id);
  if (named >= 0) return changed(named + 1, named + 1);
  const between = linesBetween(passage, lines);
  if (between !== null && between !== 'nothing') return changed(...between);
  const share = between === 'nothing' ? MIN_SHARE_ELSEWHERE : MIN_SHARE;
  for (const [from, to] of [sectionOf(passage, lines), [0, lines.length] as const]) {
    const text = lines.slice(from, to).join('\n');
    const close = closestPassage(text, passage.text, share);
    if (!close) continue;
    const lineAt = (offset: number) => from + text.slice(0, offset).split('\n').length;
    return changed(lineAt(close.start), lineAt(close.end));
  }
  return { kind: 'gone' };
}

/** What is between the lines that were around the passage; null if they are not there any more. */
function linesBetween(
  { above, below, first = 1, last = 1 }: KnownLines,
  lines: readonly string[],
): readonly [number, number] | 'nothing' | null {
  if (above === undefined || below === undefined) return null;
  const at = (hash: string | null, end: number) =>
    hash === null
      ? [end]
      : lines.flatMap((line, index) => (!isBlank(line) && lineHash(line) === hash ? [index] : []));
  const most = 2 * (last - first + 1) + MAX_MORE_LINES;
  const ends = at(below, lines.length);
  const gaps = at(above, -1).flatMap((top) => {
    const end = ends.find((each) => each > top);
    return end !== undefined && end - top - 1 <= most ? [[top, end] as const] : [];
  });
  const [gap] = gaps.toSorted(
    ([one], [other]) => Math.abs(one + 2 - first) - Math.abs(other + 2 - first),
  );
  if (!gap) return null;
  let [from, to] = [gap[0] + 1, gap[1] - 1];
  while (from <= to && isBlank(lines[from])) from += 1;
  while (to >= from && isBlank(lines[to])) to -= 1;
  return from > to ? 'nothing' : [from + 1, to + 1];
}

/** Of the heading that was above the passage; no lines if there is no such heading. */
function sectionOf(
  { heading }: KnownLines,
  lines: readonly string[],
): readonly [from: number, to: number] {
  if (heading === null || heading === undefined) return [0, 0];
  const headings = headingsIn(lines);
  const at = headings.findIndex(({ text }) => text === heading);
  if (at < 0) return [0, 0];
  return [headings[at]?.line ?? 0, (headings[at + 1]?.line ?? lines.length + 1) - 1];
}
