/** All that asking needs: one client of Anthropic's SDK, requests, a stream of messages, and what its errors mean. */
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import { Models } from '@anthropic-ai/sdk/resources/models';
import type { anthropicRequest } from './anthropic-request';

export { streamFailure } from './anthropic-failure';
export { anthropicRequest, longestOutput } from './anthropic-request';
export { StreamAccumulator } from './anthropic-stream';

/** A third of the size of the full client: only what is asked here. */
class LeanClient extends BaseAnthropic {
  readonly models = new Models(this);
}

export interface ClientOptions {
  readonly endpoint: string;
  readonly compatibility: boolean;
  /** Null where none is set. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
}

export function clientFor({ endpoint, compatibility, key, fetch }: ClientOptions): LeanClient {
  return new LeanClient({
    apiKey: key ?? 'none',
    baseURL: endpoint,
    fetch,
    maxRetries: 0,
    // What it can't parse it would print, and that may be a note's text. Failures are told as events.
    logLevel: 'off',
    openTelemetry: false,
    // A desktop app: the key lies in the person's own secret storage and goes to the endpoint they chose.
    dangerouslyAllowBrowser: true,
    ...(compatibility
      ? { defaultHeaders: { 'anthropic-version': '2023-06-01', 'x-api-key': key ?? 'none' } }
      : {}),
  });
}

type Next = { done: true } | { done: false; event: RawMessageStreamEvent } | { error: unknown };

/**
 * The stream's events one by one, with whatever the connection throws as a value, so that our own faults still throw.
 * Posted directly: `messages.create` does the same and speaks to the console of models that will retire.
 */
export function openStream(
  client: LeanClient,
  body: ReturnType<typeof anthropicRequest>,
  signal: AbortSignal,
): () => Promise<Next> {
  let iterator: AsyncIterator<RawMessageStreamEvent> | undefined;
  return async () => {
    try {
      if (!iterator) {
        const options = { body, stream: true, signal };
        const opened = await client.post<Stream<RawMessageStreamEvent>>('/v1/messages', options);
        iterator = opened[Symbol.asyncIterator]();
      }
      const next = await iterator.next();
      return next.done ? { done: true } : { done: false, event: next.value };
    } catch (error) {
      return { error };
    }
  };
}
