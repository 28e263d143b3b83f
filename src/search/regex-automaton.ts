/** Turns a pattern into an automaton of positions, and follows the paths through it. */
import type { CharacterSets, RegexNode, RepeatNode } from './regex-syntax';

/** Returns the positions reachable from the entries through positions that pass the test. */
export function reachablePositions(
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

/** Returns the strongly connected components with at least one cycle. */
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

/**
 * A pattern as a Glushkov automaton, in which ambiguity can be computed. Its positions are the
 * places where the pattern reads a character, and `follow` says which position may follow which.
 */
export interface PositionAutomaton {
  /** The characters each position reads, as a mask of sample characters. */
  masks: bigint[];
  follow: Set<number>[];
  first: Set<number>;
  /** Positions after which a match is certain, because nothing else is required. */
  certain: Set<number>;
  loops: Loop[];
  /** A repetition that can match the same text in two ways, whatever the characters are. */
  doubled?: RepeatNode;
  options: Option[];
  /** Base-2 logarithm of the number of ways in which alternatives can match the same text. */
  branchBits: number;
  lookarounds: PositionAutomaton[];
  hasBackreference: boolean;
  startsWithEdge: boolean;
}

export interface Loop {
  node: RepeatNode;
  /** Range of its positions: start (inclusive) and end (exclusive). */
  from: number;
  to: number;
}

/** A part that may be skipped or repeated a limited number of times. */
export interface Option {
  /** Number of ways to match it. */
  ways: number;
  first: ReadonlySet<number>;
  last: ReadonlySet<number>;
  from: number;
  to: number;
}

interface Part {
  /** Can be passed without reading a character. */
  nullable: boolean;
  /** Can be passed without reading a character or checking an assertion. */
  free: boolean;
  first: Set<number>;
  last: Set<number>;
  certain: Set<number>;
}

/** Repetitions up to this count are expanded; longer ones are treated as endless. */
const MAX_COPIES = 8;
export const MAX_POSITIONS = 600;

/** Returns undefined if the pattern has too many positions. */
export function positionAutomaton(
  tree: RegexNode,
  sets: CharacterSets,
): PositionAutomaton | undefined {
  const writer = new AutomatonWriter(sets);
  const whole = writer.write(tree);
  if (!writer.fits) return undefined;
  const { automaton } = writer;
  const { first, certain } = whole;
  return { ...automaton, first, certain, startsWithEdge: anchored(tree) };
}

function anchored(tree: RegexNode): boolean {
  if (tree.kind === 'edge') return tree.source === '^';
  if (tree.kind === 'sequence') return tree.items[0] !== undefined && anchored(tree.items[0]);
  return tree.kind === 'choice' && tree.branches.every(anchored);
}

class AutomatonWriter {
  readonly automaton: PositionAutomaton = {
    masks: [],
    follow: [],
    first: new Set(),
    certain: new Set(),
    loops: [],
    options: [],
    branchBits: 0,
    lookarounds: [],
    hasBackreference: false,
    startsWithEdge: false,
  };

  private isTooLarge = false;
  /** The endless repetitions around the current node. */
  private readonly within: RepeatNode[] = [];

  constructor(private readonly sets: CharacterSets) {}

  get fits(): boolean {
    return !this.isTooLarge && this.automaton.masks.length <= MAX_POSITIONS;
  }

  write(node: RegexNode): Part {
    switch (node.kind) {
      case 'set':
        return this.position(this.sets.mask(node.source));
      case 'same':
        this.automaton.hasBackreference = true;
        // Inside a larger loop, the captured text changes between rounds, so its length is unknown.
        // If only the backreference is repeated, as in `(\w)\1+`, it stays the same.
        if (this.within.some((loop) => loop.body !== node))
          this.automaton.doubled ??= this.within[0];
        return this.position(this.sets.everything);
      case 'edge':
        return { ...empty(), free: false };
      case 'look': {
        const inner = positionAutomaton(node.body, this.sets);
        if (inner) this.automaton.lookarounds.push(inner);
        else this.isTooLarge = true;
        return { ...empty(), free: false };
      }
      case 'sequence':
        return node.items.reduce<Part>((before, item) => {
          return this.join(before, this.write(item));
        }, empty());
      case 'choice': {
        const branches = node.branches.map((branch) => this.write(branch));
        const overlapping = branches.filter((branch, place) =>
          branches.some((other, at) => at !== place && this.meet(branch.first, other.first)),
        );
        const skippable = branches.filter((branch) => branch.nullable).length;
        // Two ways to match the empty string add no positions, but the engine tries both.
        if (skippable > 1) this.automaton.doubled ??= this.within.at(-1);
        const ways = Math.max(1, overlapping.length) * Math.max(1, skippable);
        this.automaton.branchBits += Math.log2(ways);
        return branches.reduce(either);
      }
      case 'repeat':
        return this.repeat(node);
    }
  }

  private position(mask: bigint): Part {
    const place = this.automaton.masks.push(mask) - 1;
    this.automaton.follow.push(new Set());
    const self = new Set([place]);
    return { nullable: false, free: false, first: self, last: self, certain: self };
  }

  private repeat(node: RepeatNode): Part {
    const { body, min, max } = node;
    if (max === 0) return empty();
    const fixedSet = body.kind === 'set' && min === max;
    if (max > MAX_COPIES && !fixedSet) return this.loop(node);
    let whole = empty();
    const from = this.automaton.masks.length;
    const copies = Math.min(max, MAX_COPIES);
    for (let copy = 0; copy < copies; copy++) {
      if (this.automaton.masks.length > MAX_POSITIONS) return whole;
      const part = this.write(body);
      if (copy >= min) {
        part.nullable = true;
        part.free = true;
      }
      whole = this.join(whole, part);
    }
    if (min < max) {
      const { first, last } = whole;
      const to = this.automaton.masks.length;
      this.automaton.options.push({ ways: max - min + 1, first, last, from, to });
    }
    return whole;
  }

  private loop(node: RepeatNode): Part {
    const from = this.automaton.masks.length;
    this.within.push(node);
    const part = this.write(node.body);
    this.within.pop();
    for (const last of part.last) {
      for (const first of part.first) this.connect(last, first, node);
    }
    this.automaton.loops.push({ node, from, to: this.automaton.masks.length });
    return node.min === 0 ? { ...part, nullable: true, free: true } : part;
  }

  private join(before: Part, after: Part): Part {
    for (const last of before.last) {
      for (const first of after.first) this.automaton.follow[last]!.add(first);
    }
    return {
      nullable: before.nullable && after.nullable,
      free: before.free && after.free,
      first: before.nullable ? union(before.first, after.first) : before.first,
      last: after.nullable ? union(before.last, after.last) : after.last,
      certain: after.free ? union(before.certain, after.certain) : after.certain,
    };
  }

  /** If the connection exists already, the loop can go around in two ways. */
  private connect(last: number, first: number, node: RepeatNode): void {
    const follow = this.automaton.follow[last]!;
    if (follow.has(first)) this.automaton.doubled ??= node;
    follow.add(first);
  }

  private meet(some: Set<number>, others: Set<number>): boolean {
    const { masks } = this.automaton;
    return [...some].some((a) => [...others].some((b) => (masks[a]! & masks[b]!) !== 0n));
  }
}

function empty(): Part {
  return { nullable: true, free: true, first: new Set(), last: new Set(), certain: new Set() };
}

function either(a: Part, b: Part): Part {
  return {
    nullable: a.nullable || b.nullable,
    free: a.free || b.free,
    first: union(a.first, b.first),
    last: union(a.last, b.last),
    certain: union(a.certain, b.certain),
  };
}

function union(a: Set<number>, b: Set<number>): Set<number> {
  return new Set([...a, ...b]);
}
