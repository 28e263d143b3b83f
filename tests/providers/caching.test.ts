import { describe, expect, it } from 'vitest';
import { longTurn, promptTokens } from '#tests/bench/loop';

describe('prompt caching', () => {
  it('a turn of ten steps pays for at most a fifth of its prompts, cache writes included', async () => {
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
});
