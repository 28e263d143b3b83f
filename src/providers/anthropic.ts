/** Claude, and servers that speak the same API. Retries are the loop's. */
import type { ThinkingTypes } from '@anthropic-ai/sdk/resources/models';
import { failure, type Failure } from '#model/failure';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { LookAt, ModelEvent, ModelInfo, ModelRequest, ModelStream } from '#ports/model-stream';
import type { ListedModel } from './anthropic-client';
import type { Fault } from './anthropic-failure';
import type { ShownFiles } from './shown-files';
import { BUILT_IN_MODELS, builtInModel, unknownModel, type KnownModel } from './models';
import { watchStalls } from './stalls';

/** Evaluated when a model is first asked. */
const client = () => import('./anthropic-client');

/** Milliseconds without a byte before the built-in list is taken: somebody is looking at the settings. */
const MODELS_WAIT = 15_000;

export interface AnthropicOptions {
  settings(): Pick<Settings, 'endpoint' | 'compatibility' | 'thinking' | 'stallSeconds'>;
  /** Null where none is set. */
  key(): string | null;
  fetch: typeof fetch;
  lookAt: LookAt;
  clock: Clock;
}

export class AnthropicProvider implements ModelStream {
  readonly #options: AnthropicOptions;
  /** From the API, once it was asked. */
  #known = new Map<string, KnownModel>();
  #asked: Promise<unknown> | null = null;
  #files: ShownFiles | null = null;

  constructor(options: AnthropicOptions) {
    this.#options = options;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#stream(request, signal, new Set());
  }

  /** @param without files that it was refused with */
  async *#stream(
    request: ModelRequest,
    signal: AbortSignal,
    without: ReadonlySet<string>,
  ): AsyncIterable<ModelEvent> {
    const { settings, key, clock } = this.#options;
    const { endpoint, compatibility, thinking, stallSeconds } = settings();
    const secret = key();
    if (secret === null && !compatibility) {
      yield { type: 'failure', failure: failure('key') };
      return;
    }
    const watch = watchStalls(this.#options.fetch, stallSeconds * 1000, clock, signal);
    try {
      // Which thinking a model takes decides whether it answers at all.
      if (!compatibility && !this.#isKnown(request.model)) await (this.#asked ??= this.models());
      const { anthropicRequest, ShownFiles, streamEvents, StreamAccumulator, streamFailure } =
        await client();
      const files = (this.#files ??= new ShownFiles(this.#options.lookAt, clock.pause));
      const to = `${endpoint} ${request.model}`;
      const sending = await files.sending(request.history, to, without);
      const body = anthropicRequest(request, {
        model: this.#model(request.model),
        thinking,
        compatibility,
        files: sending.encoded,
      });
      const accumulator = new StreamAccumulator();
      const { fetch, signal: watched } = watch;
      const asked = { endpoint, compatibility, key: secret, fetch, signal: watched };
      for await (const next of streamEvents(asked, body)) {
        if (signal.aborted) return;
        if (watch.stalled) {
          const detail = `No data for ${stallSeconds} s.`;
          yield { type: 'failure', failure: failure('cut', { detail }) };
          return;
        }
        if ('fault' in next) {
          const context = { endpoint, now: clock.now(), key: secret };
          const told = streamFailure(next.fault, context);
          const less = isAboutContent(next.fault, told.failure) ? sending.suspects() : null;
          if (less) {
            watch.end();
            yield* this.#stream(request, signal, less);
            return;
          }
          yield { type: 'failure', ...told };
          return;
        }
        sending.taken();
        for (const event of accumulator.add(next.event)) {
          if (signal.aborted) return;
          yield event;
        }
      }
      if (signal.aborted) return;
      if (!accumulator.finished) yield { type: 'failure', failure: failure('cut') };
    } finally {
      watch.end();
    }
  }

  /** Tokens that a prompt and an answer of this model may have; the API is asked once. Never throws. */
  async window(id: string): Promise<{ prompt: number; output: number }> {
    await (this.#asked ??= this.models());
    const { longestOutput } = await client();
    const model = this.#model(id);
    return { prompt: model.window, output: longestOutput(model) };
  }

  /** The API's list, or the built-in one where the API can't be asked. Never throws. */
  async models(): Promise<readonly ModelInfo[]> {
    const found = await this.ask();
    return 'failure' in found || found.models.length === 0 ? BUILT_IN_MODELS : found.models;
  }

  /** The API's list, or why it could not be had. */
  async ask(): Promise<{ models: readonly ModelInfo[] } | { failure: Failure }> {
    const secret = this.#options.key();
    const { fetch, clock, settings } = this.#options;
    const { endpoint, compatibility } = settings();
    if (secret === null && !compatibility) return { failure: failure('key') };
    const { listModels, streamFailure } = await client();
    const watch = watchStalls(fetch, MODELS_WAIT, clock, new AbortController().signal);
    const { signal } = watch;
    try {
      const asked = { endpoint, compatibility, key: secret, fetch: watch.fetch, signal };
      const listed = await listModels(asked);
      if ('fault' in listed) {
        if (watch.stalled)
          return { failure: failure('cut', { detail: 'The server did not answer.' }) };
        const context = { endpoint, now: clock.now(), key: secret };
        return { failure: streamFailure(listed.fault, context).failure };
      }
      const models = listed.models.map(fromApi);
      if (models.length > 0) this.#known = new Map(models.map((model) => [model.id, model]));
      return { models };
    } finally {
      watch.end();
    }
  }

  #isKnown(id: string): boolean {
    return this.#known.has(id) || builtInModel(id) !== undefined;
  }

  #model(id: string): KnownModel {
    return this.#known.get(id) ?? builtInModel(id) ?? unknownModel(id);
  }
}

/** The server refused what the request holds, which may be a picture that it can't read. */
function isAboutContent(fault: Fault, { kind }: Failure): boolean {
  if (fault.type !== 'answer' || fault.status === undefined) return false;
  return kind === 'invalid-request' || fault.status === 413 || fault.status === 415;
}

function fromApi(model: ListedModel): KnownModel {
  const base = builtInModel(model.id) ?? unknownModel(model.id);
  const types: Partial<ThinkingTypes> | undefined = model.capabilities?.thinking?.types;
  const adaptive = types?.adaptive?.supported ?? base.thinking === 'adaptive';
  const enabled = types?.enabled?.supported ?? base.thinking === 'enabled';
  return {
    id: model.id,
    name: model.display_name ?? base.name,
    thinking: adaptive ? 'adaptive' : enabled ? 'enabled' : 'none',
    off: types ? offOf(types) : base.off,
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
