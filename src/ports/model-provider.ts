/**
 * A single model call: a neutral request in, neutral events out. The provider knows nothing about
 * turns.
 */
import type { Failure } from '#model/failure';
import type { CallResult, Part, StopReason, Usage } from '#model/message';
import type { ViewableFile } from '#model/attachment';
import type { PartDelta } from '#model/event';
import type { Thinking } from '#model/setting-choices';

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Names of the tools that this schema covers, if it is not the single tool with its name. */
  readonly tools?: readonly string[];
}

/** Built once per conversation, so that the provider's cache and the model's thinking stay valid. */
export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

/**
 * The first message is the user's. Results follow the model's calls. The model follows results, or
 * the user's messages that joined the turn behind them do.
 */
export type HistoryMessage =
  | {
      readonly role: 'user';
      readonly texts: readonly string[];
      readonly shown?: readonly ViewableFile[];
    }
  /** `parts` exactly as the provider returned them. */
  | { readonly role: 'model'; readonly parts: readonly Part[] }
  | { readonly role: 'results'; readonly results: readonly HistoryResult[] };

export interface HistoryResult {
  readonly wireId: string;
  readonly result: CallResult;
  /** Notes for the model after the results, sent as part of the last result. */
  readonly notes: readonly string[];
}

export interface ModelRequest {
  readonly model: string;
  readonly prompt: Prompt;
  readonly history: readonly HistoryMessage[];
  /**
   * Maximum tokens of the answer, for a call outside the conversation. Thinking, which would use
   * them up, is then kept as low as the model permits.
   */
  readonly outputLimit?: number;
  /**
   * The request was spoken: the user waits for a notification, and the next request comes minutes
   * later.
   */
  readonly isSpoken?: boolean;
  /** Adds the provider's own web search to the tools, for one search. */
  readonly searchesWeb?: boolean;
}

/** Opens a file that the model was shown, if it is unchanged and still visible; null otherwise. */
export type ReadViewable = (
  file: ViewableFile,
) => Promise<{ bytes(): Promise<ArrayBuffer | null> } | null>;

export type ModelEvent =
  | { readonly type: 'delta'; readonly index: number; readonly delta: PartDelta }
  | { readonly type: 'part'; readonly index: number; readonly part: Part }
  /** Usage so far, in case the call does not complete. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The last event of a completed call. */
  | {
      readonly type: 'end';
      readonly stop: StopReason;
      readonly usage: Usage;
      /** The server's explanation, such as why it refused. */
      readonly detail?: string;
    }
  /** The last event of a failed call. `retryAfter` is in milliseconds, if the server named a time. */
  | { readonly type: 'failure'; readonly failure: Failure; readonly retryAfter?: number };

export interface ModelProvider {
  /**
   * Never throws for errors of the outside world. If the signal aborts, the stream ends without a
   * last event. A part that has begun but not ended before a failure or an abort is not reported.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A model, according to the API or the built-in table. */
export interface ModelInfo {
  readonly id: string;
  readonly name: string;
  /** Maximum tokens of a prompt. */
  readonly window: number;
  readonly maxOutput: number;
  /** The choices for thinking; empty for a model that can't think. */
  readonly thinkingLevels: readonly Thinking[];
  readonly deprecated: boolean;
  /** ISO date of its retirement, if known. */
  readonly retires: string | null;
}
