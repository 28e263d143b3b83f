/** Whether this run takes a sample of what is slow, as `npm test` does. */
export const IS_SAMPLE = process.env.PARLEY_TEST_SAMPLE !== undefined;

/**
 * All cases in a full run; in a sample, `count` of them spread evenly over the list.
 */
export function sampled<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (!IS_SAMPLE || cases.length <= count) return cases;
  return Array.from(
    { length: count },
    (_, index) => cases[Math.floor((index * cases.length) / count)] as Case,
  );
}

/** From one recorded act to the next at which a crash test stops the process: every act, or in a sample every `step`th. */
export function strideOf(step: number): number {
  return IS_SAMPLE ? step : 1;
}
