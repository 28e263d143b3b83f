/** The units that hunks consist of, and the changed spans between two versions of a note. */
import { diffLists, endsWithLine, linesOf } from '../diff/list-diff';
import { frontMatter } from './format';
import {
  columns,
  indentOf,
  type LineKind,
  type LineState,
  classifyLine,
  TOP_LEVEL,
} from './markdown-structure';
import type { SidePiece } from './sides';

/**
 * A text cut into the smallest pieces that may become a proposal by themselves: paragraph lines, headings, list items,
 * and whole what must stay together (front matter, code, tables, quotes, math, comments, HTML). Joined they are the
 * text. Blank lines belong to the unit before them.
 */
export function units(text: string): string[] {
  const head = frontMatter(text);
  const lines = linesOf(text.slice(head.length));
  // A host takes the byte order mark off before it reads.
  const read = lines.map((line, at) => (at === 0 ? line.replace(/^\uFEFF/, '') : line));
  const result = head === '' ? [] : [head];
  let unit = '';
  beginnings(read).forEach((begins, at) => {
    if (begins && unit !== '') {
      result.push(unit);
      unit = '';
    }
    unit += lines[at] ?? '';
  });
  if (unit !== '') result.push(unit);
  return result;
}

interface UnitLine {
  readonly text: string;
  /** `inside` too where readings differ. */
  readonly kind: LineKind;
  /** A paragraph that belongs to nothing else goes on below, in some reading. */
  readonly paragraph: boolean;
  /** Nothing that swallows lines is open above this line, in any reading. */
  readonly free: boolean;
}

/** For each line, whether a unit may begin with it. */
function beginnings(lines: readonly string[]): boolean[] {
  const read = kindsOf(lines.map((line) => columns(line.replace(/\r?\n$/, ''))));
  const bound = boundLines(read);
  return read.map((line, at) => {
    const above = read[at - 1];
    if (!above) return true;
    if (!line.free || line.kind === 'blank') return false;
    if (above.kind === 'blank') return line.kind !== 'inside' && indentOf(line.text) < 2;
    return line.kind === 'start' || (line.kind === 'text' && !bound.has(at));
  });
}

function kindsOf(texts: readonly string[]): UnitLine[] {
  let readings: readonly LineState[] = [TOP_LEVEL];
  return texts.map((text) => {
    const free = readings.every(({ open }) => open === null);
    const read = readings.map((reading) => classifyLine(reading, text));
    const kinds = new Set(read.map(({ kind }) => kind));
    readings = unlike(read.flatMap(({ next }) => next));
    const [kind = 'inside'] = kinds;
    const paragraph = readings.some((each) => each.paragraph && each.containers.length === 0);
    return { text, kind: kinds.size === 1 ? kind : 'inside', free, paragraph };
  });
}

function unlike(readings: readonly LineState[]): LineState[] {
  if (readings.length === 1) return [...readings];
  const key = ({ containers, paragraph, open }: LineState) =>
    JSON.stringify([containers, paragraph, open, open?.kind === 'html' && open.end?.source]);
  return [...new Map(readings.map((reading) => [key(reading), reading])).values()];
}

/** A line that means another thing once no paragraph stands above it. */
const LOOKS_LIKE_ANOTHER = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/;
/** Tables, headings by underline, definitions: paragraphs whose lines depend on each other. */
const BINDS_LINES = /\||^ {0,3}(?:=+|-+) *$|^ {0,3}\[[^\]]*\]:/;

/** The lines of paragraphs that cannot be taken from those above them. */
function boundLines(lines: readonly UnitLine[]): Set<number> {
  const bound = new Set<number>();
  let paragraph: number[] = [];
  const end = () => {
    const whole = paragraph.some((at) => BINDS_LINES.test(lines[at]?.text ?? ''));
    for (const at of paragraph.slice(1)) {
      if (whole || LOOKS_LIKE_ANOTHER.test(lines[at]?.text ?? '')) bound.add(at);
    }
    paragraph = [];
  };
  lines.forEach(({ kind, paragraph: goesOn }, at) => {
    if (kind === 'blank' || kind === 'start') end();
    else if (kind === 'text' || goesOn || paragraph.length > 0) paragraph.push(at);
  });
  end();
  return bound;
}

