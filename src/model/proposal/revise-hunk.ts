/** Changes the text that one hunk proposes, and nothing else in the note. */
import { endsWithLine, type LineEnding, withEnding } from '#text/list-diff';
import { mergeThreeWay } from '#text/three-way-merge';
import type { ProposalId } from '../ids';
import { piecesOf, type SidePiece } from './before-and-after';
import {
  blockEnding,
  type BlockSegment,
  frontMatter,
  holdsProposal,
  type NoteSegment,
  parseNote,
  printNote,
  withBlockTexts,
} from './proposal-format';
import { Boundaries } from './spans';
import { LineReader } from './units';

/** A hunk within its note, read with all pending edits accepted. */
export interface HunkPlace {
  readonly segment: BlockSegment;
  /** Both sides, with the line break that a hunk needs above other text. */
  readonly before: string;
  readonly after: string;
  /** The text above and below it. */
  readonly above: string;
  readonly below: string;
}

/** The first hunk with this id; null if the note has none. */
export function findHunk(segments: readonly NoteSegment[], id: ProposalId): HunkPlace | null {
  const pieces = piecesOf(segments);
  const at = pieces.findIndex((piece) => blockOf(piece)?.block.id === id);
  const piece = pieces[at];
  const segment = piece && blockOf(piece);
  if (!segment) return null;
  const { before, after } = piece;
  const textOf = (some: readonly SidePiece[]) => some.map((each) => each.after).join('');
  return {
    ...{ segment, before, after },
    above: textOf(pieces.slice(0, at)),
    below: textOf(pieces.slice(at + 1)),
  };
}

function blockOf({ segments }: SidePiece): BlockSegment | null {
  const last = segments.at(-1);
  return last?.kind === 'block' ? last : null;
}

/**
 * Why a hunk cannot propose a text. `outside`: it would change other lines. `same`: it is the text
 * before the hunk, so nothing would be proposed. `merged`: its Markdown would run into the lines
 * around it. `properties`: the hunk changes the front matter, and the text is none.
 */
export type RevisionFault = 'gone' | 'outside' | 'same' | 'merged' | 'properties';

export type HunkRevision =
  | { readonly ok: true; readonly segments: readonly NoteSegment[]; readonly block: BlockSegment }
  | { readonly ok: false; readonly reason: RevisionFault };

/**
 * Makes the note read `newAfter` with all edits accepted, by changing the after side of one hunk.
 * All other segments keep their bytes. Throws if `newAfter` contains a block.
 */
export function reviseHunk(
  segments: readonly NoteSegment[],
  id: ProposalId,
  newAfter: string,
): HunkRevision {
  if (holdsProposal(newAfter)) throw new Error('The text after holds a proposal.');
  const place = findHunk(segments, id);
  if (!place) return { ok: false, reason: 'gone' };
  const text = textBetween(place, newAfter);
  if (text === null) return { ok: false, reason: 'outside' };
  return withText(segments, place, text);
}

/** The text of the hunk in a new version of the note; null if other lines differ. */
function textBetween({ above, below }: HunkPlace, newAfter: string): string | null {
  const end = newAfter.length - below.length;
  if (end < above.length || !newAfter.startsWith(above) || !newAfter.endsWith(below)) return null;
  const text = newAfter.slice(above.length, end);
  return text === '' || below === '' || endsWithLine(text) ? text : null;
}

/** The texts of a hunk at some time. */
export interface HunkTexts {
  readonly before: string;
  readonly after: string;
  /** The line ending of its block; an editor may have changed it since. */
  readonly ending: LineEnding;
}

/** Lets a hunk propose another text, from `textNow`. */
export function chooseHunkText(
  segments: readonly NoteSegment[],
  id: ProposalId,
  text: string,
): HunkRevision {
  const place = findHunk(segments, id);
  return place ? withText(segments, place, text) : { ok: false, reason: 'gone' };
}

/**
 * An earlier version of its text as the hunk would propose it now: the properties and line endings
 * of the note may have changed since.
 */
export function textNow(place: HunkPlace, { before, after, ending: made }: HunkTexts): string {
  const ending = blockEnding(place.segment.raw);
  const converted = (text: string) => (made === ending ? text : withEnding(text, ending));
  const text = converted(after);
  if (place.segment.block.where === 'frontmatter') {
    return mergeThreeWay(converted(before), place.before, text).text;
  }
  const isLine = text === '' || place.below === '' || endsWithLine(text);
  return isLine ? text : text + ending;
}

function withText(segments: readonly NoteSegment[], place: HunkPlace, text: string): HunkRevision {
  const { segment, before, after, above, below } = place;
  if (text === after) return { ok: true, segments, block: segment };
  if (text === before) return { ok: false, reason: 'same' };
  const isOfProperties = segment.block.where === 'frontmatter';
  if (isOfProperties && frontMatter(text) !== text) return { ok: false, reason: 'properties' };
  if (runsIntoOthers(place, above + text + below, above.length + text.length)) {
    return { ok: false, reason: 'merged' };
  }
  const raw = withBlockTexts(segment.raw, { before: segment.block.before, after: text });
  const revised = segments.map((each) => (each === segment ? { ...segment, raw } : each));
  const parsed = parseNote(printNote(revised));
  const block = findHunk(parsed, segment.block.id)?.segment;
  if (!block) throw new Error('The hunk was just written.');
  return { ok: true, segments: parsed, block };
}

/** Whether the text, unlike the one before it, is not made of whole blocks of Markdown. */
function runsIntoOthers({ above, after, below }: HunkPlace, now: string, end: number): boolean {
  const reader = new LineReader();
  const old = new Boundaries(above + after + below, reader);
  const fresh = new Boundaries(now, reader);
  const wasFree = (offset: number) => old.has(offset);
  return (
    (wasFree(above.length) && !fresh.has(above.length)) ||
    (wasFree(above.length + after.length) && !fresh.has(end))
  );
}
