/** Compares a passage of a note with the notes as they are today. */
import { closestPassage } from '#text/closest-passage';
import { lineTexts } from '#text/list-diff';
import { ENDS_WITH_ID, isBlank } from '#text/note-blocks';
import { headingsIn } from '#text/note-structure';
import { lineHash } from './edit/edit-block';
import type { NotePassage } from './passage';

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
    }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unreadable'; readonly path: string };

/** What of a passage can be compared. A quotation has no lines around it. */
export type ComparedPassage = Pick<NotePassage, 'path' | 'first' | 'last' | 'text' | 'isCut'> &
  Partial<Pick<NotePassage, 'heading' | 'above' | 'below'>>;

export function checkPassage(passage: ComparedPassage, notes: readonly NoteToday[]): PassageCheck {
  let best: PassageCheck = { kind: 'gone', path: null };
  for (const note of notes) {
    if (note.kind !== 'text') return best.kind === 'gone' ? note : best;
    const check = compared(passage, note);
    if (check.kind === 'unchanged' || check.kind === 'moved') return check;
    if (note.isGuess || best.kind === 'changed') continue;
    if (check.kind === 'changed' || best.path === null) best = check;
  }
  return best;
}

type Compared = Extract<
  PassageCheck,
  { readonly kind: 'unchanged' | 'moved' | 'changed' | 'gone' }
>;

function compared(
  passage: ComparedPassage,
  { path, text }: Extract<NoteToday, { kind: 'text' }>,
): Compared {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const same = sameLines(passage, lines);
  if (same !== null) {
    const last = same + passage.last - passage.first;
    const isThere = path === passage.path && same === passage.first;
    return { kind: isThere ? 'unchanged' : 'moved', path, first: same, last };
  }
  const now = replacingLines(passage, lines);
  if (now === null) return { kind: 'gone', path };
  const [first, last] = now;
  return { kind: 'changed', path, first, last, now: lines.slice(first - 1, last).join('\n') };
}

/** The first of the lines with the same text, from 1; of several the likeliest. */
function sameLines(passage: ComparedPassage, lines: readonly string[]): number | null {
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
    (at) => isText(passage.above) && lineHash(textBeside(lines, at, -1) ?? '') === passage.above,
  );
  const there = places.find((at) => distance(at) === 0);
  const found = there ?? nearest(beside) ?? nearest(places);
  return found === undefined ? null : found + 1;
}

function isText(hash: string | null | undefined): hash is string {
  return hash !== null && hash !== undefined;
}

/** The nearest line with text before or after some lines; null if there is none. */
function textBeside(lines: readonly string[], at: number, step: 1 | -1): string | null {
  let beside = at + step;
  while (isBlank(lines[beside]) && beside >= 0 && beside < lines.length) beside += step;
  return lines[beside] ?? null;
}

/** Beyond so many more lines, what is between the lines around a passage is taken for other text. */
const MAX_MORE_LINES = 8;

/** Minimum share of the words of a passage that another must have to be its new version. */
const MIN_SHARE = 0.5;
/** The same if the passage was certainly removed from its place. */
const MIN_SHARE_ELSEWHERE = 0.75;

/** The lines that are there instead, from 1, inclusive; null if there are none. */
function replacingLines(
  passage: ComparedPassage,
  lines: readonly string[],
): readonly [first: number, last: number] | null {
  const id = ENDS_WITH_ID.exec(passage.text)?.[1];
  const named =
    id === undefined ? -1 : lines.findIndex((line) => ENDS_WITH_ID.exec(line)?.[1] === id);
  if (named >= 0) return [named + 1, named + 1];
  const between = linesBetween(passage, lines);
  if (between !== null && between !== 'nothing') return between;
  const share = between === 'nothing' ? MIN_SHARE_ELSEWHERE : MIN_SHARE;
  for (const [from, to] of [sectionOf(passage, lines), [0, lines.length] as const]) {
    const text = lines.slice(from, to).join('\n');
    const close = closestPassage(text, passage.text, share);
    if (!close) continue;
    const lineAt = (offset: number) => from + text.slice(0, offset).split('\n').length;
    return [lineAt(close.start), lineAt(close.end)];
  }
  return null;
}

/** What is between the lines that were around the passage; null if they are not there any more. */
function linesBetween(
  { above, below, first, last }: ComparedPassage,
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
  { heading }: ComparedPassage,
  lines: readonly string[],
): readonly [from: number, to: number] {
  if (heading === null || heading === undefined) return [0, 0];
  const headings = headingsIn(lines);
  const at = headings.findIndex(({ text }) => text === heading);
  if (at < 0) return [0, 0];
  return [headings[at]?.line ?? 0, (headings[at + 1]?.line ?? lines.length + 1) - 1];
}
