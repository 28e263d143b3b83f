import type { RequestUrlParam, RequestUrlResponse, RequestUrlResponsePromise } from 'obsidian';

/** As in Obsidian, not subject to CORS: any origin and all headers. */
export function requestUrl(request: RequestUrlParam | string): RequestUrlResponsePromise {
  const response = send(typeof request === 'string' ? { url: request } : request);
  return Object.defineProperties(response, {
    arrayBuffer: { get: () => response.then((answer) => answer.arrayBuffer) },
    json: { get: () => response.then((answer): unknown => answer.json) },
    text: { get: () => response.then((answer) => answer.text) },
  }) as RequestUrlResponsePromise;
}

export async function request(parameters: RequestUrlParam | string): Promise<string> {
  return (await requestUrl(parameters)).text;
}

export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | ArrayBuffer | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly arrayBuffer: ArrayBuffer;
}

let transport: (request: SentRequest) => Promise<RawAnswer> = fetchDirectly;

/**
 * Replaces the transport: a browser page is subject to CORS, so it sends requests through its
 * server.
 */
export function setTransport(next: typeof transport): void {
  transport = next;
}

async function fetchDirectly({ url, method, headers, body }: SentRequest): Promise<RawAnswer> {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    arrayBuffer: await answer.arrayBuffer(),
  };
}

async function send(request: RequestUrlParam): Promise<RequestUrlResponse> {
  const given = new Headers(request.headers);
  if (request.contentType) given.set('content-type', request.contentType);
  const { status, headers, arrayBuffer } = await transport({
    url: request.url,
    method: request.method ?? 'GET',
    headers: Object.fromEntries(given),
    body: request.body,
  });
  const head = { status, headers };
  if (status >= 400 && request.throw !== false) {
    throw Object.assign(new Error(`Request failed, status ${status}`), head);
  }
  const text = new TextDecoder().decode(arrayBuffer);
  return {
    ...head,
    arrayBuffer,
    text,
    // Parsed lazily, so that a response that is not JSON can still be read as text.
    get json(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}
