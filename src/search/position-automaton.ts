import { CharacterSets } from './character-sets';
import type { RegexNode, RepeatNode } from './regex-syntax';

/**
 * A pattern as positions (the places where it reads a character) and which may follow which
 * (Glushkov's automaton): the form in which ambiguity can be computed.
 */
export interface PositionAutomaton {
  /** What each position reads, as a mask of sample characters. */
  masks: bigint[];
  follow: Set<number>[];
  first: Set<number>;
  /** Positions after which a match is certain, nothing more being asked. */
  certain: Set<number>;
  loops: Loop[];
  /** A repetition that can go round in two ways on the same text whatever the letters. */
  doubled?: RepeatNode;
  options: Option[];
  /** How many ways, as a power of two, alternatives outside of loops can share a text. */
  branchBits: number;
  lookarounds: PositionAutomaton[];
  hasBackreference: boolean;
  startsWithEdge: boolean;
}

export interface Loop {
  node: RepeatNode;
  /** Its positions: from, and up to but not including. */
  from: number;
  to: number;
}

/** A part that may or may not be taken: optional, repeated a few times, or one of several. */
export interface Option {
  /** In how many ways. */
  ways: number;
  first: ReadonlySet<number>;
  last: ReadonlySet<number>;
  from: number;
  to: number;
}

interface Part {
  /** Can be passed without reading. */
  nullable: boolean;
  /** Can be passed without reading or asking. */
  free: boolean;
  first: Set<number>;
  last: Set<number>;
  certain: Set<number>;
}

/** Repetitions up to this often are written out; longer ones are taken for endless. */
const mostCopies = 8;
export const mostPositions = 600;

/** Undefined for a pattern of too many positions. */
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
  /** The endless repetitions around what is being written. */
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
        // What it repeats changes from round to round, so nothing can be said of its length. Alone
        // (`(\w)\1+`) it stays the same.
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
        // Two ways to read nothing leave no trace in the positions, and yet both are tried.
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

  /** A way round that is there already can be gone in two ways: within, or by starting again. */
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
