import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayAfter } from '#ports/retry';
import { RECONNECT_DELAYS } from '#voice/bridge';
import { cases } from '../cases';

describe('delayAfter', () => {
  const delays = [100, 300];

  it('the last delay repeats, or the failure after it is final', () => {
    const after = (repeats: boolean) =>
      [1, 2, 3, 9].map((failures) => delayAfter(failures, { delays, repeats }));
    expect(after(true)).toEqual([100, 300, 300, 300]);
    expect(after(false)).toEqual([100, 300, Infinity, Infinity]);
  });

  it('a delay with jitter is in whole milliseconds', () => {
    expect(delayAfter(1, { delays, repeats: true, jitter: 0.5 }, 0.123)).toBe(106);
  });

  it('reconnecting to SmartHole waits longer after each attempt, randomly within 1 to 30 s', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), chance, (tries, random) => {
        const delay = delayAfter(tries, RECONNECT_DELAYS, random);
        expect(delay).toBeGreaterThanOrEqual(1_000);
        expect(delay).toBeLessThanOrEqual(30_000);
        expect(delayAfter(tries + 1, RECONNECT_DELAYS, random)).toBeGreaterThanOrEqual(delay);
        expect(delayAfter(tries, RECONNECT_DELAYS)).toBeLessThanOrEqual(delay);
      }),
      cases,
    );
    expect([1, 2, 3, 4, 5, 6].map((tries) => delayAfter(tries, RECONNECT_DELAYS, 0.5))).toEqual([
      1_500, 3_000, 6_000, 12_000, 22_500, 22_500,
    ]);
  });
});
