/** Pairs up similar items of two lists. */
import { diffLists } from '#text/list-diff';
import { wordPattern } from '#text/word-reader';

/** An item of one list, or a pair of items. */
export type Pair<Thing> =
  | { readonly before: Thing; readonly after: Thing }
  | { readonly before: Thing; readonly after: null }
  | { readonly before: null; readonly after: Thing };

export interface Likeness<Thing> {
  /** Items with the same key are equal. */
  key(thing: Thing): string;
  /** Similarity of two items that are not equal: 0 if unrelated, higher if more similar. */
  like(before: Thing, after: Thing): number;
}

/** With more comparisons, no items count as similar. */
const MAX_COMPARISONS = 10_000;

/** In the order of both lists; of a replaced pair, the old item comes first. */
export function align<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  { key, like }: Likeness<Thing>,
): Pair<Thing>[] {
  const pairs: Pair<Thing>[] = [];
  let at = { before: 0, after: 0 };
  const same = (to: number) => {
    for (let count = 0; at.before + count < to; count += 1) {
      const [old, young] = [before[at.before + count], after[at.after + count]];
      pairs.push({ before: old as Thing, after: young as Thing });
    }
  };
  for (const change of diffLists(before.map(key), after.map(key))) {
    same(change.beforeFrom);
    const gone = before.slice(change.beforeFrom, change.beforeTo);
    // One call takes only a limited number of arguments.
    for (const pair of replaced(gone, after.slice(change.afterFrom, change.afterTo), like)) {
      pairs.push(pair);
    }
    at = { before: change.beforeTo, after: change.afterTo };
  }
  same(before.length);
  return pairs;
}

/** Pairs similar items and leaves the others alone. */
function replaced<Thing>(
  gone: readonly Thing[],
  come: readonly Thing[],
  like: (before: Thing, after: Thing) => number,
): Pair<Thing>[] {
  const pairs: Pair<Thing>[] = [];
  let [old, young] = [0, 0];
  const others = (oldEnd: number, youngEnd: number) => {
    for (const thing of gone.slice(old, oldEnd)) pairs.push({ before: thing, after: null });
    for (const thing of come.slice(young, youngEnd)) pairs.push({ before: null, after: thing });
  };
  for (const { a, b } of likest(gone, come, like)) {
    others(a, b);
    pairs.push({ before: gone[a] as Thing, after: come[b] as Thing });
    [old, young] = [a + 1, b + 1];
  }
  others(gone.length, come.length);
  return pairs;
}

/** The pairs, in order, with the highest total similarity. */
function likest<Thing>(
  gone: readonly Thing[],
  come: readonly Thing[],
  like: (before: Thing, after: Thing) => number,
): { a: number; b: number }[] {
  if (gone.length * come.length > MAX_COMPARISONS) return [];
  const worths = gone.map((old) => come.map((young) => like(old, young)));
  /** The best total that is still possible from these positions. */
  const sums = Array.from({ length: gone.length + 1 }, () => new Float64Array(come.length + 1));
  const sumAt = (a: number, b: number) => sums[a]?.[b] ?? 0;
  const joined = (a: number, b: number) => {
    const worth = worths[a]?.[b] ?? 0;
    return worth > 0 ? worth + sumAt(a + 1, b + 1) : 0;
  };
  for (let a = gone.length - 1; a >= 0; a -= 1) {
    for (let b = come.length - 1; b >= 0; b -= 1) {
      const row = sums[a];
      if (row) row[b] = Math.max(joined(a, b), sumAt(a + 1, b), sumAt(a, b + 1));
    }
  }
  const places: { a: number; b: number }[] = [];
  let [a, b] = [0, 0];
  while (a < gone.length && b < come.length) {
    if (joined(a, b) > 0 && joined(a, b) === sumAt(a, b)) {
      places.push({ a, b });
      a += 1;
      b += 1;
    } else if (sumAt(a + 1, b) >= sumAt(a, b + 1)) a += 1;
    else b += 1;
  }
  return places;
}

export interface WordList {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

const WORD = wordPattern();

export function wordListOf(text: string): WordList {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of text.matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total += 1;
  }
  return { counts, total };
}

/** The share of words that two texts have in common, from 0 to 1. */
function sharedWords(one: WordList, other: WordList): number {
  if (one.total + other.total === 0) return 1;
  let shared = 0;
  for (const [word, count] of one.counts) shared += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * shared) / (one.total + other.total);
}

/** Two items of one kind with a smaller share count as unrelated rather than changed. */
const LIKE = 0.3;

/** Matches whatever they contain; their contents are compared later. */
const LOOKED_INTO = new Set(
  'ul ol table thead tbody tr td th blockquote pre div details section heading callout'.split(' '),
);

export interface Comparable {
  /** Name of the element. */
  readonly kind: string;
  readonly words: WordList;
}

/** Similarity of two blocks: 0 if unrelated, higher if more similar. */
export function similarity(one: Comparable, other: Comparable): number {
  if (one.kind !== other.kind) return 0;
  const shared = sharedWords(one.words, other.words);
  if (LOOKED_INTO.has(one.kind)) return 0.01 + shared;
  return shared >= LIKE ? shared : 0;
}
