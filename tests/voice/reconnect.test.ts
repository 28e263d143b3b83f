import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases';
import { reconnectDelay } from '#voice/bridge';

describe('reconnectDelay', () => {
  it('reconnectDelay grows with each attempt, randomly within 1 to 30 s', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), chance, (tries, random) => {
        const delay = reconnectDelay(tries, random);
        expect(delay).toBeGreaterThanOrEqual(1_000);
        expect(delay).toBeLessThanOrEqual(30_000);
        expect(reconnectDelay(tries + 1, random)).toBeGreaterThanOrEqual(delay);
        expect(reconnectDelay(tries, 0)).toBeLessThanOrEqual(delay);
      }),
      cases,
    );
    expect([1, 2, 3, 4, 5, 6].map((tries) => reconnectDelay(tries, 0.5))).toEqual([
      1_500, 3_000, 6_000, 12_000, 22_500, 22_500,
    ]);
  });
});
