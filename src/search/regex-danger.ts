/** Estimates how long JavaScript's engine may need for a pattern. */
import type { CharacterSets, RegexNode } from './regex-syntax';
import {
  components,
  MAX_POSITIONS,
  positionAutomaton,
  reachablePositions,
  type Loop,
  type PositionAutomaton,
} from './regex-automaton';

/** Worst-case running time of JavaScript's engine: about `length ** degree * 2 ** bits` steps. */
export interface RegexCost {
  /** Exponent of the text's length. */
  degree: number;
  /** Exponent of two. */
  bits: number;
}

export type RegexDanger = { ok: true; cost: RegexCost } | { ok: false; reason: string };

const MAX_DEGREE = 6;
const MAX_BITS = 20;
const MAX_LOOPS = 40;
const MAX_LOOP_POSITIONS = 250;

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
    return { ok: false, reason: `it is too large (over ${MAX_POSITIONS} characters)` };
  if (automaton.loops.length > MAX_LOOPS) {
    return { ok: false, reason: `it has more than ${MAX_LOOPS} repetitions` };
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
  if (degree > MAX_DEGREE) {
    return { ok: false, reason: 'it has too many repetitions that can match the same text' };
  }
  if (bits > MAX_BITS) {
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
    if (component.length > MAX_LOOP_POSITIONS) return 'a repetition in it is too large';
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
