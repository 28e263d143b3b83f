/** All that asking needs: requests over the `fetch` handed in, what comes back, and what it means when nothing does. */
import { _iterSSEMessages as serverSentEvents } from '@anthropic-ai/sdk/core/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { Fault } from './anthropic-failure';
import type { anthropicRequest } from './anthropic-request';

export { streamFailure } from './anthropic-failure';
export { anthropicRequest, longestOutput } from './anthropic-request';
export { StreamAccumulator } from './anthropic-stream';
export { ShownFiles } from './shown-files';

export interface Asked {
  readonly endpoint: string;
  readonly compatibility: boolean;
  /** Null where none is set. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Compatible servers leave out most of it, whatever the types say. */
export type ListedModel = Partial<ModelInfo> & Pick<ModelInfo, 'id'>;

interface ModelPage {
  readonly data?: unknown;
  readonly has_more?: boolean;
  readonly last_id?: string;
}

/** One request, asked once: to ask again is up to the loop. */
async function send(
  { endpoint, compatibility, key, fetch, signal }: Asked,
  path: string,
  init: RequestInit = {},
): Promise<{ response: Response } | { fault: Fault }> {
  const secret = key ?? 'none';
  // Headers take these alone; space around it is none of theirs.
  if (!/^[!-~]+$/.test(secret.trim())) return { fault: { type: 'unfit-key' } };
  let response: Response;
  try {
    response = await fetch(`${endpoint.replace(/\/$/, '')}${path}`, {
      ...init,
      signal,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'Parley',
        authorization: `Bearer ${secret}`,
        'anthropic-version': compatibility ? '2023-06-01' : '2026-10-21',
        // A desktop app: the key lies in the person's own secret storage and goes to the endpoint they chose.
        'anthropic-dangerous-direct-browser-access': 'true',
        ...(compatibility ? { 'x-api-key': secret } : {}),
      },
    });
  } catch (cause) {
    return { fault: { type: 'unreached', cause } };
  }
  if (response.ok) return { response };
  const { status, headers } = response;
  return { fault: { type: 'answer', status, headers, body: parsed(await beginningOf(response)) } };
}

/** More of what is said of a failure tells nobody more, and some servers come to no end. */
const MOST_SAID = 65_536;

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let said = '';
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      said += decoder.decode(next.value, { stream: true });
      if (said.length > MOST_SAID) break;
    }
    await reader?.cancel();
  } catch {
    // Broken off: what came has to do.
  }
  return said;
}

/** The events of a reply one by one; nothing comes after a fault. */
export async function* streamEvents(
  asked: Asked,
  body: ReturnType<typeof anthropicRequest>,
): AsyncGenerator<{ event: RawMessageStreamEvent } | { fault: Fault }> {
  const sent = await send(asked, '/v1/messages', { method: 'POST', body: JSON.stringify(body) });
  if ('fault' in sent) {
    yield sent;
    return;
  }
  const { response } = sent;
  if (response.headers.get('content-type')?.includes('json')) {
    yield { fault: unstreamed(response.headers, parsed(await beginningOf(response))) };
    return;
  }
  try {
    for await (const { event, data } of serverSentEvents(response, new AbortController())) {
      if (event === 'error') {
        const { headers } = response;
        yield { fault: { type: 'answer', headers, body: parsed(data) } };
        return;
      }
      // Without a name it is none of the API's.
      if (event === null || event === 'ping' || data === '') continue;
      const said: unknown = JSON.parse(data);
      if (!isEvent(said)) throw new SyntaxError('A line was no event.');
      yield { event: said };
    }
  } catch (cause) {
    yield { fault: { type: 'broken', cause } };
  }
}

/** Why a whole answer came where a stream was asked for. One that is no error may hold a note's text. */
function unstreamed(headers: Headers, body: unknown): Fault {
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return isError
    ? { type: 'answer', headers, body }
    : { type: 'broken', cause: new TypeError('It was no stream.') };
}

/** Of each type of event, what it is nothing without. */
const HOLDS: Readonly<Record<string, string>> = {
  message_start: 'message',
  content_block_start: 'content_block',
  content_block_delta: 'delta',
  message_delta: 'delta',
};

function isEvent(said: unknown): said is RawMessageStreamEvent {
  if (typeof said !== 'object' || said === null) return false;
  const event = said as Record<string, unknown>;
  const held = HOLDS[String(event.type)];
  return held === undefined || (typeof event[held] === 'object' && event[held] !== null);
}

/** All models that the endpoint has, page by page. */
export async function listModels(
  asked: Asked,
): Promise<{ models: readonly ListedModel[] } | { fault: Fault }> {
  const models: ListedModel[] = [];
  let from = '';
  for (;;) {
    const sent = await send(asked, `/v1/models?limit=100${from}`);
    if ('fault' in sent) return sent;
    let page: ModelPage | null;
    try {
      page = (await sent.response.json()) as ModelPage | null;
    } catch (cause) {
      return { fault: { type: 'broken', cause } };
    }
    const found = Array.isArray(page?.data) ? page.data.filter(isModel) : [];
    models.push(...found);
    const next = `&after_id=${encodeURIComponent(page?.last_id ?? '')}`;
    // A server that gives the same page again would be asked for ever.
    if (!page?.has_more || found.length === 0 || next === from) return { models };
    from = next;
  }
}

function isModel(each: unknown): each is ListedModel {
  return typeof (each as Partial<ModelInfo> | null)?.id === 'string';
}

/** A server in front of the API may answer with a page. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
