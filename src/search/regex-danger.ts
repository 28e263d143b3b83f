import { CharacterSets } from './character-sets';
import type { RegexNode, RepeatNode } from './regex-syntax';

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
const mostCopies = 8;
export const mostPositions = 600;

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
    return !this.isTooLarge && this.automaton.masks.length <= mostPositions;
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
    if (max > mostCopies && !fixedSet) return this.loop(node);
    let whole = empty();
    const from = this.automaton.masks.length;
    const copies = Math.min(max, mostCopies);
    for (let copy = 0; copy < copies; copy++) {
      if (this.automaton.masks.length > mostPositions) return whole;
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

/** Worst-case running time of JavaScript's engine: about `length ** degree * 2 ** bits` steps. */
export interface RegexCost {
  /** Exponent of the text's length. */
  degree: number;
  /** Exponent of two. */
  bits: number;
}

export type RegexDanger = { ok: true; cost: RegexCost } | { ok: false; reason: string };

const highestDegree = 6;
const mostBits = 20;
const mostLoops = 40;
const mostLoopPositions = 250;

/**
 * Estimates the worst-case cost of a pattern, or says why it is too dangerous. JavaScript's engine
 * backtracks, so its time is the number of ways in which the pattern can match a text. That number
 * is exponential exactly if some repetition can match the same text in two ways (Weideman et al.,
 * "Analyzing matching time behavior of backtracking regular expression matchers"). It is polynomial
 * if several repetitions in a row can match the same text; the search for a start counts as one.
 */
export function regexDanger(tree: RegexNode, sets: CharacterSets, multiline = false): RegexDanger {
  const automaton = positionAutomaton(tree, sets);
  if (!automaton)
    return { ok: false, reason: `it is too large (over ${mostPositions} characters)` };
  if (automaton.loops.length > mostLoops) {
    return { ok: false, reason: `it has more than ${mostLoops} repetitions` };
  }
  const parts = [automaton, ...inside(automaton)];
  for (const part of parts) {
    const danger = exponential(part);
    if (danger) return { ok: false, reason: danger };
  }
  // A lookaround runs at every position of the pattern around it, so costs multiply.
  const costs = parts.map((part) => polynomial(part, part === automaton, multiline));
  const degree = costs.reduce((sum, cost) => sum + cost.degree, 0);
  const bits = costs.reduce((sum, cost) => sum + cost.bits, 0);
  if (degree > highestDegree) {
    return { ok: false, reason: 'it has too many repetitions that can match the same text' };
  }
  if (bits > mostBits) {
    return { ok: false, reason: 'it has too many optional parts that can match the same text' };
  }
  return { ok: true, cost: { degree, bits } };
}

function inside(automaton: PositionAutomaton): PositionAutomaton[] {
  return automaton.lookarounds.flatMap((look) => [look, ...inside(look)]);
}

function exponential(automaton: PositionAutomaton): string | undefined {
  const { doubled, loops } = automaton;
  if (doubled) return twoWays(doubled.source);
  for (const component of components(automaton.follow)) {
    if (component.length > mostLoopPositions) return 'a repetition in it is too large';
    if (!ambiguous(component, automaton)) continue;
    const around = loops
      .filter((loop) => component.every((place) => place >= loop.from && place < loop.to))
      .reduce<Loop | undefined>((least, loop) => {
        return least && least.to - least.from <= loop.to - loop.from ? least : loop;
      }, undefined);
    return twoWays(around?.node.source ?? '');
  }
  return undefined;
}

function twoWays(source: string): string {
  return `the repetition \`${source}\` can match the same text in many ways`;
}

/**
 * Whether two different paths lead from a position back to itself on the same text. This is the
 * case if, in the graph of pairs of positions that can read the same character, an equal pair and
 * an unequal pair are on one cycle.
 */
function ambiguous(component: readonly number[], automaton: PositionAutomaton): boolean {
  const { masks, follow } = automaton;
  const member = new Set(component);
  const size = masks.length;
  const alike = (a: number, b: number): boolean => (masks[a]! & masks[b]!) !== 0n;
  const backward = new Map<number, number[]>();
  // Only pairs reachable from an equal pair matter.
  const open = component.map((place) => place * size + place);
  const seen = new Set(open);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    for (const a of follow[Math.floor(pair / size)]!) {
      if (!member.has(a)) continue;
      for (const b of follow[pair % size]!) {
        if (!member.has(b) || !alike(a, b)) continue;
        const target = a * size + b;
        if (!backward.has(target)) backward.set(target, []);
        backward.get(target)!.push(pair);
        if (!seen.has(target)) {
          seen.add(target);
          open.push(target);
        }
      }
    }
  }
  // All equal pairs are in one component, so any unequal pair that leads back to an equal one
  // closes a cycle.
  const back = component.map((place) => place * size + place);
  const leadsBack = new Set(back);
  for (let pair = back.pop(); pair !== undefined; pair = back.pop()) {
    for (const source of backward.get(pair) ?? []) {
      if (leadsBack.has(source)) continue;
      if (Math.floor(source / size) !== source % size) return true;
      leadsBack.add(source);
      back.push(source);
    }
  }
  return false;
}

