/** Sets of paths as lists of numbers, of which many take little memory. */
import type { PathSet } from '#ports/metadata';

export class PathNumbers {
  readonly #paths: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** A path keeps its number, so that sets can outlive their files. */
  of(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#paths.push(path) - 1;
    this.#numbers.set(path, number);
    return number;
  }

  known(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  path(number: number): string {
    return this.#paths[number]!;
  }
}

export class NumberedPaths implements PathSet {
  readonly #numbers: PathNumbers;
  /** Ascending. */
  readonly members: readonly number[];

  constructor(numbers: PathNumbers, members: readonly number[]) {
    this.#numbers = numbers;
    this.members = members;
  }

  get size(): number {
    return this.members.length;
  }

  has(path: string): boolean {
    const number = this.#numbers.known(path);
    if (number === undefined) return false;
    let [from, to] = [0, this.members.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.members[middle]! < number) from = middle + 1;
      else to = middle;
    }
    return this.members[from] === number;
  }

  *[Symbol.iterator](): Generator<string, void> {
    for (const member of this.members) yield this.#numbers.path(member);
  }

  /**
   * @param added numbers that are not members
   * @param removed members
   */
  changed(added: readonly number[], removed: ReadonlySet<number>): NumberedPaths {
    const { members } = this;
    const kept = removed.size > 0 ? members.filter((member) => !removed.has(member)) : members;
    const all = kept.concat(added);
    const isAscending = all.every((member, at) => at === 0 || all[at - 1]! < member);
    return new NumberedPaths(this.#numbers, isAscending ? all : all.sort((a, b) => a - b));
  }
}
