import { describe, expect, test } from 'vitest';
import {
  chartOf,
  countUnpriced,
  lastDays,
  callCosts,
  costFormat,
  formatCost,
  formatTokens,
  formatUsage,
} from '#components/usage/usage-figures.ts';
import { failure } from '#messages/failures';
import { reduceAll } from '#model/reducer';
import { NO_USAGE, type Usage } from '#model/message';
import { turnCost } from '#model/model-cost';
import type { DayUsage } from '#ports/app/agent';
import { Script } from '#workbench/gallery/script';

const PRICE = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

describe('formatting', () => {
  test.each([
    [0, '0'],
    [820, '820'],
    [6_530, '6.5k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [1_230_000, '1.2M'],
  ])('%d tokens are shown as %s', (tokens, words) => {
    expect(formatTokens(tokens)).toBe(words);
  });

  test.each([
    [0, '$0'],
    [0.00001, '<$0.0001'],
    [0.00042, '$0.0004'],
    [0.0042, '$0.0042'],
    [0.0995, '$0.0995'],
    [0.1, '$0.10'],
    [1.2, '$1.20'],
    [1234.5, '$1,234.50'],
  ])('%d dollars are shown as %s', (dollars, words) => {
    expect(formatCost(dollars)).toBe(words);
  });

  test('costs of one column have the digits of their total', () => {
    const small = [0.00004, 0.0006, 0.012].map(costFormat(0.01264));
    expect(small).toEqual(['<$0.0001', '$0.0006', '$0.0120']);
    expect([0.004, 0.006, 1.2].map(costFormat(1.21))).toEqual(['<$0.01', '$0.01', '$1.20']);
  });

  const usage: Usage = { input: 400, output: 300, cacheRead: 5_000, cacheWrite: 600 };
  test.each([
    [usage, 0.0042, '≈ $0.0042, 6.3k tokens, 83% cached'],
    [usage, null, '6.3k tokens, 83% cached'],
    [{ ...NO_USAGE, input: 20, output: 8 }, 0, '≈ $0, 28 tokens'],
    [NO_USAGE, null, ''],
    [NO_USAGE, 0, ''],
  ])('usage %j at price %j is shown in words', (each, cost, words) => {
    expect(formatUsage(each, cost)).toBe(words);
  });
});

describe('the model calls of a turn', () => {
  const script = new Script('a').ask('Do it').step().void(failure('overloaded'));
  script.write({ type: 'step-void', turn: script.turn, step: 1, failure: failure('overloaded') });
  const usage = { ...NO_USAGE, input: 1_000 };
  script.step();
  script.write({
    ...{ type: 'step-void', turn: script.turn, step: 2, failure: failure('overloaded') },
    usage,
  });
  script.write({ type: 'compaction-end', why: 'window', summary: 'S', from: null, usage });
  const [turn] = reduceAll(script.id, script.step().say('Done.').done('Done.').events).turns;
  if (!turn) throw new Error('There is no turn.');

  test('calls are listed in order with retries and compaction, without those that cost nothing', () => {
    expect(callCosts(turn, PRICE).map(({ what }) => what)).toEqual([
      '2, retried',
      'Summary',
      '3, answer',
    ]);
  });

  test("the costs of the calls add up to the turn's", () => {
    const sum = callCosts(turn, PRICE).reduce((all, { cost }) => all + (cost ?? NaN), 0);
    expect(sum).toBeCloseTo(turnCost(turn, PRICE), 10);
  });

  test("a tool's own model calls follow the step that called it, with their fee", () => {
    const searching = new Script('b').ask('Search').step();
    const spent = { usage, fee: 0.01 };
    const call = searching.prepare('web_search', { query: 'a' });
    searching.start(call).finish(call, { text: 'Found', failed: false, spent });
    searching.stepEnd().step().say('Done.').done('Done.');
    const [one] = reduceAll(searching.id, searching.events).turns;
    if (!one) throw new Error('There is no turn.');
    const costs = callCosts(one, PRICE);
    expect(costs.map(({ what }) => what)).toEqual(['1', '1, web search', '2, answer']);
    expect(costs[1]).toEqual({ what: '1, web search', usage, cost: 0.011 });
    const sum = costs.reduce((all, { cost }) => all + (cost ?? NaN), 0);
    expect(sum).toBeCloseTo(turnCost(one, PRICE), 10);
  });

  test('calls have no cost if the price is unknown', () => {
    expect(callCosts(turn, null).map(({ cost }) => cost)).toEqual([null, null, null]);
  });
});

describe('the chart', () => {
  const day = (date: string, model: string, cost: number, more: Partial<DayUsage> = {}) => ({
    ...{ date, model, calls: 1, usage: { ...NO_USAGE, input: 10 }, cost, unpriced: 0 },
    ...more,
  });
  const usage: DayUsage[] = [
    day('2026-02-20', 'a', 9),
    day('2026-02-27', 'b', 2),
    day('2026-02-27', 'a', 1),
    day('2026-03-01', 'own', 0, { unpriced: 1 }),
    day('2026-03-02', 'a', 7),
  ];

  test('the chart has a bar for each day, across the end of a month, and none outside', () => {
    const { bars, total, most } = chartOf(usage, '2026-03-01', 4, 'cost');
    expect(bars.map(({ date, total: sum }) => [date, sum])).toEqual([
      ['2026-02-26', 0],
      ['2026-02-27', 3],
      ['2026-02-28', 0],
      ['2026-03-01', 0],
    ]);
    expect([total, most]).toEqual([3, 3]);
  });

  test('the chart stacks models in a fixed order, whatever is measured', () => {
    for (const measure of ['cost', 'tokens'] as const) {
      const { bars, models } = chartOf(usage, '2026-03-01', 4, measure);
      expect(models).toEqual(['a', 'b', 'own']);
      expect(bars[1]?.pieces.map(({ model }) => model)).toEqual(['a', 'b']);
    }
  });

  test('the chart counts tokens if no price is known', () => {
    const { total, bars } = chartOf(usage, '2026-03-01', 2, 'tokens');
    expect(total).toBe(10);
    expect(bars.at(-1)?.pieces).toEqual([{ model: 'own', value: 10 }]);
    expect(countUnpriced(lastDays(usage, '2026-03-01', 2))).toBe(1);
  });
});