/**
 * Whether there is a cycle without a certain position. At a certain position the engine stops with
 * a match instead of backtracking.
 */
function hasCircle(
  positions: readonly number[],
  certain: ReadonlySet<number>,
  follow: readonly Set<number>[],
): boolean {
  const rest = new Set(positions.filter((place) => !certain.has(place)));
  return [...rest].some((place) =>
    reachablePositions(follow[place]!, follow, (p) => rest.has(p)).has(place),
  );
}

/**
 * Sums up the optional parts whose first character can also begin what follows, so that the engine
 * may try both.
 */
function optionBits({ options, masks, follow, branchBits }: PositionAutomaton): number {
  return options.reduce((bits, { ways, first, last, from, to }) => {
    const behind = [...last].flatMap((place) => [...follow[place]!]);
    const isOpen = behind.some((next) => {
      if (next >= from && next < to) return false;
      return [...first].some((place) => (masks[place]! & masks[next]!) !== 0n);
    });
    return isOpen ? bits + Math.log2(ways) : bits;
  }, branchBits);
}

interface Stage {
  positions: readonly number[];
  mask: bigint;
  /** Maximum number of rounds; `Infinity` for an unbounded repetition. */
  bound: number;
}

/**
 * Returns the cost of repetitions in a row that can divide the same text among them in different
 * ways.
 */
function polynomial(
  automaton: PositionAutomaton,
  searched: boolean,
  multiline: boolean,
): RegexCost {
  const { masks, follow, first, loops } = automaton;
  const stages: Stage[] = components(automaton.follow).map((positions) => {
    const around = loops.filter((loop) => positions.every((p) => p >= loop.from && p < loop.to));
    const bound = around.reduce((product, loop) => product * loop.node.max, 1);
    return { positions, mask: positions.reduce((all, p) => all | masks[p]!, 0n), bound };
  });
  // Inside a lookaround no match is certain, because the pattern around it may fail and run it
  // again.
  const certain = searched ? automaton.certain : new Set<number>();
  const risky = stages.filter((stage) => hasCircle(stage.positions, certain, follow));

  /** Returns the stages that can match part of what `mask` reads, if entered at `entries`. */
  const takers = (mask: bigint, entries: readonly number[], self?: Stage): Stage[] =>
    risky.filter((stage) => {
      const shared = stage.mask & mask;
      if (stage === self || shared === 0n) return false;
      const reached = reachablePositions(
        entries,
        follow,
        (place) => (masks[place]! & shared) !== 0n,
      );
      return stage.positions.some((place) => reached.has(place));
    });
  const worst = new Map<Stage, RegexCost>();
  const from = (stage: Stage): RegexCost => {
    const known = worst.get(stage);
    if (known) return known;
    worst.set(stage, none);
    const own = new Set(stage.positions);
    const exits = stage.positions
      .flatMap((place) => [...follow[place]!])
      .filter((p) => !own.has(p));
    const direct = takers(stage.mask, exits, stage).map((next) => {
      return add(from(next), stepOf(Math.min(stage.bound, next.bound)));
    });
    // The next pair of repetitions may begin anywhere later.
    const later = reachablePositions(exits, follow, () => true);
    const behind = risky
      .filter((next) => next !== stage && next.positions.some((place) => later.has(place)))
      .map(from);
    const result = [...direct, ...behind].reduce(larger, none);
    worst.set(stage, result);
    return result;
  };

  const chains = risky.map(from);
  // A pattern that begins with `^` has one start in a line, but many in a text with several lines.
  const isSearch = searched && (multiline || !automaton.startsWithEdge);
  if (isSearch) {
    const everything = masks.reduce((all, mask) => all | mask, 0n);
    for (const stage of takers(everything, [...first])) {
      chains.push(add(from(stage), stepOf(stage.bound)));
    }
  }
  const ways = chains.reduce(larger, none);
  // A backreference compares text that was counted when it was captured, unless backtracking tries
  // it repeatedly.
  const again = automaton.hasBackreference && ways.degree > 1 ? 1 : 0;
  const base = searched || stages.length > 0 ? 1 : 0;
  return { degree: ways.degree + base + again, bits: ways.bits + optionBits(automaton) };
}

const none: RegexCost = { degree: 0, bits: 0 };

function stepOf(bound: number): RegexCost {
  return bound === Infinity ? { degree: 1, bits: 0 } : { degree: 0, bits: Math.log2(bound) };
}

function add(a: RegexCost, b: RegexCost): RegexCost {
  return { degree: a.degree + b.degree, bits: a.bits + b.bits };
}

function larger(a: RegexCost, b: RegexCost): RegexCost {
  return b.degree > a.degree || (b.degree === a.degree && b.bits > a.bits) ? b : a;
}
