/** Compares a passage of a note with the notes as they are today. */
import { closestPassage } from '#text/closest-passage';
import { hashOf } from '#text/hash';
import { lineTexts } from '#text/list-diff';
import { headingSubpath } from '#text/link-places';
import { ENDS_WITH_ID, isBlank } from '#text/note-blocks';
import { headingsIn } from '#text/note-structure';
import { oneLine } from '#text/shorten';
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

/** Numbers, from 1, of the sources whose words are not there today. */
export function outdatedNumbers(checks: readonly PassageCheck[]): ReadonlySet<number> {
  return new Set(
    checks.flatMap(({ kind }, at) => (kind === 'changed' || kind === 'gone' ? [at + 1] : [])),
  );
}

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

/** Names the lines of a passage, whatever is at the end of each. */
export function linesHash(lines: readonly string[]): string {
  return hashOf(lines.map((line) => line.trimEnd()).join('\n'));
}

/** In steps, so that the caller can yield the thread between them. */
export function checkPassage(passage: NotePassage, notes: readonly NoteToday[]): Checking {
  return likeliest(notes, function* (lines, path) {
    yield;
    const around = linesAround(passage, lines);
    const first = sameLines(passage, lines, around);
    if (first === null) return replacingLines(passage, lines, around.between);
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

/** In steps, so that the caller can yield the thread between them. */
export function checkQuotation(
  { text, subpath }: Quotation,
  notes: readonly NoteToday[],
): Checking {
  return likeliest(notes, function* (lines) {
    const headings = headingsIn(lines);
    const heading = headings.find((each) => headingSubpath(each.text) === subpath)?.text;
    let under = -1;
    const isUnder = (line: number) => {
      while ((headings[under + 1]?.line ?? Infinity) <= line) under += 1;
      return heading === undefined || headings[under]?.text === heading;
    };
    let elsewhere: readonly [number, number] | null = null;
    for (const same of quotedLines(text, lines)) {
      yield;
      if (same === null) continue;
      if (isUnder(same[0])) return { kind: 'unchanged', first: same[0], last: same[1] };
      elsewhere ??= same;
    }
    if (elsewhere !== null) return { kind: 'moved', first: elsewhere[0], last: elsewhere[1] };
    const id = /^#(\^[\w-]+)$/.exec(subpath)?.[1];
    const words = text.replace(/…$/, '');
    const known = id === undefined || ENDS_WITH_ID.test(words) ? words : `${words} ${id}`;
    const passage = { text: known, ...(heading === undefined ? {} : { heading }) };
    return replacingLines(passage, lines, null);
  });
}

type Checking = Generator<void, PassageCheck>;

type Compared =
  | {
      readonly kind: 'unchanged' | 'moved' | 'changed';
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'gone' };

function* likeliest(notes: readonly NoteToday[], compare: Compare): Checking {
  let best: PassageCheck = { kind: 'gone', path: null };
  for (const note of notes) {
    if (note.kind !== 'text') return best.kind === 'gone' ? note : best;
    const check = yield* checkOf(note, compare);
    if (check.kind === 'unchanged' || check.kind === 'moved') return check;
    if (note.isGuess || best.kind === 'changed') continue;
    if (check.kind === 'changed' || (check.kind === 'gone' && best.path === null)) best = check;
  }
  return best;
}

type Compare = (lines: readonly string[], path: string) => Generator<void, Compared>;

function* checkOf(
  { path, text, fileLine = (line) => line }: Extract<NoteToday, { kind: 'text' }>,
  compare: Compare,
): Checking {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const found = yield* compare(lines, path);
  if (found.kind === 'gone') return { kind: 'gone', path };
  const place = { path, first: fileLine(found.first), last: fileLine(found.last) };
  if (found.kind !== 'changed') return { kind: found.kind, ...place };
  return { kind: 'changed', ...place, now: lines.slice(found.first - 1, found.last).join('\n') };
}

/**
 * For each line, the run of lines from it that reads like the quotation, from 1, inclusive; null if
 * there is none.
 */
function* quotedLines(
  quotation: string,
  lines: readonly string[],
): Generator<readonly [first: number, last: number] | null> {
  const [whole, isCut] = [quotation.replace(/…$/, ''), quotation.endsWith('…')];
  if (whole === '') return;
  const words = readingsOf(lines);
  for (let from = 0; from < lines.length; from += 1) {
    let [read, to] = [0, from];
    for (; to < lines.length && read < whole.length; to += 1) {
      const next = readOn(whole, read, words[to]?.() ?? [], isCut);
      // The first line has words of the quotation.
      if (next === null || next === 0) break;
      read = next;
    }
    yield read >= whole.length ? [from + 1, to] : null;
  }
}

/** The words of each line: as in code, as outside it, and without comments over several lines. */
function readingsOf(lines: readonly string[]): readonly (() => readonly string[])[] {
  const visible = visibleLines(lines);
  return lines.map((line, at) => {
    let readings: readonly string[] | null = isBlank(line) ? [''] : null;
    return () => {
      if (readings) return readings;
      const seen = visible[at] ?? line;
      const others = seen === line ? [line] : [line, seen];
      readings = [oneLine(line), ...others.map((each) => wordsQuoted(each.trim()))];
      return readings;
    };
  });
}

/** How far the quotation is read after a line; null if the line has other words. */
function readOn(
  whole: string,
  read: number,
  readings: readonly string[],
  isCut: boolean,
): number | null {
  for (const words of readings) {
    if (words === '') continue;
    const next = read === 0 ? words : ` ${words}`;
    if (whole.startsWith(next, read)) return read + next.length;
    if (isCut && next.startsWith(whole.slice(read))) return whole.length;
  }
  return readings.includes('') ? read : null;
}

/** The lines without comments, which may extend over several of them. */
function visibleLines(lines: readonly string[]): readonly string[] {
  let end: string | null = null;
  return lines.map((line) => {
    let [seen, at] = ['', 0];
    while (at < line.length) {
      if (end !== null) {
        const close = line.indexOf(end, at);
        if (close < 0) return seen;
        at = close + end.length;
        end = null;
      } else {
        const open = /<!--|%%/.exec(line.slice(at));
        if (!open) return seen + line.slice(at);
        seen += line.slice(at, at + open.index);
        at += open.index + open[0].length;
        end = open[0] === '%%' ? '%%' : '-->';
      }
    }
    return seen;
  });
}

/** At most so many of the likeliest places of a long passage are compared as a whole. */
const MAX_PLACES = 20;

/** Likelihood of a place that is the one where the passage was. */
const SURE = 3;

/** The first of the lines with the same text, from 1; of several the likeliest. */
function sameLines(
  passage: NotePassage,
  lines: readonly string[],
  { isAbove, isBelow, between }: LinesAround,
): number | null {
  const own = lineTexts(passage.text).map((line) => line.trimEnd());
  const now = lines.map((line) => line.trimEnd());
  const isAt = (at: number) =>
    own.every((line, index) => {
      const isPart = passage.isCut && index === own.length - 1;
      const other = now[at + index];
      return isPart ? (other?.startsWith(line) ?? false) : other === line;
    });
  const length = passage.last - passage.first + 1;
  const likelihood = (at: number) => {
    if (isAbove(at) && isBelow(at + length)) return SURE;
    if (at + 1 === passage.first) return isAbove(at) || isBelow(at + length) ? SURE : 2;
    return isAbove(at) ? 1 : 0;
  };
  const distance = (at: number) => Math.abs(at + 1 - passage.first);
  const { whole } = passage;
  const places = now
    .flatMap((_, at) => (isAt(at) ? [{ at, likelihood: likelihood(at) }] : []))
    .toSorted(
      (one, other) => other.likelihood - one.likelihood || distance(one.at) - distance(other.at),
    );
  const same =
    whole === undefined
      ? places
      : places
          .slice(0, MAX_PLACES)
          .filter(({ at }) => linesHash(now.slice(at, at + length)) === whole);
  const [found] = same;
  if (!found) return null;
  const isNamed = ENDS_WITH_ID.test(passage.text);
  if (found.likelihood === SURE || isNamed || between === null || between === 'nothing')
    return found.at + 1;
  // Something else is where it was, between the same lines: the same words elsewhere are others.
  const [first, last] = between;
  const inside = same.find(({ at }) => at + 1 >= first && at + length <= last);
  return inside ? inside.at + 1 : null;
}

/** Beyond so many more lines, what is between the lines around a passage is taken for other text. */
const MAX_MORE_LINES = 8;

/** Minimum share of the words of a passage that another must have to be its new version. */
const MIN_SHARE = 0.5;
/** The same if the passage was certainly removed from its place. */
const MIN_SHARE_ELSEWHERE = 0.75;

/** The lines that are there instead. */
function replacingLines(
  passage: KnownLines,
  lines: readonly string[],
  between: LinesAround['between'],
): Compared {
  const changed = (first: number, last: number) => ({ kind: 'changed', first, last }) as const;
  const id = ENDS_WITH_ID.exec(passage.text)?.[1];
  const named = lines.findIndex((line) => id !== undefined && ENDS_WITH_ID.exec(line)?.[1] === id);
  if (named >= 0) return changed(named + 1, named + 1);
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

/** Where the lines are that were around a passage. */
interface LinesAround {
  /** Whether the one above is the nearest line with text above a line, from 0. */
  isAbove(at: number): boolean;
  /** Whether the one below is this line, from 0, or the nearest one with text below it. */
  isBelow(at: number): boolean;
  /** What is between them, from 1, inclusive; null if they are not there any more. */
  readonly between: readonly [number, number] | 'nothing' | null;
}

function linesAround(
  { above, below, first, last }: NotePassage,
  lines: readonly string[],
): LinesAround {
  const hashes = lines.map((line) => (isBlank(line) ? null : lineHash(line)));
  const most = 2 * (last - first + 1) + MAX_MORE_LINES;
  const distance = (top: number) => Math.abs(top + 2 - first);
  /** For each line and the end of the note: the hash of the nearest line with text from there on. */
  const next: (string | null)[] = Array.from({ length: lines.length + 1 }, () => null);
  /** The same for those above it. */
  const previous: (string | null)[] = [null];
  for (const [at, hash] of hashes.entries()) previous.push(hash ?? previous[at] ?? null);
  let end = below === null ? lines.length : null;
  let gap: readonly [top: number, end: number] | null = null;
  for (let at = lines.length - 1; at >= -1; at -= 1) {
    const hash = at < 0 ? null : (hashes[at] ?? null);
    if (at >= 0) next[at] = hash ?? next[at + 1] ?? null;
    const isTop = above === null ? at < 0 : hash === above;
    if (isTop && end !== null && end - at - 1 <= most)
      if (gap === null || distance(at) <= distance(gap[0])) gap = [at, end];
    if (hash !== null && hash === below) end = at;
  }
  return {
    isAbove: (at) => (previous[at] ?? null) === above,
    isBelow: (at) => (next[at] ?? null) === below,
    between: gap && linesBetween(gap, lines),
  };
}

function linesBetween(
  [top, end]: readonly [top: number, end: number],
  lines: readonly string[],
): readonly [number, number] | 'nothing' {
  let [from, to] = [top + 1, end - 1];
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
