/**
 * Bounds what a check may cost. Text that costs more cannot be checked, and counts as active
 * content.
 */

/** Far more than what any note written by hand takes. */
const MAX_STEPS = 1_000_000;

const STEPS_PER_FINDING = 1_000;

export class Budget {
  #left = MAX_STEPS;

  /** For text that was found, which is compared later. */
  spendOn(found: string): void {
    this.spend(STEPS_PER_FINDING + found.length);
  }

  /** @throws {BudgetExceeded} if nothing is left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetExceeded();
  }
}

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

/**
 * A search from increasing positions that scans each character once, because it remembers the last
 * result.
 *
 * @returns a function that gives the next place from a position on, or the length of the text
 */
export function nextPlace(text: string, wanted: string | RegExp): (from: number) => number {
  let [searched, place] = [0, -1];
  return (from) => {
    if (place >= from && from >= searched) return place;
    searched = from;
    if (typeof wanted === 'string') {
      const found = text.indexOf(wanted, from);
      place = found < 0 ? text.length : found;
    } else {
      wanted.lastIndex = from;
      place = wanted.exec(text)?.index ?? text.length;
    }
    return place;
  };
}
