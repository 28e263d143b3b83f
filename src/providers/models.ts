/**
 * What is known of Claude's models where the API can't be asked. As of November 2026; the API's own list wins.
 * Which thinking a model takes decides whether a request is accepted at all.
 */
import type { ModelInfo } from '#ports/model-stream';

export type ThinkingKind =
  /** Only `enabled` with a budget of tokens. */
  | 'enabled'
  /** `adaptive`. */
  | 'adaptive'
  | 'none';

export interface KnownModel extends ModelInfo {
  readonly thinking: ThinkingKind;
  /** The model can't be asked without thinking, or has another word for it. */
  readonly off: 'disabled' | 'between_tools' | 'impossible';
}

type Row = readonly [
  id: string,
  name: string,
  thinking: ThinkingKind,
  off: KnownModel['off'],
  window: number,
  maxOutput: number,
  retires?: string,
];

const ROWS: readonly Row[] = [
  ['claude-haiku-4-5-20251001', 'Claude Haiku 4.5', 'enabled', 'disabled', 200_000, 64_000],
  ['claude-haiku-5-5', 'Claude Haiku 5.5', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 'adaptive', 'between_tools', 200_000, 64_000],
  ['claude-opus-5-5', 'Claude Opus 5.5', 'adaptive', 'impossible', 200_000, 64_000],
  ['claude-fable-5-2', 'Claude Fable 5.2', 'adaptive', 'impossible', 200_000, 64_000],
  ['claude-fable-5-1', 'Claude Fable 5.1', 'adaptive', 'impossible', 200_000, 64_000],
  ['claude-fable-5', 'Claude Fable 5', 'adaptive', 'impossible', 200_000, 64_000],
  ['claude-sonnet-5', 'Claude Sonnet 5', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-opus-5', 'Claude Opus 5', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-opus-4-8', 'Claude Opus 4.8', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-opus-4-7', 'Claude Opus 4.7', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-opus-4-6', 'Claude Opus 4.6', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-sonnet-4-6', 'Claude Sonnet 4.6', 'adaptive', 'disabled', 200_000, 64_000],
  ['claude-opus-4-5-20251101', 'Claude Opus 4.5', 'enabled', 'disabled', 200_000, 64_000],
  [
    'claude-sonnet-4-5-20250929',
    'Claude Sonnet 4.5',
    'enabled',
    'disabled',
    200_000,
    64_000,
    '2026-11-30',
  ],
];

export const BUILT_IN_MODELS: readonly KnownModel[] = ROWS.map(
  ([id, name, thinking, off, window, maxOutput, retires]) => ({
    id,
    name,
    thinking,
    off,
    window,
    maxOutput,
    deprecated: retires !== undefined,
    retires: retires ?? null,
  }),
);

/** The row for an id, dated or not; undefined for models nobody here has heard of. */
export function builtInModel(id: string): KnownModel | undefined {
  const undated = (each: string) => each.replace(/-\d{8}$/, '');
  return (
    BUILT_IN_MODELS.find((model) => model.id === id) ??
    BUILT_IN_MODELS.find((model) => undated(model.id) === undated(id))
  );
}

/** What is assumed of a model that is in no table: nothing that could make a request fail. */
export function unknownModel(id: string): KnownModel {
  return {
    id,
    name: id,
    thinking: 'none',
    off: 'disabled',
    window: 128_000,
    maxOutput: 8_192,
    deprecated: false,
    retires: null,
  };
}
