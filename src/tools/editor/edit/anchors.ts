import { diffLines } from './line-diff';
import type { Lines } from './lines';

export type Moved =
  | { ok: true; from: number; to: number }
  | { ok: false; why: 'changed' | 'ambiguous'; from: number; to: number };

/**
 * Finds the lines of a note as it was read in the note as it is now. Lines are compared by their
 * words alone: an editor may have turned CRLF into LF since.
 */
export class Anchors {
  readonly changed: boolean;
  /** For each line read, from 1, the line it is now; 0 when it is not there any more. */
  private readonly fromTop: Int32Array | null = null;
  private readonly fromBottom: Int32Array | null = null;

  constructor(
    private readonly read: Lines,
    private readonly now: Lines,
  ) {
    const old = contents(read);
    const fresh = contents(now);
    this.changed = old.length !== fresh.length || old.some((line, at) => line !== fresh[at]);
    if (!this.changed) return;
    this.fromTop = pair(old, fresh);
    this.fromBottom = mirrored(pair(old.reverse(), fresh.reverse()), now.count);
  }

  /** Where lines `from` to `to` are now; not ok unless all are there, together and beyond doubt. */
  move(from: number, to: number): Moved {
    if (!this.changed) return { ok: true, from, to };
    const first = this.place(from);
    let why: 'changed' | 'ambiguous' | null = null;
    for (let line = from; line <= to; line++) {
      const place = this.place(line);
      if (place === 'gone' || why === 'changed') why = 'changed';
      else if (place === 'ambiguous') why = 'ambiguous';
      else if (typeof first === 'number' && place !== first + line - from) why ??= 'changed';
    }
    if (why !== null || typeof first !== 'number') {
      return { ok: false, why: why ?? 'changed', ...this.around(from, to) };
    }
    return { ok: true, from: first, to: first + to - from };
  }

  /**
   * A repeated line can be paired with several: read from the top and from the bottom, a comparison
   * settles on different ones. Only where both agree is a line's place certain.
   */
  private place(line: number): number | 'gone' | 'ambiguous' {
    const top = this.fromTop?.[line] ?? 0;
    const bottom = this.fromBottom?.[line] ?? 0;
    if (top === 0 && bottom === 0) return 'gone';
    return top === bottom ? top : 'ambiguous';
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
    const place = this.place(line);
    return typeof place === 'number' ? place : 0;
  }
}

function contents(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, at) => lines.content(at + 1));
}

function pair(read: readonly string[], now: readonly string[]): Int32Array {
  const places = new Int32Array(read.length + 1);
  let old = 0;
  let fresh = 0;
  const end = { beforeFrom: read.length, beforeTo: 0, afterFrom: now.length, afterTo: 0 };
  for (const hunk of [...diffLines(read, now), end]) {
    while (old < hunk.beforeFrom) places[++old] = ++fresh;
    old = hunk.beforeTo;
    fresh = hunk.afterTo;
  }
  return places;
}

function mirrored(places: Int32Array, nowCount: number): Int32Array {
  const count = places.length - 1;
  const result = new Int32Array(count + 1);
  for (let line = 1; line <= count; line++) {
    const place = places[count + 1 - line] ?? 0;
    result[line] = place === 0 ? 0 : nowCount + 1 - place;
  }
  return result;
}
