/**
 * The model provider for Anthropic's API and compatible servers. It aborts a request whose response
 * stops sending bytes; it watches bytes rather than events because pings count too.
 */
import * as t from '#messages/turn-ending-messages';
import { failure } from '#messages/failures';
import { AnthropicClient, isUsableKey } from './anthropic-client';
import { mayRefuseContent, requestFailure } from './anthropic-errors';
import { anthropicRequest } from './anthropic-request';
import { StreamAccumulator, streamMessage } from './anthropic-stream';
import { type Failure } from '#model/failure';
import type { Settings } from '#model/settings';
import { SecretRedactor } from '#text/secret-redactor';
import type { Clock } from '#ports/clock';
import type {
  ModelEvent,
  ModelInfo,
  ModelProvider,
  ModelRequest,
  ReadViewable,
} from '#ports/model-provider';
import {
  BUILT_IN_MODELS,
  builtInModel,
  type KnownModel,
  listModels,
  maxOutputTokens,
  unknownModel,
} from './anthropic-models';
import { ShownFiles } from './shown-files';

export interface StallWatch {
  readonly fetch: typeof fetch;
  /** Aborts with the outer signal, or if no byte arrives within the limit. */
  readonly signal: AbortSignal;
  readonly stalled: boolean;
  end(): void;
}

export function watchStalls(
  fetchBytes: typeof fetch,
  limitMs: number,
  clock: Clock,
  outer: AbortSignal,
): StallWatch {
  const controller = new AbortController();
  let stalled = false;
  let cancel = () => {};
  const touch = () => {
    cancel();
    cancel = clock.after(limitMs, () => {
      stalled = true;
      controller.abort();
    });
  };
  const abort = () => controller.abort();
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  touch();
  return {
    signal: controller.signal,
    get stalled() {
      return stalled;
    },
    fetch: async (input, init) => {
      const response = await fetchBytes(input, init);
      touch();
      if (!response.body) return response;
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, out) {
            touch();
            out.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(watched, { status, statusText, headers });
    },
    end() {
      cancel();
      outer.removeEventListener('abort', abort);
      // Closes the connection if the reader left before the end.
      controller.abort();
    },
  };
}

/** The user may be waiting in the settings, so the built-in list replaces a slow one. */
const MODELS_STALL_MS = 15_000;

export interface AnthropicOptions {
  settings(): Pick<Settings, 'endpoint' | 'compatibility' | 'thinking' | 'stallSeconds'>;
  /** Null when none is set. */
  key(): string | null;
  fetch: typeof fetch;
  lookAt: ReadViewable;
  clock: Clock;
  /** Whether this computer has no network. */
  isOffline(): boolean;
  /** Called with each list that the endpoint sends, unless it is empty. */
  onModels?(models: readonly ModelInfo[]): void;
}

export class AnthropicProvider implements ModelProvider {
  readonly #options: AnthropicOptions;
  /** The endpoint's own list, once it has been requested. */
  #listed = new Map<string, KnownModel>();
  #listing: Promise<unknown> | null = null;
  #files: ShownFiles | null = null;

  constructor(options: AnthropicOptions) {
    this.#options = options;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#stream(request, signal, new Set());
  }

