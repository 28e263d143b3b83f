import { CharacterSets, type RegexNode } from './regex-syntax';

export interface Span {
  from: number;
  to: number;
}

/**
 * Matches a regular expression in time proportional to the text's length times the pattern's size.
 * It follows all alternatives in parallel without backtracking (Thompson's and Pike's method), and
 * finds what JavaScript's engine finds. It is slower in ordinary cases and used only where the
 * engine could take too long. Lookarounds and backreferences are not supported: `linearMatcher`
 * returns undefined.
 */
export class LinearMatcher {
  /** Number of steps taken, for tests of the running time. */
  steps = 0;
  /** Counts on from match to match, because many short searches take as long as one. */
  private pauseAt = STEPS_PER_SLICE;
  private readonly characters: CharacterTest[];
  private readonly word: CharacterTest;
  /** The position at which each instruction was last reached, so that none is followed twice. */
  private readonly reachedAt: Int32Array;

  constructor(
    private readonly program: readonly Instruction[],
    sets: CharacterSets,
    private readonly unicode: boolean,
  ) {
    const tests = new Map<string, CharacterTest>();
    this.characters = program.map((step) => {
      const source = step.do === 'character' ? step.source : '';
      const test = tests.get(source) ?? characterTest(source, sets);
      tests.set(source, test);
      return test;
    });
    this.word = characterTest('\\w', sets);
    this.reachedAt = new Int32Array(program.length);
  }

  /**
   * Returns the first match at or after `from`. Yields from time to time to let other tasks run.
   */
  *find(text: string, from: number): Generator<void, Span | undefined> {
    let threads: number[] = [];
    let next: number[] = [];
    let found: Span | undefined;
    this.reachedAt.fill(-1);
    // Threads are pairs of an instruction and the start of its match. Earlier starts have priority.
    for (let at = from; at <= text.length;) {
      if (!found) this.follow(0, at, at, text, threads);
      if (threads.length === 0) {
        if (found) return found;
      }
      const code = at < text.length ? this.codeAt(text, at) : -1;
      const after = at + (code > 0xffff ? 2 : 1);
      this.steps += 1 + threads.length;
      for (let place = 0; place < threads.length; place += 2) {
        const pc = threads[place]!;
        const began = threads[place + 1]!;
        if (this.program[pc]!.do === 'match') {
          found = { from: began, to: at };
          break;
        }
        if (code >= 0 && this.characters[pc]!(code)) this.follow(pc + 1, began, after, text, next);
      }
      [threads, next] = [next, threads];
      next.length = 0;
      if (found && threads.length === 0) return found;
      at = after;
      if (this.steps > this.pauseAt) {
        this.pauseAt = this.steps + STEPS_PER_SLICE;
        yield;
      }
    }
    return found;
  }

  /** Adds all instructions reachable without reading a character, in order of preference. */
  private follow(pc: number, began: number, at: number, text: string, into: number[]): void {
    if (this.reachedAt[pc] === at) return;
    this.reachedAt[pc] = at;
    this.steps++;
    const step = this.program[pc]!;
    switch (step.do) {
      case 'try':
        for (const target of step.targets) this.follow(target, began, at, text, into);
        return;
      case 'edge':
        if (this.holds(step.source, at, text)) this.follow(pc + 1, began, at, text, into);
        return;
      default:
        into.push(pc, began);
    }
  }

  private holds(edge: string, at: number, text: string): boolean {
    if (edge === '^') return at === 0 || isLineBreak(text.charCodeAt(at - 1));
    if (edge === '$') return at === text.length || isLineBreak(text.charCodeAt(at));
    const before = at > 0 && this.word(text.charCodeAt(at - 1));
    const behind = at < text.length && this.word(text.charCodeAt(at));
    return (before !== behind) === (edge === '\\b');
  }

  private codeAt(text: string, at: number): number {
    return this.unicode ? text.codePointAt(at)! : text.charCodeAt(at);
  }
}

type Instruction =
  | { do: 'character'; source: string }
  | { do: 'edge'; source: string }
  | { do: 'try'; targets: number[] }
  | { do: 'match' };

const STEPS_PER_SLICE = 50_000;
const MAX_INSTRUCTIONS = 2_000;

export function linearMatcher(
  tree: RegexNode,
  sets: CharacterSets,
  unicode: boolean,
): LinearMatcher | undefined {
  const program: Instruction[] = [];
  if (!write(tree, program)) return undefined;
  program.push({ do: 'match' });
  return new LinearMatcher(program, sets, unicode);
}

/** Compiles a node. Returns false if it is not supported or if the program gets too long. */
function write(node: RegexNode, program: Instruction[]): boolean {
  if (program.length > MAX_INSTRUCTIONS) return false;
  switch (node.kind) {
    case 'set':
      program.push({ do: 'character', source: node.source });
      return true;
    case 'edge':
      program.push({ do: 'edge', source: node.source });
      return true;
    case 'sequence':
      return node.items.every((item) => write(item, program));
    case 'choice': {
      const choice = reserve(program);
      const ends: { do: 'try'; targets: number[] }[] = [];
      for (const branch of node.branches) {
        choice.targets.push(program.length);
        if (!write(branch, program)) return false;
        ends.push(reserve(program));
      }
      for (const end of ends) end.targets.push(program.length);
      return true;
    }
    case 'repeat': {
      for (let copy = 0; copy < node.min; copy++) if (!write(node.body, program)) return false;
      const skips: { do: 'try'; targets: number[] }[] = [];
      const copies = node.max === Infinity ? 1 : node.max - node.min;
      for (let copy = 0; copy < copies; copy++) {
        const start = program.length;
        const choice = reserve(program);
        skips.push(choice);
        choice.targets.push(program.length);
        if (!write(node.body, program)) return false;
        if (node.max === Infinity) reserve(program).targets.push(start);
      }
      for (const skip of skips) {
        skip.targets.push(program.length);
        if (!node.greedy) skip.targets.reverse();
      }
      return true;
    }
    case 'look':
    case 'same':
      return false;
  }
}

function reserve(program: Instruction[]): { do: 'try'; targets: number[] } {
  const step = { do: 'try' as const, targets: [] };
  program.push(step);
  return step;
}

type CharacterTest = (code: number) => boolean;

/** Caches the result for each character. */
function characterTest(source: string, sets: CharacterSets): CharacterTest {
  const known = new Map<number, boolean>();
  const latin = new Uint8Array(256);
  return (code) => {
    const fast = latin[code];
    if (fast) return fast === 1;
    const remembered = known.get(code);
    if (remembered !== undefined) return remembered;
    const holds = sets.has(source, String.fromCodePoint(code));
    if (code < 256) latin[code] = holds ? 1 : 2;
    else known.set(code, holds);
    return holds;
  };
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}
