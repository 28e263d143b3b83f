import { describe, expect, it } from 'vitest';
import { callCost } from '#model/model-cost';
import { DEFAULT_SETTINGS } from '#model/settings';
import { priceOf } from '#providers/anthropic/anthropic-models';

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const MILLION = 1_000_000;
const cost = (model: string, usage: Partial<typeof NONE>) => {
  const price = priceOf(model, DEFAULT_SETTINGS);
  return price && callCost({ ...NONE, ...usage }, price);
};

describe('Model prices', () => {
  it('a call costs the sum of the prices of its tokens', () => {
    expect(cost('claude-haiku-4-5', { input: MILLION })).toBe(1);
    expect(cost('claude-haiku-4-5', { output: MILLION })).toBe(5);
    expect(cost('claude-haiku-4-5', { cacheRead: MILLION })).toBe(0.1);
    expect(cost('claude-haiku-4-5', { cacheWrite: MILLION })).toBe(1.25);
    const all = { input: MILLION, output: MILLION, cacheRead: MILLION, cacheWrite: MILLION };
    expect(cost('claude-opus-5-5', all)).toBeCloseTo(29.2);
  });

  it('a dated model id has the price of the undated one', () => {
    const dated = priceOf('claude-haiku-4-5-20251001', DEFAULT_SETTINGS);
    expect(dated).toEqual(priceOf('claude-haiku-4-5', DEFAULT_SETTINGS));
  });

  it('Haiku 5.5 costs five times as much with a long prompt, the answer included', () => {
    expect(cost('claude-haiku-5-5', { input: 100_000, output: 1_000 })).toBeCloseTo(0.0105);
    expect(cost('claude-haiku-5-5', { input: 1, cacheRead: 100_000, output: 1_000 })).toBeCloseTo(
      5 * 0.0015,
      5,
    );
  });

  it('an unknown model has no price', () => {
    for (const model of ['llama4', 'claude-fable-5-1', 'claude-opus-7', '']) {
      expect([model, priceOf(model, DEFAULT_SETTINGS)]).toEqual([model, null]);
    }
  });

  it("the user's own prices take precedence, and a price for the exact id comes first", () => {
    const own = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const dated = { ...own, input: 9 };
    const prices = { llama4: own, 'claude-opus-5-5': own, 'claude-opus-5-5-20260818': dated };
    expect(priceOf('llama4', { prices })).toEqual(own);
    expect(priceOf('claude-opus-5-5', { prices })).toEqual(own);
    expect(priceOf('claude-opus-5-5-20260818', { prices })).toEqual(dated);
    expect(priceOf('claude-opus-5-5-20260901', { prices })).toEqual(own);
  });
});
