import { describe, expect, it } from 'vitest';
import { longTurn, promptTokens } from '#tests/bench/loop';

describe('Prompt caching', () => {
  it('a turn of ten steps reads at least 80% of its prompt tokens from the cache', async () => {
    const { usages, violations } = await longTurn(10);
    expect(violations).toEqual([]);
    expect(usages).toHaveLength(10);
    const { total, uncached } = promptTokens(usages);
    expect(uncached / total).toBeLessThanOrEqual(0.2);
    // From the second step on, the cache serves everything that was sent before.
    usages.slice(1).forEach(({ cacheRead }, at) => {
      const before = usages[at]!;
      expect(cacheRead).toBe(before.input + before.cacheRead + before.cacheWrite);
    });
  });

  // The API looks back over 20 blocks, and each call adds two.
  it.each([5, 12, 40])(
    'of a turn with %d calls in each step, every token is written once',
    async (calls) => {
      const { usages, violations } = await longTurn(5, { calls });
      expect(violations).toEqual([]);
      const { input, cacheRead, cacheWrite } = usages.at(-1)!;
      const { uncached } = promptTokens(usages);
      expect(uncached / (input + cacheRead + cacheWrite)).toBeLessThanOrEqual(1.02);
    },
  );
});
