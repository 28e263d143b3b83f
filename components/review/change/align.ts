/** Which things of two lists belong together. */

/** One thing of either list, or one of each that belong together. */
export type Pair<Thing> =
  | { readonly before: Thing; readonly after: Thing }
  | { readonly before: Thing; readonly after: null }
  | { readonly before: null; readonly after: Thing };

export interface Likeness<Thing> {
  /** Things of the same key are the same. */
  key(thing: Thing): string;
  /** How like they are, from 0 (not at all) to 1. */
  like(before: Thing, after: Thing): number;
}

/** Tables of more cells than these are not filled in: time and room grow with both lists. */
const CELLS = 1_000_000;
/** Whether two are like takes longer to find out than whether they are the same. */
const LIKE_CELLS = 10_000;

/** In the order of both lists; where one was replaced by another, the old one comes first. */
export function align<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  { key, like }: Likeness<Thing>,
): Pair<Thing>[] {
  return between(before, after, anchors(before.map(key), after.map(key)), (olds, news) => {
    const range = { a: 0, aEnd: olds.length, b: 0, bEnd: news.length };
    const worth = (a: number, b: number) => like(olds[a] as Thing, news[b] as Thing);
    const places = fits(range, LIKE_CELLS) ? best(range, worth) : [];
    return between(olds, news, places, (gone, come) => [
      ...gone.map((thing) => ({ before: thing, after: null })),
      ...come.map((thing) => ({ before: null, after: thing })),
    ]);
  });
}

interface Place {
  readonly a: number;
  readonly b: number;
}

interface Range extends Place {
  readonly aEnd: number;
  readonly bEnd: number;
}

/** The pairs at these places, and what `rest` makes of the stretches between them. */
function between<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  places: readonly Place[],
  rest: (before: readonly Thing[], after: readonly Thing[]) => Pair<Thing>[],
): Pair<Thing>[] {
  const pairs: Pair<Thing>[] = [];
  let [a, b] = [0, 0];
  for (const place of places) {
    pairs.push(...rest(before.slice(a, place.a), after.slice(b, place.b)));
    pairs.push({ before: before[place.a] as Thing, after: after[place.b] as Thing });
    [a, b] = [place.a + 1, place.b + 1];
  }
  pairs.push(...rest(before.slice(a), after.slice(b)));
  return pairs;
}

/** Things that are the same, as many as can be in one order. */
function anchors(before: readonly string[], after: readonly string[]): Place[] {
  const same = (a: number, b: number) => (before[a] === after[b] ? 1 : 0);
  let from = 0;
  while (from < before.length && from < after.length && same(from, from)) from += 1;
  let [aEnd, bEnd] = [before.length, after.length];
  while (aEnd > from && bEnd > from && same(aEnd - 1, bEnd - 1)) {
    aEnd -= 1;
    bEnd -= 1;
  }
  const head = Array.from({ length: from }, (_, at) => ({ a: at, b: at }));
  const tail = Array.from({ length: before.length - aEnd }, (_, at) => ({
    a: aEnd + at,
    b: bEnd + at,
  }));
  const range = { a: from, aEnd, b: from, bEnd };
  const inner = fits(range, CELLS) ? best(range, same) : singles(before, after, range);
  return [...head, ...inner, ...tail];
}

function fits({ a, aEnd, b, bEnd }: Range, cells: number): boolean {
  return (aEnd - a) * (bEnd - b) <= cells;
}

/** The pairs of one order whose worth is the greatest together. */
function best({ a, aEnd, b, bEnd }: Range, worth: (a: number, b: number) => number): Place[] {
  const [rows, columns] = [aEnd - a, bEnd - b];
  const width = columns + 1;
  const sums = new Float64Array((rows + 1) * width);
  const at = (row: number, column: number) => sums[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const both = worth(a + row, b + column);
      const joined = both > 0 ? both + at(row + 1, column + 1) : 0;
      sums[row * width + column] = Math.max(joined, at(row + 1, column), at(row, column + 1));
    }
  }
  const places: Place[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const both = worth(a + row, b + column);
    if (both > 0 && at(row, column) === both + at(row + 1, column + 1)) {
      places.push({ a: a + row, b: b + column });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return places;
}

/** For long lists: what occurs once in each, as far as it comes in one order. */
function singles(before: readonly string[], after: readonly string[], range: Range): Place[] {
  const places = new Map<string, { a: number[]; b: number[] }>();
  const placeOf = (key: string) => {
    const known = places.get(key) ?? { a: [], b: [] };
    places.set(key, known);
    return known;
  };
  for (let a = range.a; a < range.aEnd; a += 1) placeOf(before[a] ?? '').a.push(a);
  for (let b = range.b; b < range.bEnd; b += 1) placeOf(after[b] ?? '').b.push(b);
  const found: Place[] = [];
  for (const { a, b } of places.values()) {
    const [old, young] = [a[0], b[0]];
    if (a.length !== 1 || b.length !== 1 || old === undefined || young === undefined) continue;
    if (young > (found.at(-1)?.b ?? -1)) found.push({ a: old, b: young });
  }
  return found;
}
