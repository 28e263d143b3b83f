/** One model call: a neutral request in, neutral events out. What it means for a turn is not the provider's concern. */
import type { Failure } from '#model/failure';
import type { CallResult, Part, StopReason, Usage } from '#model/message';
import type { ViewableFile } from '#model/attachment';
import type { PartDelta } from '#model/event';

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Those it stands for, where it is not the one of its name. */
  readonly tools?: readonly string[];
}

/** Built once per conversation, so that the provider's cache and the model's thinking stay valid. */
export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

/** The first is a user's. Results follow the model's calls, and the model follows results. */
export type HistoryMessage =
  | {
      readonly role: 'user';
      readonly texts: readonly string[];
      readonly shown?: readonly ViewableFile[];
    }
  /** `parts` exactly as they came. */
  | { readonly role: 'model'; readonly parts: readonly Part[] }
  | { readonly role: 'results'; readonly results: readonly HistoryResult[] };

export interface HistoryResult {
  readonly wireId: string;
  readonly result: CallResult;
  /** Said after the results; part of the last one. */
  readonly notes: readonly string[];
}

export interface ModelRequest {
  readonly model: string;
  readonly prompt: Prompt;
  readonly history: readonly HistoryMessage[];
  /**
   * Tokens that the answer may have at most, for a call beside the conversation; thinking, which would use them up, is
   * then kept as small as the model permits.
   */
  readonly outputLimit?: number;
  /** The provider's own search of the web is among the tools, for one search. */
  readonly searchesWeb?: boolean;
}

/** A file that was shown, if it is still the same and may still be seen; null otherwise. */
export type ReadViewable = (
  file: ViewableFile,
) => Promise<{ bytes(): Promise<ArrayBuffer | null> } | null>;

export type ModelEvent =
  | { readonly type: 'delta'; readonly index: number; readonly delta: PartDelta }
  | { readonly type: 'part'; readonly index: number; readonly part: Part }
  /** What is known to be used up so far, for a call that may not come to its end. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The last event of a call that came to its end. */
  | {
      readonly type: 'end';
      readonly stop: StopReason;
      readonly usage: Usage;
      /** What the server said of its reason, such as why it declined. */
      readonly detail?: string;
    }
  /** The last event of a call that did not. `retryAfter` in milliseconds, if the server named a time. */
  | { readonly type: 'failure'; readonly failure: Failure; readonly retryAfter?: number };

export interface ModelProvider {
  /**
   * Never throws for what the world does. When the signal aborts it ends without a last event. A part that was begun
   * and not ended before a failure or an abort is not told.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** What is known of a model, from the API or from the built-in table. */
export interface ModelInfo {
  readonly id: string;
  readonly name: string;
  /** Tokens that a prompt may have. */
  readonly window: number;
  readonly maxOutput: number;
  readonly deprecated: boolean;
  /** ISO date on which it ends, if it is known. */
  readonly retires: string | null;
}
