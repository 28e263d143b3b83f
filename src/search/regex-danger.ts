import {
  mostPositions,
  positionAutomaton,
  type Loop,
  type PositionAutomaton,
} from './position-automaton';
import type { CharacterSets } from './character-sets';
import { components, reach } from './graphs';
import type { RegexNode } from './regex-syntax';

/** How long JavaScript's engine can take at worst. */
export interface RegexCost {
  /** Steps grow with this power of the length of the text. */
  degree: number;
  /** … times two to this. */
  bits: number;
}

export type RegexDanger = { ok: true; cost: RegexCost } | { ok: false; reason: string };

const highestDegree = 6;
const mostBits = 20;
const mostLoops = 40;
const mostLoopPositions = 250;

/**
 * JavaScript's engine tries one way after another, so its time is the number of ways in which a
 * text can be read by the pattern. Exponentially many are there exactly if some repetition can go
 * round on one text in two ways (Weideman et al., "Analyzing matching time behavior of
 * backtracking regular expression matchers"), and a power of the length if several can take the
 * same text one after another, which includes the search for a beginning.
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
  // A lookaround is run at each step of what is around it.
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
 * Whether two different ways lead round from one position on the same text: in the graph of pairs
 * of positions that read alike, a pair of equals and a pair of unequals lie on one circle.
 */
function ambiguous(component: readonly number[], automaton: PositionAutomaton): boolean {
  const { masks, follow } = automaton;
  const member = new Set(component);
  const size = masks.length;
  const alike = (a: number, b: number): boolean => (masks[a]! & masks[b]!) !== 0n;
  const backward = new Map<number, number[]>();
  // Only pairs that two equals lead to matter.
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
  // All equals lie on one circle (the component is one), so any unequal pair that leads back to
  // equals closes a circle through them.
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
 * Whether one can go round without passing a position after which a match is certain: the engine
 * would stop there rather than go back.
 */
function hasCircle(
  positions: readonly number[],
  certain: ReadonlySet<number>,
  follow: readonly Set<number>[],
): boolean {
  const rest = new Set(positions.filter((place) => !certain.has(place)));
  return [...rest].some((place) => reach(follow[place]!, follow, (p) => rest.has(p)).has(place));
}

/** Optional parts that can't be told by their first character from what comes after them. */
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
  /** How often a repetition with an upper bound goes round. */
  bound: number;
}

/** How many repetitions can shift the border between them over one text, in a row at most. */
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
  // Within a lookaround nothing is certain: what is around it may fail and run it again.
  const certain = searched ? automaton.certain : new Set<number>();
  const risky = stages.filter((stage) => hasCircle(stage.positions, certain, follow));

  /** The stages that can take over part of what `mask` reads, entered by `entries`. */
  const takers = (mask: bigint, entries: readonly number[], self?: Stage): Stage[] =>
    risky.filter((stage) => {
      const shared = stage.mask & mask;
      if (stage === self || shared === 0n) return false;
      const reached = reach(entries, follow, (place) => (masks[place]! & shared) !== 0n);
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
    // The next pair may begin anywhere further on.
    const later = reach(exits, follow, () => true);
    const behind = risky
      .filter((next) => next !== stage && next.positions.some((place) => later.has(place)))
      .map(from);
    const result = [...direct, ...behind].reduce(larger, none);
    worst.set(stage, result);
    return result;
  };

  const chains = risky.map(from);
  // A line has one beginning, a text of many lines has many.
  const isSearch = searched && (multiline || !automaton.startsWithEdge);
  if (isSearch) {
    const everything = masks.reduce((all, mask) => all | mask, 0n);
    for (const stage of takers(everything, [...first])) {
      chains.push(add(from(stage), stepOf(stage.bound)));
    }
  }
  const ways = chains.reduce(larger, none);
  // What a backreference repeats was paid for when it was read, unless it is tried again and again.
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
