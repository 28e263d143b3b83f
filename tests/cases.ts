/** How many cases a property test tries; more with `CASES=5000`. */
export const cases = { numRuns: Number(process.env['CASES'] ?? 300) };
