/**
 * Prices of Claude's models in US dollars per million tokens, as of November 2026. The settings can override them. A
 * model that is not listed has no known price.
 */
import type { ModelPrice } from '#model/model-price';
import type { Settings } from '#model/settings';

/** `cacheWrite` is the price of entries that live five minutes; Parley requests no others. */
type Row = readonly [
  ids: readonly string[],
  input: number,
  output: number,
  cacheWrite: number,
  cacheRead: number,
  longPrompt?: NonNullable<ModelPrice['longPrompt']>,
];

/** US dollars for one web search by Anthropic's own tool, in addition to its tokens. */
export const SEARCH_FEE = 0.01;

const ROWS: readonly Row[] = [
  [['claude-fable-5-2'], 8, 40, 10, 0.2],
  [['claude-opus-5-5'], 4, 20, 5, 0.2],
  [
    ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-opus-4-5'],
    5,
    25,
    6.25,
    0.5,
  ],
  [['claude-sonnet-5-5'], 2, 10, 2.5, 0.1],
  [['claude-sonnet-5'], 2, 10, 2.5, 0.2],
  [['claude-sonnet-4-6', 'claude-sonnet-4-5'], 3, 15, 3.75, 0.3],
  [['claude-haiku-5-5'], 0.1, 0.5, 0.125, 0.01, { over: 100_000, times: 5 }],
  [['claude-haiku-4-5'], 1, 5, 1.25, 0.1],
];

const BUILT_IN_PRICES: ReadonlyMap<string, ModelPrice> = new Map(
  ROWS.flatMap(([ids, input, output, cacheWrite, cacheRead, longPrompt]) =>
    ids.map((id): [string, ModelPrice] => [
      id,
      { input, output, cacheRead, cacheWrite, ...(longPrompt ? { longPrompt } : {}) },
    ]),
  ),
);

/** The user's own price or the built-in one; null when neither is known. A dated id costs the same as its undated one. */
export function priceOf(model: string, { prices }: Pick<Settings, 'prices'>): ModelPrice | null {
  const undated = model.replace(/-\d{8}$/, '');
  return prices[model] ?? prices[undated] ?? BUILT_IN_PRICES.get(undated) ?? null;
}
