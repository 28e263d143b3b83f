/** Whether this run tests only a sample of slow cases, as `npm test` does. */
export const IS_SAMPLE = process.env.PARLEY_TEST_SAMPLE !== undefined;

/** All cases in a full run; in a sample run, `count` cases spread evenly over the list. */
export function sampled<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (!IS_SAMPLE || cases.length <= count) return cases;
  return Array.from(
    { length: count },
    (_, index) => cases[Math.floor((index * cases.length) / count)] as Case,
  );
}

/**
 * The distance between points at which a crash test stops the process: every recorded point, or
 * every `step`th in a sample run.
 */
export function strideOf(step: number): number {
  return IS_SAMPLE ? step : 1;
}
