import { describe, expect, it } from 'vitest';
import { longTurn, promptTokens } from '#tests/bench/loop';

describe('A turn of ten steps', () => {
  it('pays for at most a fifth of its prompts, writing to the cache included', async () => {
    const { usages, violations } = await longTurn(10);
    expect(violations).toEqual([]);
    expect(usages).toHaveLength(10);
    const { total, uncached } = promptTokens(usages);
    expect(uncached / total).toBeLessThanOrEqual(0.2);
    // From the second step on, all that was sent before is read.
    usages.slice(1).forEach(({ cacheRead }, at) => {
      const before = usages[at]!;
      expect(cacheRead).toBe(before.input + before.cacheRead + before.cacheWrite);
    });
  });
});
