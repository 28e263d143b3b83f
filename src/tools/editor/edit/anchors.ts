import { diffLists } from '#model/diff/list-diff';
import type { Lines } from './text-lines';

export type Moved =
  | { ok: true; from: number; to: number }
  | { ok: false; why: 'changed' | 'ambiguous'; from: number; to: number };

const GONE = 0;
const AMBIGUOUS = -1;

/**
 * Finds the lines of a note as it was read in the note as it is now. Lines are compared by their
 * words alone: an editor may have turned CRLF into LF since.
 */
export class Anchors {
  readonly changed: boolean;
  /** For each line read, from 1, the line it is now, `GONE` or `AMBIGUOUS`. */
  private readonly places: Int32Array = new Int32Array(0);

  constructor(
    private readonly read: Lines,
    private readonly now: Lines,
  ) {
    const old = contents(read);
    const fresh = contents(now);
    this.changed = old.length !== fresh.length || old.some((line, at) => line !== fresh[at]);
    if (!this.changed) return;
    this.places = certainPlaces(old, fresh);
  }

  /** Where lines `from` to `to` are now; not ok unless all are there, together and beyond doubt. */
  move(from: number, to: number): Moved {
    if (!this.changed) return { ok: true, from, to };
    const first = this.place(from);
    let why: 'changed' | 'ambiguous' | null = first === AMBIGUOUS ? 'ambiguous' : null;
    for (let line = from; line <= to; line++) {
      const place = this.place(line);
      if (place === GONE) why = 'changed';
      else if (place === AMBIGUOUS) why ??= 'ambiguous';
      else if (place !== first + line - from) why ??= 'changed';
    }
    if (why !== null) return { ok: false, why, ...this.around(from, to) };
    return { ok: true, from: first, to: first + to - from };
  }

  private place(line: number): number {
    return this.places[line] ?? GONE;
  }

  /** The lines of now between the nearest certain neighbours of lines that are not certain. */
  private around(from: number, to: number): { from: number; to: number } {
    let before = 0;
    for (let line = from - 1; line >= 1 && before === 0; line--) before = this.certain(line);
    let after = this.now.count + 1;
    for (let line = to + 1; line <= this.read.count && after > this.now.count; line++) {
      after = this.certain(line) || after;
    }
    return { from: before + 1, to: after - 1 };
  }

  private certain(line: number): number {
    return Math.max(0, this.place(line));
  }
}

function contents(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, at) => lines.content(at + 1));
}

/**
 * A repeated line can be paired with several, and a comparison settles on one of them without saying
 * so. A place is certain where a comparison from the bottom settles on the same one, and where the
 * shared lines, pushed up and down as far as they go on either side, do not move.
 */
function certainPlaces(read: readonly string[], now: readonly string[]): Int32Array {
  const places = pair(read, now);
  const mirror = pair(read.toReversed(), now.toReversed());
  const lines: number[] = [];
  places.forEach((place, line) => {
    if (place !== GONE) lines.push(line);
  });
  const shared = lines.map((line) => read[line - 1] ?? '');
  const movesInNow = movable(shared, now);
  const movesInRead = movable(shared, read);
  lines.forEach((line, at) => {
    const below = mirror[read.length + 1 - line] ?? GONE;
    const other = below === GONE ? GONE : now.length + 1 - below;
    if (other !== places[line] || movesInNow[at] || movesInRead[at]) places[line] = AMBIGUOUS;
  });
  return places;
}

/** For each of the shared lines, whether it can stand at more than one place of the text. */
function movable(shared: readonly string[], text: readonly string[]): boolean[] {
  const highest: number[] = [];
  for (let at = 0; highest.length < shared.length && at < text.length; at++) {
    if (text[at] === shared[highest.length]) highest.push(at);
  }
  const moves: boolean[] = [];
  for (let at = text.length - 1, left = shared.length - 1; left >= 0 && at >= 0; at--) {
    if (text[at] === shared[left]) {
      moves[left] = highest[left] !== at;
      left--;
    }
  }
  return moves;
}

/** For each line of the earlier text, from 1, the line of the later one that it is paired with, or 0. */
export function pairLines(earlier: Lines, later: Lines): Int32Array {
  return pair(contents(earlier), contents(later));
}

function pair(read: readonly string[], now: readonly string[]): Int32Array {
  const places = new Int32Array(read.length + 1);
  let old = 0;
  let fresh = 0;
  const end = { beforeFrom: read.length, beforeTo: 0, afterFrom: now.length, afterTo: 0 };
  for (const hunk of [...diffLists(read, now), end]) {
    while (old < hunk.beforeFrom) places[++old] = ++fresh;
    old = hunk.beforeTo;
    fresh = hunk.afterTo;
  }
  return places;
}
