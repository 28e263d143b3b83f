/** How many cases a property test tries; more with `CASES=5000`. */
export const cases = { numRuns: Number(process.env['CASES'] ?? 300) };

/** Timeout of a property test with slow cases. */
export const CASES_TIMEOUT_MS = Math.max(60_000, cases.numRuns * 200);
