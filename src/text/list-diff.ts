import { diffArrays } from 'diff/lib/diff/array.js';

export type LineEnding = '\n' | '\r\n';

/** Lines with their endings. Only LF and CRLF end a line; a lone CR or U+2028 does not. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    lines.push(text.slice(from, end + 1));
    from = end + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** Lines without their endings. A final line break does not start another line. */
export function lineTexts(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(text.includes('\r\n') ? /\r?\n/ : '\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line or a text without the line break at its end. */
export function withoutLastBreak(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

/** The ending of all lines; null if it varies or there is none. */
export function onlyEnding(text: string): LineEnding | null {
  if (!text.includes('\n')) return null;
  if (!text.includes('\r\n')) return '\n';
  return /(?:^|[^\r])\n/.test(text) ? null : '\r\n';
}

export function withEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}

/** Whether text can be appended without joining the last line. */
export function endsWithLine(text: string): boolean {
  return text === '' || text.endsWith('\n');
}

/** Items `beforeFrom`..`beforeTo` became `afterFrom`..`afterTo`; indexes from 0, ends exclusive. */
export interface Hunk {
  beforeFrom: number;
  beforeTo: number;
  afterFrom: number;
  afterTo: number;
}

/** Beyond these edit distances, finding the shortest diff costs more than it is worth. */
const MAX_EDITS = 600;
const MAX_EDITS_PER_GAP = 100;
/** The search takes time in proportion to the edits and to the items, so long lists get fewer edits. */
const MAX_STEPS = 4_000_000;

/** The most edits, within `most`, that the search for them may find among so many items. */
function editsWithin(most: number, items: number): number {
  return Math.max(10, Math.min(most, Math.floor(MAX_STEPS / items)));
}

/**
 * Diffs two lists of strings, such as lines or words. It trims the common prefix and suffix first,
 * so a small change to a long note is cheap. Lists that differ too much are split at unique common
 * items; what still differs too much is replaced as a whole.
 */
export function diffLists(before: readonly string[], after: readonly string[]): Hunk[] {
  // Numbers compare faster than strings, so each distinct string gets a number.
  const names = new Map<string, number>();
  const name = (line: string) => {
    const known = names.get(line);
    if (known !== undefined) return known;
    names.set(line, names.size + 1);
    return names.size;
  };
  const whole = { beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length };
  const middle = trimmed(before, after, whole);
  const old = before.slice(middle.beforeFrom, middle.beforeTo).map(name);
  const fresh = after.slice(middle.afterFrom, middle.afterTo).map(name);
  const items = old.length + fresh.length;
  const hunks =
    compare(old, fresh, editsWithin(MAX_EDITS, items)) ??
    compareBetweenAnchors(old, fresh, editsWithin(MAX_EDITS_PER_GAP, items));
  return hunks.map((hunk) => moved(hunk, middle.beforeFrom, middle.afterFrom));
}

/** The lines that only the second text has, without their endings. */
export function addedLines(before: string, after: string): string[] {
  const fresh = lineTexts(after);
  return diffLists(lineTexts(before), fresh).flatMap(({ afterFrom, afterTo }) =>
    fresh.slice(afterFrom, afterTo),
  );
}

/** The range without the common prefix and suffix. */
function trimmed<T>(before: readonly T[], after: readonly T[], hunk: Hunk): Hunk {
  let { beforeFrom, beforeTo, afterFrom, afterTo } = hunk;
  while (beforeFrom < beforeTo && afterFrom < afterTo && before[beforeFrom] === after[afterFrom]) {
    beforeFrom++;
    afterFrom++;
  }
  while (
    beforeFrom < beforeTo &&
    afterFrom < afterTo &&
    before[beforeTo - 1] === after[afterTo - 1]
  ) {
    beforeTo--;
    afterTo--;
  }
  return { beforeFrom, beforeTo, afterFrom, afterTo };
}

/** Null if there are more edits than `most`. */
function compare(before: number[], after: number[], most: number): Hunk[] | null {
  if (before.length === 0 && after.length === 0) return [];
  const whole = { beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length };
  if (before.length === 0 || after.length === 0) return [whole];
  const changes = diffArrays(before, after, { maxEditLength: most });
  if (!changes) return null;
  const hunks: Hunk[] = [];
  let open: Hunk | null = null;
  let old = 0;
  let fresh = 0;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      old += change.count;
      fresh += change.count;
      open = null;
      continue;
    }
    if (!open) {
      open = { beforeFrom: old, beforeTo: old, afterFrom: fresh, afterTo: fresh };
      hunks.push(open);
    }
    if (change.removed) open.beforeTo = old += change.count;
    else open.afterTo = fresh += change.count;
  }
  return hunks;
}

