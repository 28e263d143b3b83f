/** The spans of a note that a change of its text touches, from unit to unit. */
import { changedLines, diffLists, endsWithLine, linesOf } from '#text/list-diff';
import type { SidePiece } from './before-and-after';
import { frontMatter } from './proposal-format';
import { type LineReader, units } from './units';

/** Offsets where units start, plus the end of the text. */
export class Boundaries {
  /** In order. */
  readonly #offsets: readonly number[];
  readonly #all: ReadonlySet<number>;

  constructor(text: string, reader: LineReader) {
    let at = 0;
    this.#offsets = [0, ...units(text, reader).map((unit) => (at += unit.length))];
    this.#all = new Set(this.#offsets);
  }

  has(offset: number): boolean {
    return this.#all.has(offset);
  }

  /** The boundaries between two offsets, without these. */
  within(from: number, to: number): readonly number[] {
    const first = firstOf(this.#offsets, (offset) => offset > from);
    return this.#offsets.slice(
      first,
      firstOf(this.#offsets, (offset) => offset >= to),
    );
  }

  /** The units from one boundary to another. */
  unitsOf(text: string, from: number, to: number): string[] {
    const result: string[] = [];
    const first = firstOf(this.#offsets, (offset) => offset > from);
    let start = from;
    for (let at = first; (this.#offsets[at] ?? Infinity) <= to; at += 1) {
      const end = this.#offsets[at] ?? to;
      result.push(text.slice(start, end));
      start = end;
    }
    return result;
  }
}

/** Characters `from`..`to` became `text`. */
export interface UnitChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Changed lines as whole lines, from the top; no two changes are adjacent. */
export function changesBetween(before: string, after: string): UnitChange[] {
  if (before === after) return [];
  const middle = changedLines(before, after);
  const old = linesOf(before.slice(middle.from, middle.beforeTo));
  const fresh = linesOf(after.slice(middle.from, middle.afterTo));
  const starts = [middle.from];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  return diffLists(old, fresh).map((hunk) => ({
    from: starts[hunk.beforeFrom] ?? middle.from,
    to: starts[hunk.beforeTo] ?? middle.from,
    text: fresh.slice(hunk.afterFrom, hunk.afterTo).join(''),
  }));
}

/** A place between two pieces or within common text, with its offsets on both sides. */
export interface SpanPlace {
  readonly piece: number;
  readonly within: number;
  readonly before: number;
  readonly after: number;
}

/** A region to cut again, and its range in the new text. */
export interface ChangedSpan {
  readonly from: SpanPlace;
  readonly to: SpanPlace;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The boundaries on both sides. */
export interface BoundarySides {
  readonly before: Boundaries;
  readonly after: Boundaries;
}

/**
 * Extends each change to the nearest places that are unit boundaries on both sides. Spans merge
 * unless a block is between them.
 */
export function spansOf(
  pieces: readonly SidePiece[],
  changes: readonly UnitChange[],
  boundaries: BoundarySides,
): ChangedSpan[] {
  const before = pieces.map((piece) => piece.before).join('');
  const places = new Places(placesIn(pieces, boundaries.before), changes, boundaries, before);
  const spans: ChangedSpan[] = [];
  for (const change of changes) {
    const { index, ...start } = places.above(change);
    const next = { ...start, ...places.below(change, index) };
    const last = spans.at(-1);
    if (!last || (holdsBlock(pieces, last.to, next.from) && next.newFrom >= last.newTo)) {
      spans.push(next);
      continue;
    }
    const { to, newTo } = isAbove(last.to, next.to) || next.newTo > last.newTo ? next : last;
    spans[spans.length - 1] = { ...last, to, newTo };
  }
  return spans;
}

/** The places of a note, and which of them are unit boundaries on both sides. */
class Places {
  /** In order. */
  readonly #places: readonly SpanPlace[];
  readonly #boundaries: BoundarySides;
  readonly #moved: MovedSpan;
  readonly #hasLastLine: boolean;
  readonly #length: number;
  /** Where the text below the front matter begins. */
  readonly #head: number;
  /** For each place, the nearest one above, including itself, where a span may begin; or -1. */
  readonly #beginning: readonly number[];
  /** For each place, the nearest one below, including itself, where a span may end. */
  readonly #ending: readonly number[];

  constructor(
    places: readonly SpanPlace[],
    changes: readonly UnitChange[],
    boundaries: BoundarySides,
    before: string,
  ) {
    this.#places = places;
    this.#boundaries = boundaries;
    this.#moved = movedBy(changes);
    this.#hasLastLine = endsWithLine(before);
    this.#length = before.length;
    const head = frontMatter(before).length;
    this.#head = firstOf(places, (place) => place.before >= head);
    let nearest = -1;
    this.#beginning = places.map((place, at) => (nearest = this.#mayBegin(place) ? at : nearest));
    nearest = places.length;
    this.#ending = places
      .map((_, at) => places.length - 1 - at)
      .map((at) => (nearest = this.#newEnd(at, false) === null ? nearest : at))
      .reverse();
  }

  /**
   * The start of a span. A place includes adjacent blocks without text on the after side, because
   * an insertion may replace what they delete.
   */
  above(change: UnitChange): Pick<ChangedSpan, 'from' | 'newFrom'> & { readonly index: number } {
    const places = this.#places;
    const below = firstOf(places, (place) => place.after > change.from);
    let index = this.#beginning[below - 1] ?? -1;
    if (index === -1)
      return { from: NOTE_TOP, newFrom: this.#moved(NOTE_TOP, 'above') ?? 0, index: 0 };
    const { after } = this.#at(index);
    for (;;) {
      const next = this.#beginning[index - 1] ?? -1;
      if (next === -1 || this.#at(next).after !== after) break;
      index = next;
    }
    const from = this.#at(index);
    return { from, newFrom: this.#moved(from, 'above') ?? 0, index };
  }

  /**
   * The end of a span that begins at the place `start`. Front matter is cut as a whole, together
   * with text inserted above it.
   */
  below(change: UnitChange, start: number): Pick<ChangedSpan, 'to' | 'newTo'> {
    const places = this.#places;
    const least = this.#at(start).before > 0 ? start : Math.max(start, this.#head);
    const newEnd = (index: number) => this.#newEnd(index, change.from === places[index]?.after);
    let found: Pick<ChangedSpan, 'to' | 'newTo'> | null = null;
    let at = Math.max(
      least,
      firstOf(places, (place) => place.after >= change.to),
    );
    for (let index = this.#ending[at]; index !== undefined; index = this.#ending[at]) {
      const to = places[index];
      if (!to || (found && to.after !== found.to.after)) break;
      const newTo = newEnd(index);
      if (newTo !== null) found = { to, newTo };
      at = index + 1;
    }
    if (!found) throw new Error('The end of a note is always free.');
    return found;
  }

  #at(index: number): SpanPlace {
    return this.#places[index] ?? NOTE_TOP;
  }

  #mayBegin(place: SpanPlace): boolean {
    const isLine = place.before < this.#length || this.#hasLastLine;
    return isLine && this.#isFree(place, this.#moved(place, 'above'));
  }

  /** Where a span that ends there ends in the new text. */
  #newEnd(index: number, isInsertedHere: boolean): number | null {
    const to = this.#at(index);
    const up = isInsertedHere ? null : this.#moved(to, 'above');
    if (this.#isFree(to, up)) return up;
    const down = this.#moved(to, 'below');
    return this.#isFree(to, down) ? down : null;
  }

  #isFree(place: SpanPlace, after: number | null): after is number {
    const { before: old, after: fresh } = this.#boundaries;
    return after !== null && old.has(place.before) && fresh.has(after);
  }
}

/** Whether a block is between two places; `to` may also be above `from`. */
function holdsBlock(pieces: readonly SidePiece[], from: SpanPlace, to: SpanPlace): boolean {
  return pieces.slice(from.piece, to.piece).some(({ common }) => !common);
}

const NOTE_TOP: SpanPlace = { piece: 0, within: 0, before: 0, after: 0 };

function isAbove(place: SpanPlace, other: SpanPlace): boolean {
  return place.piece < other.piece || (place.piece === other.piece && place.within < other.within);
}

/**
 * Maps a place in the old `after` text to the new one, above or below text inserted there; null
 * within a change.
 */
type MovedSpan = (place: SpanPlace, side: 'above' | 'below') => number | null;

function movedBy(changes: readonly UnitChange[]): MovedSpan {
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

/** An insertion at `offset` itself is not past. */
function isPast({ from, to }: UnitChange, offset: number): boolean {
  return to < offset || (to === offset && from < to);
}

/**
 * Binary search for the index of the first item that satisfies `is`; all items after it must
 * satisfy it too.
 */
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

function placesIn(pieces: readonly SidePiece[], unitsBefore: Boundaries): SpanPlace[] {
  const places: SpanPlace[] = [];
  let before = 0;
  let after = 0;
  pieces.forEach((piece, at) => {
    places.push({ piece: at, within: 0, before, after });
    if (piece.common) {
      for (const place of unitsBefore.within(before, before + piece.before.length)) {
        const within = place - before;
        if (piece.before[within - 1] !== '\n') continue;
        places.push({ piece: at, within, before: place, after: after + within });
      }
    }
    before += piece.before.length;
    after += piece.after.length;
  });
  return [...places, { piece: pieces.length, within: 0, before, after }];
}
