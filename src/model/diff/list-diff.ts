import { diffArrays } from 'diff/lib/diff/array.js';

export type LineEnding = '\n' | '\r\n';

/** Lines with their endings. A lone CR and U+2028 are characters of a line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How all lines end; null where they end differently, or none does. */
export function onlyEnding(text: string): LineEnding | null {
  if (!text.includes('\n')) return null;
  if (!text.includes('\r\n')) return '\n';
  return /(?:^|[^\r])\n/.test(text) ? null : '\r\n';
}

export function withEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}

/** Whether something can stand below the text without becoming part of its last line. */
export function endsWithLine(text: string): boolean {
  return text === '' || text.endsWith('\n');
}

/** Members `beforeFrom`..`beforeTo` became `afterFrom`..`afterTo`; counted from 0, ends excluded. */
export interface Hunk {
  beforeFrom: number;
  beforeTo: number;
  afterFrom: number;
  afterTo: number;
}

/** Beyond this many edits the search for the shortest diff costs more than it tells. */
const MAX_EDITS = 1000;
const MAX_EDITS_PER_GAP = 100;

/**
 * What changed between two lists of strings, such as lines or words. Common beginnings and ends are set aside first, so that
 * a small change to a large note costs one comparison; texts with little in common are cut at the
 * lines that occur once in each, and what still differs too much counts as replaced whole.
 */
export function diffLists(before: readonly string[], after: readonly string[]): Hunk[] {
  // Numbers are compared faster than strings, and each string of the middle is named once.
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
  return compare(old, fresh, MAX_EDITS).map((hunk) =>
    moved(hunk, middle.beforeFrom, middle.afterFrom),
  );
}

/** What lies between the common beginning and the common end of a stretch. */
function trimmed<T>(before: readonly T[], after: readonly T[], stretch: Hunk): Hunk {
  let { beforeFrom, beforeTo, afterFrom, afterTo } = stretch;
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

function compare(before: number[], after: number[], most: number): Hunk[] {
  if (before.length === 0 && after.length === 0) return [];
  const whole = { beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length };
  if (before.length === 0 || after.length === 0) return [whole];
  const changes = diffArrays(before, after, { maxEditLength: most });
  if (!changes) return most === MAX_EDITS ? compareBetweenAnchors(before, after) : [whole];
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

function compareBetweenAnchors(before: number[], after: number[]): Hunk[] {
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
    const part = compare(
      before.slice(gap.beforeFrom, gap.beforeTo),
      after.slice(gap.afterFrom, gap.afterTo),
      MAX_EDITS_PER_GAP,
    );
    for (const hunk of part) hunks.push(moved(hunk, gap.beforeFrom, gap.afterFrom));
    old = anchor.before;
    fresh = anchor.after;
  }
  return joined(hunks);
}

interface Anchor {
  before: number;
  after: number;
}

/** Lines that occur once on each side, the longest run of them that keeps its order. */
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

/** In the order of the text: a map keeps the order in which its keys were first set. */
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

function moved(hunk: Hunk, before: number, after: number): Hunk {
  return {
    beforeFrom: hunk.beforeFrom + before,
    beforeTo: hunk.beforeTo + before,
    afterFrom: hunk.afterFrom + after,
    afterTo: hunk.afterTo + after,
  };
}

/** Hunks that touch are one change. */
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

/** In place of what stands between two offsets of the text before. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * What has to be changed in `before` to read `after`, from its top, each only as wide as it has to be: a cursor, a
 * selection or a composition elsewhere in the same paragraph stays where it is.
 */
export function textChanges(before: string, after: string): TextChange[] {
  const old = textLines(before);
  const fresh = textLines(after);
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  return diffLists(old, fresh).flatMap(({ beforeFrom, beforeTo, afterFrom, afterTo }) => {
    const isLineByLine = beforeTo - beforeFrom === afterTo - afterFrom;
    const from = (index: number) => starts[index] ?? before.length;
    if (!isLineByLine) {
      const text = fresh.slice(afterFrom, afterTo).join('');
      return narrowed(before, { from: from(beforeFrom), to: from(beforeTo), text });
    }
    return fresh.slice(afterFrom, afterTo).flatMap((text, index) =>
      narrowed(before, {
        from: from(beforeFrom + index),
        to: from(beforeFrom + index + 1),
        text,
      }),
    );
  });
}

/** Without what both sides begin and end with; none if that is all. */
function narrowed(before: string, { from, to, text }: TextChange): TextChange[] {
  const old = before.slice(from, to);
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start += 1;
  if (start === old.length && start === text.length) return [];
  if (isHigh(old.charCodeAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
  if (isLow(old.charCodeAt(old.length - end))) end -= 1;
  return [{ from: from + start, to: to - end, text: text.slice(start, text.length - end) }];
}

/** The first half of a sign that takes two. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function textLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
