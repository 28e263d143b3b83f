import { cutUnits, type CutOptions } from './cut-units';
import { onlyEnding } from '../lines';
import { holdsProposal, type Segment } from './form';
import { piecesOf, type Piece } from './sides';
import { changesBetween, spansOf, type Change, type Place } from './spans';
import { tidied } from './tidy';
import { boundariesOf, unitsBetween } from './units';

export type { CutOptions } from './cut-units';

/**
 * Two texts as one note with a block for each change. Neither may hold a block of its own, which would be taken for
 * one of these.
 */
export function cutProposal(before: string, after: string, options: CutOptions): Segment[] {
  if (holdsProposal(before)) throw new Error('The text before holds a proposal already.');
  return recut(textOnly(before), after, options);
}

function textOnly(text: string): Segment[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/**
 * The same note proposing another text. Only what changed is cut again: all other blocks keep their bytes, and so does
 * one that turns out the same.
 */
export function recut(
  segments: readonly Segment[],
  newAfter: string,
  options: CutOptions,
): Segment[] {
  if (holdsProposal(newAfter)) throw new Error('The text after holds a proposal.');
  const pieces = piecesOf(segments);
  const before = pieces.map((piece) => piece.before).join('');
  const after = pieces.map((piece) => piece.after).join('');
  if (newAfter === before) return textOnly(before);
  const changes = changesBetween(after, newAfter);
  if (changes.length === 0) return [...segments];
  const boundaries = { before: boundariesOf(before), after: boundariesOf(newAfter) };
  const result: Segment[] = [];
  let kept: Place = { piece: 0, within: 0, before: 0, after: 0 };
  for (const span of spansOf(pieces, changes, boundaries)) {
    result.push(...between(pieces, kept, span.from));
    result.push(
      ...cutUnits(
        unitsBetween(before, boundaries.before, span.from.before, span.to.before),
        unitsBetween(newAfter, boundaries.after, span.newFrom, span.newTo),
        {
          ...options,
          ending: onlyEnding(before) ?? onlyEnding(newAfter) ?? '\n',
          atTop: span.from.piece === 0 && span.from.within === 0,
          known: between(pieces, span.from, span.to),
        },
      ),
    );
    kept = span.to;
  }
  result.push(...between(pieces, kept, null));
  return tidied(result);
}

/**
 * A change that is not to wait, in a note where something waits: in common text it goes to both sides; where it
 * touches a block it amends what waits there.
 */
export function applyAround(
  segments: readonly Segment[],
  newAfter: string,
  options: CutOptions,
): Segment[] {
  const pieces = piecesOf(segments);
  if (pieces.every(({ common }) => common)) return textOnly(newAfter);
  const changes = changesBetween(pieces.map(({ after }) => after).join(''), newAfter);
  const edited: Segment[] = [];
  let from = 0;
  const left = [...changes];
  for (const piece of pieces) {
    const to = from + piece.after.length;
    if (piece.common) {
      const own = left.filter((change) => change.from >= from && change.to <= to);
      left.splice(0, left.length, ...left.filter((change) => !own.includes(change)));
      edited.push({ kind: 'text', text: applied(piece.after, own, from) });
    } else edited.push(...piece.segments);
    from = to;
  }
  return recut(tidied(edited), newAfter, options);
}

function applied(text: string, changes: readonly Change[], offset: number): string {
  let result = '';
  let from = 0;
  for (const change of changes) {
    result += text.slice(from, change.from - offset) + change.text;
    from = change.to - offset;
  }
  return result + text.slice(from);
}

/** The segments from one place to another, or to the end. */
function between(pieces: readonly Piece[], from: Place, to: Place | null): Segment[] {
  const last = to ?? { piece: pieces.length, within: 0 };
  return pieces.slice(from.piece, last.piece + 1).flatMap((piece, at) => {
    const start = at === 0 ? from.within : 0;
    const end = from.piece + at === last.piece ? last.within : Infinity;
    if (!piece.common) return end > 0 ? piece.segments : [];
    return [{ kind: 'text', text: piece.after.slice(start, end) }];
  });
}