function compareBetweenAnchors(before: number[], after: number[], most: number): Hunk[] {
  const hunks: Hunk[] = [];
  let old = 0;
  let fresh = 0;
  const end = { before: before.length, after: after.length };
  for (const anchor of [...sharedOnce(before, after), end]) {
    const gap = trimmed(before, after, {
      beforeFrom: old,
      beforeTo: anchor.before,
      afterFrom: fresh,
      afterTo: anchor.after,
    });
    const [inBefore, inAfter] = [
      before.slice(gap.beforeFrom, gap.beforeTo),
      after.slice(gap.afterFrom, gap.afterTo),
    ];
    const whole = {
      beforeFrom: 0,
      beforeTo: inBefore.length,
      afterFrom: 0,
      afterTo: inAfter.length,
    };
    for (const hunk of compare(inBefore, inAfter, most) ?? [whole]) {
      hunks.push(moved(hunk, gap.beforeFrom, gap.afterFrom));
    }
    old = anchor.before;
    fresh = anchor.after;
  }
  return joined(hunks);
}

interface Anchor {
  before: number;
  after: number;
}

/** Anchors of a patience diff: lines unique on each side, as the longest run in the same order. */
function sharedOnce(before: number[], after: number[]): Anchor[] {
  const old = placesOfSingles(before);
  const fresh = placesOfSingles(after);
  const piles: { anchor: Anchor; below: number }[] = [];
  const tops: number[] = [];
  for (const [line, at] of old) {
    const other = fresh.get(line);
    if (other === undefined) continue;
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[tops[middle] ?? -1]?.anchor.after ?? Infinity) < other) low = middle + 1;
      else high = middle;
    }
    piles.push({ anchor: { before: at, after: other }, below: tops[low - 1] ?? -1 });
    tops[low] = piles.length - 1;
  }
  const run: Anchor[] = [];
  for (let pile = piles[tops.at(-1) ?? -1]; pile; pile = piles[pile.below]) run.push(pile.anchor);
  return run.reverse();
}

/** In text order, because a map keeps insertion order. */
function placesOfSingles(lines: number[]): Map<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  lines.forEach((line, at) => {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  });
  for (const line of repeated) places.delete(line);
  return places;
}

/** The same hunk in lists with so many more items above it. */
export function moved(hunk: Hunk, before: number, after: number): Hunk {
  return {
    beforeFrom: hunk.beforeFrom + before,
    beforeTo: hunk.beforeTo + before,
    afterFrom: hunk.afterFrom + after,
    afterTo: hunk.afterTo + after,
  };
}

/** Merges adjacent hunks. */
function joined(hunks: readonly Hunk[]): Hunk[] {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    const last = result.at(-1);
    if (last?.beforeTo === hunk.beforeFrom && last.afterTo === hunk.afterFrom) {
      last.beforeTo = hunk.beforeTo;
      last.afterTo = hunk.afterTo;
    } else result.push({ ...hunk });
  }
  return result;
}

/** Characters compared at once, which is far faster than one by one. */
const PIECE = 4_096;

/** The number of characters that both texts begin with. */
export function commonStart(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  const isSame = (from: number) =>
    before.slice(from, from + PIECE) === after.slice(from, from + PIECE);
  while (at + PIECE <= shorter && isSame(at)) at += PIECE;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  return at;
}

/**
 * The number of characters that both texts end with.
 *
 * @param from the characters before it do not count, in both texts
 */
export function commonEnd(before: string, after: string, from = 0): number {
  const most = Math.min(before.length, after.length) - from;
  const piece = (text: string, end: number) =>
    text.slice(text.length - end - PIECE, text.length - end);
  let end = 0;
  while (end + PIECE <= most && piece(before, end) === piece(after, end)) end += PIECE;
  while (
    end < most &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return end;
}

/** Two texts are the same outside of these offsets, at which lines begin. */
export interface ChangedLines {
  readonly from: number;
  readonly beforeTo: number;
  readonly afterTo: number;
}

/** Found without splitting the texts, so that a small change to a long note is cheap. */
export function changedLines(before: string, after: string): ChangedLines {
  let from = commonStart(before, after);
  const isSame = from === before.length && from === after.length;
  if (from > 0 && !isSame) from = before.lastIndexOf('\n', from - 1) + 1;
  const same = commonEnd(before, after, from);
  let [beforeTo, afterTo] = [before.length - same, after.length - same];
  const beginsLine = (text: string, at: number) => at === from || text[at - 1] === '\n';
  if (!beginsLine(before, beforeTo) || !beginsLine(after, afterTo)) {
    const end = before.indexOf('\n', beforeTo);
    const rest = end < 0 ? 0 : before.length - end - 1;
    [beforeTo, afterTo] = [before.length - rest, after.length - rest];
  }
  return { from, beforeTo, afterTo };
}
