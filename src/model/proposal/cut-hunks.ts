/** Cuts a change to a note into hunks. */
import { diffLists, endsWithLine, type LineEnding, linesOf, onlyEnding } from '#text/list-diff';
import type { ProposalId } from '../ids';
import {
  type ProposalBlock,
  type BlockSegment,
  frontMatter,
  holdsProposal,
  isGap,
  isTagOf,
  newBlock,
  type NoteSegment,
  blockType,
  withGap,
  withTag,
} from './proposal-format';
import { type SidePiece, piecesOf } from './before-and-after';
import { Boundaries, type UnitChange, changesBetween, type SpanPlace, spansOf } from './spans';
import { LineReader } from './units';

/**
 * Combines two texts into one note with a block per hunk. Throws if either text already contains a
 * block, which would be taken for one of these.
 */
export function cutProposal(before: string, after: string, options: CutOptions): NoteSegment[] {
  if (holdsProposal(before)) throw new Error('The text before holds a proposal already.');
  return recutHunks(textOnly(before), after, options);
}

function textOnly(text: string): NoteSegment[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/**
 * Changes the proposed text of a note. Only changed regions are cut again: all other blocks, and
 * any that turn out the same, keep their bytes.
 */
export function recutHunks(
  segments: readonly NoteSegment[],
  newAfter: string,
  options: CutOptions,
): NoteSegment[] {
  if (holdsProposal(newAfter)) throw new Error('The text after holds a proposal.');
  const pieces = piecesOf(segments);
  const before = pieces.map((piece) => piece.before).join('');
  const after = pieces.map((piece) => piece.after).join('');
  if (newAfter === before) return textOnly(before);
  const changes = changesBetween(after, newAfter);
  if (changes.length === 0) return [...segments];
  const reader = new LineReader();
  const boundaries = {
    before: new Boundaries(before, reader),
    after: new Boundaries(newAfter, reader),
  };
  const result: NoteSegment[] = [];
  let kept: SpanPlace = { piece: 0, within: 0, before: 0, after: 0 };
  for (const span of spansOf(pieces, changes, boundaries)) {
    result.push(...between(pieces, kept, span.from));
    result.push(
      ...cutUnits(
        boundaries.before.unitsOf(before, span.from.before, span.to.before),
        boundaries.after.unitsOf(newAfter, span.newFrom, span.newTo),
        {
          ...options,
          ending: onlyEnding(before) ?? onlyEnding(newAfter) ?? '\n',
          atTop: span.from.piece === 0 && span.from.within === 0,
          known: blocksIn(between(pieces, span.from, span.to)),
        },
      ),
    );
    kept = span.to;
  }
  result.push(...between(pieces, kept, null));
  return tidySegments(result);
}

/**
 * Applies a direct change to a note with pending edits: in common text it changes both sides, and
 * where it touches a block it amends the pending edit.
 */
export function applyAround(
  segments: readonly NoteSegment[],
  newAfter: string,
  options: CutOptions,
): NoteSegment[] {
  const pieces = piecesOf(segments);
  if (pieces.every(({ common }) => common)) return textOnly(newAfter);
  const changes = changesBetween(pieces.map(({ after }) => after).join(''), newAfter);
  const edited: NoteSegment[] = [];
  let from = 0;
  let next = 0;
  for (const piece of pieces) {
    const to = from + piece.after.length;
    if (piece.common) {
      while ((changes[next]?.from ?? Infinity) < from) next += 1;
      const first = next;
      while ((changes[next]?.to ?? Infinity) <= to) next += 1;
      const own = changes.slice(first, next);
      edited.push({ kind: 'text', text: applied(piece.after, own, from) });
    } else edited.push(...piece.segments);
    from = to;
  }
  return recutHunks(tidySegments(edited), newAfter, options);
}

function applied(text: string, changes: readonly UnitChange[], offset: number): string {
  let result = '';
  let from = 0;
  for (const change of changes) {
    result += text.slice(from, change.from - offset) + change.text;
    from = change.to - offset;
  }
  return result + text.slice(from);
}

/** The segments between two places, or to the end if `to` is null. */
function between(
  pieces: readonly SidePiece[],
  from: SpanPlace,
  to: SpanPlace | null,
): NoteSegment[] {
  const last = to ?? { piece: pieces.length, within: 0 };
  return pieces.slice(from.piece, last.piece + 1).flatMap((piece, at) => {
    const start = at === 0 ? from.within : 0;
    const end = from.piece + at === last.piece ? last.within : Infinity;
    if (!piece.common) return end > 0 ? piece.segments : [];
    return [{ kind: 'text', text: piece.after.slice(start, end) }];
  });
}

export interface CutOptions {
  readonly mint: () => ProposalId;
  /** Without `#`. */
  readonly tag: string;
}

export interface ChangedRegion extends CutOptions {
  /** Line ending of the note. */
  readonly ending: LineEnding;
  /** Whether the region is at the top of the note. */
  readonly atTop: boolean;
  /** Previous blocks of the region by `blockKey`; one that turns out the same is reused. */
  readonly known: ReadonlyMap<string, BlockSegment>;
}

/** Diffs two lists of units into text and blocks. */
export function cutUnits(
  before: readonly string[],
  after: readonly string[],
  region: ChangedRegion,
): NoteSegment[] {
  const segments: NoteSegment[] = [];
  let from = { before: 0, after: 0 };
  const head = region.atTop ? changedFrontMatter(before, after) : null;
  if (head) {
    segments.push({ kind: 'text', text: head.before });
    segments.push(blockFor(head.before, head.after, 'frontmatter', region));
    from = { before: 1, after: head.after === '' ? 0 : 1 };
  }
  const old = before.slice(from.before);
  const fresh = after.slice(from.after);
  let done = 0;
  const text = (to: number) => {
    if (to > done) segments.push({ kind: 'text', text: old.slice(done, to).join('') });
  };
  for (const hunk of diffLists(old, fresh)) {
    text(hunk.beforeFrom);
    const removed = old.slice(hunk.beforeFrom, hunk.beforeTo).join('');
    const added = fresh.slice(hunk.afterFrom, hunk.afterTo).join('');
    segments.push(blockFor(removed, added, null, region));
    done = hunk.beforeTo;
  }
  text(old.length);
  return segments;
}

/**
 * Both versions of the front matter, if they differ and the old one can stay live above its block;
 * otherwise null.
 */
function changedFrontMatter(
  before: readonly string[],
  after: readonly string[],
): { before: string; after: string } | null {
  const old = frontMatter(before[0] ?? '');
  const fresh = frontMatter(after[0] ?? '');
  if (old === '' || old === fresh || !endsWithLine(old) || !endsWithLine(fresh)) return null;
  return { before: old, after: fresh };
}

function blockKey({
  before,
  after,
  where,
}: Pick<ProposalBlock, 'before' | 'after' | 'where'>): string {
  return `${String(where)} ${String(before.length)} ${before}${after}`;
}

/** The first block of each content. */
function blocksIn(segments: readonly NoteSegment[]): ReadonlyMap<string, BlockSegment> {
  const blocks = segments.filter((segment) => segment.kind === 'block');
  return new Map(blocks.toReversed().map((segment) => [blockKey(segment.block), segment]));
}

function blockFor(
  before: string,
  after: string,
  where: ProposalBlock['where'],
  { mint, tag, known, ending }: ChangedRegion,
): BlockSegment {
  const same = known.get(blockKey({ before, after, where }));
  if (same) return same;
  const type = blockType(before, after);
  const block = { id: mint(), type, before, after, tag, gap: false, where } as const;
  return { kind: 'block', block, raw: newBlock(block, ending) };
}

/** Text that can directly follow the tag without joining its paragraph. */
const INTERRUPTS =
  /^(?:[ \t]*\r?(?:\n|$)| {0,3}(?:#{1,6}(?:[ \t]|\r?\n|$)|[-*+][ \t]+\S|1[.)][ \t]+\S|>|`{3,}[^`\n]*(?:\n|$)|~{3,}))/;

/**
 * Normalizes segments so that they can be printed and parsed again: adjacent texts are joined, and
 * every block is on lines of its own.
 */
export function tidySegments(segments: readonly NoteSegment[]): NoteSegment[] {
  const result: NoteSegment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    if (segment.kind === 'block') {
      if (last) result[result.length - 1] = ended(last);
      result.push(segment);
    } else if (segment.text === '') continue;
    else if (last?.kind === 'text') {
      result[result.length - 1] = { kind: 'text', text: last.text + segment.text };
    } else {
      if (last?.kind === 'block') result[result.length - 1] = above(ended(last), segment.text);
      result.push(segment);
    }
  }
  return result;
}

function ended<Some extends NoteSegment>(segment: Some): Some {
  const text = segment.kind === 'block' ? segment.raw : segment.text;
  if (endsWithLine(text)) return segment;
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  return segment.kind === 'block'
    ? { ...segment, raw: text + ending }
    : { ...segment, text: text + ending };
}

/**
 * Adds the gap that the text below needs, and a missing tag or gap for which the first line of the
 * text would be taken.
 */
function above(segment: BlockSegment, text: string): BlockSegment {
  const { block } = segment;
  const [first = ''] = linesOf(text);
  const raw = isTagOf(block, first) ? withTag(segment.raw, block.tag) : segment.raw;
  const needsGap = block.gap ? isGap(first) : !INTERRUPTS.test(text);
  const spaced = needsGap ? withGap(raw) : raw;
  if (spaced === segment.raw) return segment;
  return { ...segment, block: { ...block, gap: block.gap || spaced !== raw }, raw: spaced };
}
