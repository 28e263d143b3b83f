/** Positions that can be come to from the entries, over positions that pass the test. */
export function reach(
  entries: Iterable<number>,
  follow: readonly Set<number>[],
  passes: (place: number) => boolean,
): Set<number> {
  const reached = new Set<number>();
  const open = [...entries];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached.has(place) || !passes(place)) continue;
    reached.add(place);
    open.push(...follow[place]!);
  }
  return reached;
}

/** Sets of positions that lead round to each other (strongly connected, with a way round). */
export function components(follow: readonly Set<number>[]): number[][] {
  const order: number[] = [];
  const seen = new Set<number>();
  const backward: number[][] = follow.map(() => []);
  follow.forEach((targets, place) => targets.forEach((target) => backward[target]!.push(place)));
  for (let start = 0; start < follow.length; start++) {
    if (seen.has(start)) continue;
    seen.add(start);
    const path = [{ place: start, rest: follow[start]!.values() }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done) {
        order.push(top.place);
        path.pop();
      } else if (!seen.has(next.value)) {
        seen.add(next.value);
        path.push({ place: next.value, rest: follow[next.value]!.values() });
      }
    }
  }
  const found: number[][] = [];
  const placed = new Set<number>();
  for (const start of order.reverse()) {
    if (placed.has(start)) continue;
    const component: number[] = [];
    const open = [start];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (placed.has(place)) continue;
      placed.add(place);
      component.push(place);
      open.push(...backward[place]!);
    }
    if (component.length > 1 || follow[start]!.has(start))
      found.push(component.sort((a, b) => a - b));
  }
  return found;
}