  /** @param omitted files with which the server has already refused the request */
  async *#stream(
    request: ModelRequest,
    signal: AbortSignal,
    omitted: ReadonlySet<string>,
  ): AsyncIterable<ModelEvent> {
    const { settings, clock, fetch, lookAt } = this.#options;
    const { endpoint, compatibility, thinking, stallSeconds } = settings();
    const key = this.#options.key();
    if (key === null && !compatibility) {
      yield { type: 'failure', failure: failure('key') };
      return;
    }
    const watch = watchStalls(fetch, stallSeconds * 1000, clock, signal);
    try {
      if (!isUsableKey(key)) {
        yield { type: 'failure', failure: unusableKey() };
        return;
      }
      // The model's capabilities decide which kind of thinking to request.
      if (!compatibility && !this.#isKnown(request.model)) await (this.#listing ??= this.models());
      this.#files ??= new ShownFiles(lookAt, clock.pause);
      const target = `${endpoint} ${request.model}`;
      const files = await this.#files.select(request.history, target, omitted);
      const body = anthropicRequest(request, {
        model: this.#model(request.model),
        thinking,
        compatibility,
        files: files.encoded,
      });
      const connection = { endpoint, compatibility, key, fetch: watch.fetch };
      const client = new AnthropicClient(connection);
      const redactor = new SecretRedactor([key]);
      const accumulator = new StreamAccumulator(redactor);
      for await (const next of streamMessage(client, body, watch.signal)) {
        if (signal.aborted) return;
        if (watch.stalled || accumulator.finished) break;
        if ('error' in next) {
          const failed = requestFailure(next.error, this.#failureContext(endpoint, redactor));
          const suspects = mayRefuseContent(next.error, failed) ? files.suspects() : null;
          if (suspects) {
            watch.end();
            yield* this.#stream(request, signal, suspects);
          } else {
            yield { type: 'failure', ...failed };
          }
          return;
        }
        files.accept();
        for (const event of accumulator.add(next.event)) {
          if (signal.aborted) return;
          yield event;
        }
      }
      if (signal.aborted || accumulator.finished) return;
      // The SDK's stream ends without an error when it is aborted, and when the server closes it too early.
      const detail = watch.stalled ? { detail: t.noDataFor(stallSeconds) } : {};
      yield { type: 'failure', failure: failure('cut', detail) };
    } finally {
      watch.end();
    }
  }

  /**
   * Maximum tokens of a prompt and an answer of this model. The endpoint is asked only once. Never
   * throws.
   */
  async window(id: string): Promise<{ prompt: number; output: number }> {
    await (this.#listing ??= this.models());
    const model = this.#model(id);
    return { prompt: model.window, output: maxOutputTokens(model) };
  }

  /** The endpoint's own list, or the built-in one if that is empty or unavailable. Never throws. */
  async models(): Promise<readonly ModelInfo[]> {
    const found = await this.ask();
    return 'failure' in found || found.models.length === 0 ? BUILT_IN_MODELS : found.models;
  }

  /** The endpoint's own list, or the failure to get it. Never throws. */
  async ask(): Promise<{ models: readonly ModelInfo[] } | { failure: Failure }> {
    const { settings, clock } = this.#options;
    const key = this.#options.key();
    const { endpoint, compatibility } = settings();
    if (key === null && !compatibility) return { failure: failure('key') };
    if (!isUsableKey(key)) return { failure: unusableKey() };
    const redactor = new SecretRedactor([key]);
    const outer = new AbortController();
    const watch = watchStalls(this.#options.fetch, MODELS_STALL_MS, clock, outer.signal);
    try {
      const connection = { endpoint, compatibility, key, fetch: watch.fetch };
      const listed = await listModels(new AnthropicClient(connection), watch.signal);
      const models = redactor.redactAll(listed);
      if (models.length > 0) {
        this.#listed = new Map(models.map((model) => [model.id, model]));
        this.#options.onModels?.(models);
      }
      return { models };
    } catch (error) {
      return watch.stalled
        ? { failure: failure('cut', { detail: t.serverSilent }) }
        : { failure: requestFailure(error, this.#failureContext(endpoint, redactor)).failure };
    } finally {
      watch.end();
    }
  }

  #failureContext(endpoint: string, redactor: SecretRedactor) {
    const { clock, isOffline } = this.#options;
    return { endpoint, isOffline: isOffline(), now: clock.now(), redactor };
  }

  #isKnown(id: string): boolean {
    return this.#listed.has(id) || builtInModel(id) !== undefined;
  }

  #model(id: string): KnownModel {
    return this.#listed.get(id) ?? builtInModel(id) ?? unknownModel(id);
  }
}

function unusableKey(): Failure {
  return failure('key', { detail: t.keyCharacters });
}
