import { foldPath, nameOf } from './paths';

/**
 * Paths near to one that does not exist, nearest first, at most `limit`; for sentences like
 * "Close matches: …".
 *
 * Names are compared, since a wrong folder is the commoner mistake and its note is wanted all the
 * same; whole paths only decide between equals. What takes too many letters to change is left
 * out, unless one name begins with the other. Same input, same order.
 */
export function closeMatches(asked: string, paths: Iterable<string>, limit = 5): string[] {
  const name = comparable(nameOf(asked));
  if (name === '') return [];
  const bound = Math.max(1, Math.min(4, Math.floor(name.length / 3)));
  const near: { path: string; distance: number }[] = [];
  for (const path of paths) {
    const candidate = comparable(nameOf(path));
    const distance = editDistance(name, candidate, bound);
    if (distance <= bound) near.push({ path, distance });
    else if (isBeginning(name, candidate)) near.push({ path, distance: bound + 1 });
  }
  // Whole paths are long to compare: only where the names leave a choice, and not without end.
  const shortlist = near.sort((a, b) => a.distance - b.distance || order(a, b)).slice(0, 200);
  const whole = comparable(asked);
  return shortlist
    .map((entry) => ({ ...entry, far: editDistance(whole, comparable(entry.path), 60) }))
    .sort((a, b) => a.distance - b.distance || a.far - b.far || order(a, b))
    .slice(0, limit)
    .map(({ path }) => path);
}

function comparable(text: string): string {
  const folded = foldPath(text);
  return folded.endsWith('.md') ? folded.slice(0, -3) : folded;
}

function isBeginning(name: string, candidate: string): boolean {
  if (Math.min(name.length, candidate.length) < 3) return false;
  return candidate.startsWith(name) || name.startsWith(candidate);
}

function order(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/**
 * Letters to insert, remove, replace or swap with their neighbour; above `bound`, `bound + 1`.
 * Only the band along the diagonal that can stay within the bound is computed, in rows that are
 * used again: a miss in a large vault compares 20,000 names between two frames.
 */
export function editDistance(a: string, b: string, bound: number): number {
  const tooFar = bound + 1;
  if (Math.abs(a.length - b.length) > bound) return tooFar;
  if (rows[0].length <= b.length + 1) {
    for (const place of [0, 1, 2] as const) rows[place] = new Uint16Array(2 * b.length + 2);
  }
  let [before, previous, current] = rows;
  for (let column = 0; column <= b.length; column++) previous[column] = Math.min(column, tooFar);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - bound);
    const to = Math.min(b.length, row + bound);
    const letter = a.charCodeAt(row - 1);
    // What lies just outside the band is read by this row and the next.
    current[from - 1] = from === 1 ? Math.min(row, tooFar) : tooFar;
    let least = current[from - 1]!;
    for (let column = from; column <= to; column++) {
      const other = b.charCodeAt(column - 1);
      let cost = previous[column - 1]! + (letter === other ? 0 : 1);
      cost = Math.min(cost, previous[column]! + 1, current[column - 1]! + 1);
      const swapped =
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(column - 2) &&
        other === a.charCodeAt(row - 2);
      if (swapped) cost = Math.min(cost, before[column - 2]! + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (to < b.length) current[to + 1] = tooFar;
    if (least > bound) return tooFar;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length]!, tooFar);
}

const rows: [Uint16Array, Uint16Array, Uint16Array] = [
  new Uint16Array(512),
  new Uint16Array(512),
  new Uint16Array(512),
];