/** Where units begin, and where the text ends. */
export function boundariesOf(text: string): ReadonlySet<number> {
  const boundaries = new Set([0]);
  let at = 0;
  for (const unit of units(text)) boundaries.add((at += unit.length));
  return boundaries;
}

/** @param boundaries of the whole text; `from` and `to` are two of them */
export function unitsBetween(
  text: string,
  boundaries: ReadonlySet<number>,
  from: number,
  to: number,
): string[] {
  const inside = [...boundaries].filter((at) => at >= from && at <= to);
  return inside.slice(1).map((end, at) => text.slice(inside[at], end));
}

/** Characters `from`..`to` became `text`. */
export interface UnitChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Whole lines that changed, from the top; no two touch. */
export function changesBetween(before: string, after: string): UnitChange[] {
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
export interface SpanPlace {
  readonly piece: number;
  readonly within: number;
  readonly before: number;
  readonly after: number;
}

/** What has to be cut again, and what of the new after it becomes. */
export interface ChangedSpan {
  readonly from: SpanPlace;
  readonly to: SpanPlace;
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
  pieces: readonly SidePiece[],
  changes: readonly UnitChange[],
  boundaries: Boundaries,
): ChangedSpan[] {
  const places = placesIn(pieces, boundaries.before);
  const before = pieces.map((piece) => piece.before).join('');
  const head = frontMatter(before).length;
  const beginsLine = (place: SpanPlace) => place.before < before.length || endsWithLine(before);
  const moved = movedBy(changes);
  const free = (place: SpanPlace, after: number | null): after is number =>
    after !== null && boundaries.before.has(place.before) && boundaries.after.has(after);

  // A place takes in the blocks that stand there and leave no text: something put in may stand for what they delete.
  const above = (change: UnitChange): SpanPlace => {
    const may = (place: SpanPlace) => beginsLine(place) && free(place, moved(place, 'above'));
    const nearest =
      places.findLast((place) => place.after <= change.from && may(place)) ?? NOTE_TOP;
    return places.find((place) => place.after === nearest.after && may(place)) ?? nearest;
  };
  const below = (change: UnitChange, from: SpanPlace): Pick<ChangedSpan, 'to' | 'newTo'> => {
    const newTo = (to: SpanPlace) => {
      const putInHere = change.from === to.after;
      const offsets = [putInHere ? null : moved(to, 'above'), moved(to, 'below')];
      return offsets.find((offset) => free(to, offset));
    };
    /** Front matter is cut whole, with what comes to stand above it. */
    const may = (to: SpanPlace) =>
      !isAbove(to, from) && (from.before > 0 || to.before >= head) && typeof newTo(to) === 'number';
    const nearest = places.find((place) => place.after >= change.to && may(place));
    const to = places.findLast((place) => place.after === nearest?.after && may(place));
    if (!to) throw new Error('The end of a note is always free.');
    return { to, newTo: newTo(to) ?? 0 };
  };

  const spans: ChangedSpan[] = [];
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
function holdsBlock(pieces: readonly SidePiece[], from: SpanPlace, to: SpanPlace): boolean {
  return pieces.slice(from.piece, to.piece).some(({ common }) => !common);
}

const NOTE_TOP: SpanPlace = { piece: 0, within: 0, before: 0, after: 0 };

function isAbove(place: SpanPlace, other: SpanPlace): boolean {
  return place.piece < other.piece || (place.piece === other.piece && place.within < other.within);
}

/** Where a place of the old after is in the new one, above or below what is put in there; null within a change. */
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

/** What is put in at `offset` itself is not past. */
function isPast({ from, to }: UnitChange, offset: number): boolean {
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

function placesIn(pieces: readonly SidePiece[], unitsBefore: ReadonlySet<number>): SpanPlace[] {
  const places: SpanPlace[] = [];
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
