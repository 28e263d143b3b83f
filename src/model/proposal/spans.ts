import { diffLists } from '../list-diff';
import { endsWithLine, linesOf } from '../lines';
import { frontMatter } from './front-matter';
import type { Piece } from './sides';

/** Characters `from`..`to` became `text`. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Whole lines that changed, from the top; no two touch. */
export function changesBetween(before: string, after: string): Change[] {
  if (before === after) return [];
  const old = linesOf(before);
  const fresh = linesOf(after);
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  return diffLists(old, fresh).map((hunk) => ({
    from: starts[hunk.beforeFrom] ?? 0,
    to: starts[hunk.beforeTo] ?? 0,
    text: fresh.slice(hunk.afterFrom, hunk.afterTo).join(''),
  }));
}

/** Between two pieces, or within common text; with where that is on either side. */
export interface Place {
  readonly piece: number;
  readonly within: number;
  readonly before: number;
  readonly after: number;
}

/** What has to be cut again, and what of the new after it becomes. */
export interface Span {
  readonly from: Place;
  readonly to: Place;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Where units begin, and the end of the text. */
export interface Boundaries {
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/** Around each change, out to the nearest places where a unit begins on both sides; as one unless a block is between. */
export function spansOf(
  pieces: readonly Piece[],
  changes: readonly Change[],
  boundaries: Boundaries,
): Span[] {
  const places = placesIn(pieces, boundaries.before);
  const before = pieces.map((piece) => piece.before).join('');
  const head = frontMatter(before).length;
  const beginsLine = (place: Place) => place.before < before.length || endsWithLine(before);
  const moved = movedBy(changes);
  const free = (place: Place, after: number | null): after is number =>
    after !== null && boundaries.before.has(place.before) && boundaries.after.has(after);

  // A place takes in the blocks that stand there and leave no text: something put in may stand for what they delete.
  const above = (change: Change): Place => {
    const may = (place: Place) => beginsLine(place) && free(place, moved(place, 'above'));
    const nearest = places.findLast((place) => place.after <= change.from && may(place)) ?? TOP;
    return places.find((place) => place.after === nearest.after && may(place)) ?? nearest;
  };
  const below = (change: Change, from: Place): Pick<Span, 'to' | 'newTo'> => {
    const newTo = (to: Place) => {
      const putInHere = change.from === to.after;
      const offsets = [putInHere ? null : moved(to, 'above'), moved(to, 'below')];
      return offsets.find((offset) => free(to, offset));
    };
    /** Front matter is cut whole, with what comes to stand above it. */
    const may = (to: Place) =>
      !isAbove(to, from) && (from.before > 0 || to.before >= head) && typeof newTo(to) === 'number';
    const nearest = places.find((place) => place.after >= change.to && may(place));
    const to = places.findLast((place) => place.after === nearest?.after && may(place));
    if (!to) throw new Error('The end of a note is always free.');
    return { to, newTo: newTo(to) ?? 0 };
  };

  const spans: Span[] = [];
  for (const change of changes) {
    const from = above(change);
    const next = { from, newFrom: moved(from, 'above') ?? 0, ...below(change, from) };
    const last = spans.at(-1);
    if (!last || (holdsBlock(pieces, last.to, from) && next.newFrom >= last.newTo)) {
      spans.push(next);
      continue;
    }
    const { to, newTo } = isAbove(last.to, next.to) || next.newTo > last.newTo ? next : last;
    spans[spans.length - 1] = { ...last, to, newTo };
  }
  return spans;
}

/** Whether a block stands between two places, of which `to` may as well be above `from`. */
function holdsBlock(pieces: readonly Piece[], from: Place, to: Place): boolean {
  return pieces.slice(from.piece, to.piece).some(({ common }) => !common);
}

const TOP: Place = { piece: 0, within: 0, before: 0, after: 0 };

function isAbove(place: Place, other: Place): boolean {
  return place.piece < other.piece || (place.piece === other.piece && place.within < other.within);
}

/** Where a place of the old after is in the new one, above or below what is put in there; null within a change. */
type Moved = (place: Place, side: 'above' | 'below') => number | null;

function movedBy(changes: readonly Change[]): Moved {
  const grown = [0];
  for (const { from, to, text } of changes) {
    grown.push((grown.at(-1) ?? 0) + text.length - (to - from));
  }
  return ({ after }, side) => {
    let past = firstOf(changes, (change) => !isPast(change, after));
    const next = changes[past];
    if (next && next.from < after && after < next.to) return null;
    if (side === 'below' && next?.to === after) past++;
    return after + (grown[past] ?? 0);
  };
}

/** What is put in at `offset` itself is not past. */
function isPast({ from, to }: Change, offset: number): boolean {
  return to < offset || (to === offset && from < to);
}

/** Where in the list the first stands for which `is` holds; it holds for all after that. */
function firstOf<Some>(list: readonly Some[], is: (each: Some) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = list[middle];
    if (each !== undefined && is(each)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function placesIn(pieces: readonly Piece[], unitsBefore: ReadonlySet<number>): Place[] {
  const places: Place[] = [];
  let before = 0;
  let after = 0;
  pieces.forEach((piece, at) => {
    places.push({ piece: at, within: 0, before, after });
    if (piece.common) {
      for (let end = piece.before.indexOf('\n') + 1; end > 0;) {
        if (end < piece.before.length && unitsBefore.has(before + end)) {
          places.push({ piece: at, within: end, before: before + end, after: after + end });
        }
        end = piece.before.indexOf('\n', end) + 1;
      }
    }
    before += piece.before.length;
    after += piece.after.length;
  });
  return [...places, { piece: pieces.length, within: 0, before, after }];
}
