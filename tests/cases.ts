/** How many cases a property test tries; more with `CASES=5000`. */
export const cases = { numRuns: Number(process.env['CASES'] ?? 300) };

/** Timeout of a property test with slow cases. */
export const CASES_TIMEOUT_MS = Math.max(240_000, cases.numRuns * 600);

/** Chance that a check of `leastCount` fails although nothing is wrong. */
const FALSE_ALARM = 1e-6;

/**
 * The count that random cases reach except with a chance of `FALSE_ALARM`.
 *
 * @param share part of all cases that count, measured over many of them and rounded down
 */
export function leastCount(share: number, count = cases.numRuns): number {
  // Sums the binomial probabilities of 0, 1, 2, … from their logarithms, which do not underflow.
  let log = count * Math.log1p(-share);
  let chance = Math.exp(log);
  let least = 0;
  while (chance < FALSE_ALARM) {
    log += Math.log(((count - least) / (least + 1)) * (share / (1 - share)));
    least += 1;
    chance += Math.exp(log);
  }
  return least;
}
