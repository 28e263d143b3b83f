/**
 * Claude models with their limits and prices: US dollars per million tokens, as of November 2026.
 * The settings can override the prices; an unlisted model has none.
 */
import * as t from '#messages/turn-ending-messages';
import type {
  EffortCapability,
  ModelInfo as ListedModel,
  ThinkingTypes,
} from '@anthropic-ai/sdk/resources/models';
import type { ModelPrice } from '#model/model-cost';
import { THINKING_LEVELS, type Thinking } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import type { ModelInfo } from '#ports/model-provider';
import type { AnthropicClient } from './anthropic-client';

/** `cacheWrite` is the price of cache entries that live five minutes. */
type PriceRow = readonly [
  ids: readonly string[],
  input: number,
  output: number,
  cacheWrite: number,
  cacheRead: number,
  longPrompt?: NonNullable<ModelPrice['longPrompt']>,
];

/** US dollars for one web search by Anthropic's own tool, in addition to its tokens. */
export const SEARCH_FEE_USD = 0.01;

const PRICE_ROWS: readonly PriceRow[] = [
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
  PRICE_ROWS.flatMap(([ids, input, output, cacheWrite, cacheRead, longPrompt]) =>
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

export type ThinkingKind =
  /** `enabled` with a token budget. */
  | 'enabled'
  /** `adaptive`. */
  | 'adaptive'
  | 'none';

export interface KnownModel extends ModelInfo {
  readonly thinking: ThinkingKind;
  /** How thinking is switched off, if the model allows it. */
  readonly off: 'disabled' | 'between_tools' | 'impossible';
}

type Row = readonly [
  id: string,
  name: string,
  thinking: ThinkingKind,
  off: KnownModel['off'],
  retires?: string,
];

/** Of all models below, in tokens. */
const WINDOW = 200_000;
const MAX_OUTPUT = 64_000;

const ROWS: readonly Row[] = [
  ['claude-haiku-4-5-20251001', 'Claude Haiku 4.5', 'enabled', 'disabled'],
  ['claude-haiku-5-5', 'Claude Haiku 5.5', 'adaptive', 'disabled'],
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 'adaptive', 'between_tools'],
  ['claude-opus-5-5', 'Claude Opus 5.5', 'adaptive', 'impossible'],
  ['claude-fable-5-2', 'Claude Fable 5.2', 'adaptive', 'impossible'],
  ['claude-fable-5-1', 'Claude Fable 5.1', 'adaptive', 'impossible'],
  ['claude-fable-5', 'Claude Fable 5', 'adaptive', 'impossible'],
  ['claude-sonnet-5', 'Claude Sonnet 5', 'adaptive', 'disabled'],
  ['claude-opus-5', 'Claude Opus 5', 'adaptive', 'disabled'],
  ['claude-opus-4-8', 'Claude Opus 4.8', 'adaptive', 'disabled'],
  ['claude-opus-4-7', 'Claude Opus 4.7', 'adaptive', 'disabled'],
  ['claude-opus-4-6', 'Claude Opus 4.6', 'adaptive', 'disabled'],
  ['claude-sonnet-4-6', 'Claude Sonnet 4.6', 'adaptive', 'disabled'],
  ['claude-opus-4-5-20251101', 'Claude Opus 4.5', 'enabled', 'disabled', '2027-01-22'],
  ['claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5', 'enabled', 'disabled', '2026-11-30'],
];

export const BUILT_IN_MODELS: readonly KnownModel[] = ROWS.map(
  ([id, name, thinking, off, retires]) => ({
    id,
    name,
    thinking,
    off,
    thinkingLevels: levelsOf(thinking, off),
    window: WINDOW,
    maxOutput: MAX_OUTPUT,
    deprecated: retires !== undefined,
    retires: retires ?? null,
  }),
);

/** @param efforts levels that the model is known to refuse are left out */
function levelsOf(
  thinking: ThinkingKind,
  off: KnownModel['off'],
  efforts?: Partial<EffortCapability>,
): readonly Thinking[] {
  if (thinking === 'none') return [];
  return THINKING_LEVELS.filter((level) => {
    if (level === 'auto') return true;
    if (level === 'off') return off !== 'impossible';
    // A token budget sets the level of the models without effort.
    return thinking === 'enabled' || (efforts?.[level]?.supported ?? true);
  });
}

/** The built-in entry for an id, with or without a date. */
export function builtInModel(id: string): KnownModel | undefined {
  const undated = (each: string) => each.replace(/-\d{8}$/, '');
  return (
    BUILT_IN_MODELS.find((model) => model.id === id) ??
    BUILT_IN_MODELS.find((model) => undated(model.id) === undated(id))
  );
}

/** Assumptions about an unlisted model, chosen so that no request fails because of them. */
export function unknownModel(id: string): KnownModel {
  return {
    id,
    name: id,
    thinking: 'none',
    off: 'disabled',
    thinkingLevels: [],
    window: 128_000,
    maxOutput: 8_192,
    deprecated: false,
    retires: null,
  };
}

/** Enough for a note as long as a chapter; a longer answer is cut off and can be continued. */
const MAX_OUTPUT_TOKENS = 32_000;

/** Tokens that Parley allows for an answer, including thinking. */
export function maxOutputTokens(model: Pick<KnownModel, 'maxOutput'>): number {
  return Math.min(model.maxOutput, MAX_OUTPUT_TOKENS);
}

/**
 * Lists all models of the endpoint.
 *
 * @throws what the SDK throws, and a `TypeError` if the response is not a list
 */
export async function listModels(
  client: AnthropicClient,
  signal: AbortSignal,
): Promise<readonly KnownModel[]> {
  const request = client.models.list({ limit: 100 }, { signal });
  const { data: firstPage, response } = await request.withResponse();
  // The SDK takes a text response, such as a sign-in page, for an empty list.
  if (!response.headers.get('content-type')?.includes('json')) {
    throw new TypeError(t.notModelList);
  }
  const models: KnownModel[] = [];
  const cursors = new Set<string | null>();
  for await (const { data, last_id: cursor } of firstPage.iterPages()) {
    models.push(...data.filter(isListed).map(fromListed));
    // The SDK would request the same page again and again from a server that repeats its cursor.
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return models;
}

/** Compatible servers send little more than the id, whatever the SDK's types promise. */
type PartialModel = Partial<ListedModel> & Pick<ListedModel, 'id'>;

function isListed(value: PartialModel | null): boolean {
  return typeof value?.id === 'string';
}

function fromListed(model: PartialModel): KnownModel {
  const base = builtInModel(model.id) ?? unknownModel(model.id);
  const types: Partial<ThinkingTypes> | undefined = model.capabilities?.thinking?.types;
  const adaptive = types?.adaptive?.supported ?? base.thinking === 'adaptive';
  const enabled = types?.enabled?.supported ?? base.thinking === 'enabled';
  const thinking = adaptive ? 'adaptive' : enabled ? 'enabled' : 'none';
  const off = types ? offOf(types) : base.off;
  return {
    id: model.id,
    name: model.display_name ?? base.name,
    thinking,
    off,
    thinkingLevels: levelsOf(thinking, off, model.capabilities?.effort),
    window: model.max_input_tokens ?? base.window,
    maxOutput: model.max_tokens ?? base.maxOutput,
    deprecated: model.lifecycle === undefined ? base.deprecated : model.lifecycle !== 'active',
    retires: model.retires_at?.slice(0, 'YYYY-MM-DD'.length) ?? base.retires,
  };
}

function offOf(types: Partial<ThinkingTypes>): KnownModel['off'] {
  if (types.disabled?.supported) return 'disabled';
  return types.between_tools?.supported ? 'between_tools' : 'impossible';
}
