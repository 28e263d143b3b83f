import { nameOf } from './paths.ts';

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
  return text.toLowerCase().normalize('NFC').replace(/\.md$/, '');
}

function isBeginning(name: string, candidate: string): boolean {
  if (Math.min(name.length, candidate.length) < 3) return false;
  return candidate.startsWith(name) || name.startsWith(candidate);
}

function order(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/**
 * Letters to insert, remove, replace or swap with their neighbour; above `bound` any larger
 * number. Only the band along the diagonal that can stay within the bound is computed, which is
 * what makes 20,000 names cheap.
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(bound + 1);
    const from = Math.max(1, row - bound);
    const to = Math.min(b.length, row + bound);
    if (row <= bound) current[0] = row;
    let least = current[0]!;
    for (let column = from; column <= to; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        previous[column - 1]! + (same ? 0 : 1),
        previous[column]! + 1,
        current[column - 1]! + 1,
      );
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, before[column - 2]! + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > bound) return bound + 1;
    before = previous;
    previous = current;
  }
  return Math.min(previous[b.length]!, bound + 1);
}
