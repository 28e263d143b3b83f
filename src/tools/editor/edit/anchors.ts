import { diffLists, type Hunk } from '#text/list-diff';
import { contentsOf, lineHunks, type Lines } from './text-lines';

export type Moved =
  | { ok: true; from: number; to: number }
  | { ok: false; reason: 'changed' | 'ambiguous'; from: number; to: number };

const GONE = 0;
const AMBIGUOUS = -1;

/**
 * Maps lines of a note as the model read it to lines of its current text. Line endings are ignored,
 * because an editor may have turned CRLF into LF.
 */
export class Anchors {
  readonly changed: boolean;
  /** Indexed by the line that was read, from 1: its current line, `GONE` or `AMBIGUOUS`. */
  private readonly places: Int32Array = new Int32Array(0);

  constructor(
    private readonly read: Lines,
    private readonly now: Lines,
  ) {
    const old = contentsOf(read);
    const fresh = contentsOf(now);
    this.changed = old.length !== fresh.length || old.some((line, at) => line !== fresh[at]);
    if (!this.changed) return;
    this.places = certainPlaces(old, fresh);
  }

  /**
   * The current lines of `from` to `to`. Fails unless all of them still exist, in one run, and
   * unambiguously.
   */
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
    if (why !== null) return { ok: false, reason: why, ...this.around(from, to) };
    return { ok: true, from: first, to: first + to - from };
  }

  private place(line: number): number {
    return this.places[line] ?? GONE;
  }

  /** The current lines between the nearest unambiguous neighbors of `from` and `to`. */
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

/**
 * Maps lines, marking ambiguous ones: a repeated line may match several, and a diff picks one of
 * them silently. A match counts as certain if a diff from the bottom picks it too, and if the
 * matched lines cannot be shifted up or down in either text.
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

/** For each shared line, whether it could match at more than one place of the text. */
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

/** Indexed by the line of the earlier text, from 1: the matching line of the later text, or 0. */
export function pairLines(earlier: Lines, later: Lines): Int32Array {
  return placesBeside(lineHunks(earlier, later), earlier.count, later.count);
}

function pair(read: readonly string[], now: readonly string[]): Int32Array {
  return placesBeside(diffLists(read, now), read.length, now.length);
}

/** Pairs the lines beside the hunks, as `pairLines` does. */
function placesBeside(hunks: readonly Hunk[], read: number, now: number): Int32Array {
  const places = new Int32Array(read + 1);
  let old = 0;
  let fresh = 0;
  const end = { beforeFrom: read, beforeTo: 0, afterFrom: now, afterTo: 0 };
  for (const hunk of [...hunks, end]) {
    while (old < hunk.beforeFrom) places[++old] = ++fresh;
    old = hunk.beforeTo;
    fresh = hunk.afterTo;
  }
  return places;
}
