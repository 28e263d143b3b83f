/**
 * The models of the fake API with the rules that the API applies to each. This table is independent
 * of the plugin's own, so that tests notice differences.
 */
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';

export type ThinkingType = 'adaptive' | 'enabled' | 'disabled' | 'between_tools';

export interface ModelRules {
  readonly id: string;
  readonly name: string;
  readonly line: ModelInfo['line'];
  readonly released: string;
  readonly retires?: string;
  readonly window: number;
  readonly maxOutput: number;
  readonly thinking: readonly ThinkingType[];
  /** Prompts with fewer tokens are not cached, without an error. */
  readonly cacheMinimum: number;
  /** Whether `tool_choice` may be `any` or `tool`. */
  readonly forcedTools: boolean;
  /** Whether thinking has no text unless the request has `display: 'summarized'`. */
  readonly omitsThinking: boolean;
}

const OPUS_5_5: ModelRules = {
  id: 'claude-opus-5-5',
  name: 'Claude Opus 5.5',
  line: 'opus',
  released: '2026-08-18T00:00:00Z',
  window: 1_000_000,
  maxOutput: 128_000,
  thinking: ['adaptive'],
  cacheMinimum: 1_024,
  forcedTools: false,
  omitsThinking: true,
};
const OPUS_4_5: ModelRules = {
  id: 'claude-opus-4-5',
  name: 'Claude Opus 4.5',
  line: 'opus',
  released: '2025-11-01T00:00:00Z',
  window: 200_000,
  maxOutput: 64_000,
  thinking: ['enabled', 'disabled'],
  cacheMinimum: 4_096,
  forcedTools: true,
  omitsThinking: false,
};

/** Newest first, as in the API. */
export const MODELS: readonly ModelRules[] = [
  {
    ...OPUS_5_5,
    id: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    line: 'fable',
    released: '2026-11-03T00:00:00Z',
  },
  {
    ...OPUS_5_5,
    id: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    line: 'haiku',
    released: '2026-10-14T00:00:00Z',
    maxOutput: 64_000,
    thinking: ['adaptive', 'disabled'],
    forcedTools: true,
  },
  {
    ...OPUS_5_5,
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    line: 'sonnet',
    released: '2026-09-22T00:00:00Z',
    thinking: ['adaptive', 'between_tools'],
  },
  { ...OPUS_5_5, id: 'claude-fable-5-1', name: 'Claude Fable 5.1', line: 'fable' },
  OPUS_5_5,
  {
    ...OPUS_4_5,
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    line: 'sonnet',
    released: '2026-05-12T00:00:00Z',
    window: 1_000_000,
    thinking: ['adaptive', 'disabled'],
    cacheMinimum: 1_024,
  },
  {
    ...OPUS_4_5,
    id: 'claude-opus-5',
    name: 'Claude Opus 5',
    released: '2026-05-12T00:00:00Z',
    window: 1_000_000,
    thinking: ['adaptive', 'disabled'],
    cacheMinimum: 512,
  },
  {
    ...OPUS_4_5,
    id: 'claude-sonnet-4-6',
    name: 'Claude Sonnet 4.6',
    line: 'sonnet',
    released: '2026-02-17T00:00:00Z',
    thinking: ['adaptive', 'enabled', 'disabled'],
    cacheMinimum: 2_048,
  },
  {
    ...OPUS_4_5,
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    line: 'haiku',
    released: '2025-10-01T00:00:00Z',
  },
  OPUS_4_5,
  {
    ...OPUS_4_5,
    id: 'claude-sonnet-4-5',
    name: 'Claude Sonnet 4.5',
    line: 'sonnet',
    released: '2025-09-29T00:00:00Z',
    retires: '2026-11-30T00:00:00Z',
    cacheMinimum: 1_024,
  },
];

/** The rules of a model; the date of a dated id is ignored. */
export function modelRules(id: unknown): ModelRules | undefined {
  const plain = String(id).replace(/-\d{8}$/, '');
  return MODELS.find((model) => model.id === plain);
}

const can = (supported: boolean) => ({ supported });

/** A model as `/v1/models` describes it. */
export function modelInfo(model: ModelRules): ModelInfo {
  const takes = (type: ThinkingType) => can(model.thinking.includes(type));
  const older = model.thinking.includes('enabled');
  return {
    id: model.id,
    type: 'model',
    display_name: model.name,
    line: model.line,
    created_at: model.released,
    lifecycle: model.retires ? 'deprecated' : 'active',
    deprecated_at: model.retires ? '2026-06-30T00:00:00Z' : null,
    retires_at: model.retires ?? null,
    max_input_tokens: model.window,
    max_tokens: model.maxOutput,
    capabilities: {
      batch: can(true),
      citations: can(true),
      code_execution: can(true),
      context_management: {
        supported: true,
        clear_thinking_20251015: can(true),
        clear_tool_uses_20250919: can(true),
        compact_20260112: can(!older),
      },
      effort: {
        supported: !older,
        low: can(!older),
        medium: can(!older),
        high: can(!older),
        max: can(!older),
        xhigh: can(!older),
      },
      image_input: can(true),
      pdf_input: can(true),
      server_tools: { supported: true, code_execution: can(true), web_search: can(true) },
      structured_outputs: can(true),
      thinking: {
        supported: true,
        types: {
          adaptive: takes('adaptive'),
          enabled: takes('enabled'),
          disabled: takes('disabled'),
          between_tools: takes('between_tools'),
        },
      },
    },
  };
}
