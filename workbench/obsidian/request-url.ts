import type { RequestUrlParam, RequestUrlResponse, RequestUrlResponsePromise } from 'obsidian';

/** Not bound by the rules for web pages, as in the app: any origin, all headers. */
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

async function send(request: RequestUrlParam): Promise<RequestUrlResponse> {
  const headers = new Headers(request.headers);
  if (request.contentType) headers.set('content-type', request.contentType);
  const answer = await fetch(request.url, {
    method: request.method ?? 'GET',
    headers,
    ...(request.body !== undefined && { body: request.body }),
  });
  const arrayBuffer = await answer.arrayBuffer();
  const head = { status: answer.status, headers: Object.fromEntries(answer.headers) };
  if (answer.status >= 400 && request.throw !== false) {
    throw Object.assign(new Error(`Request failed, status ${answer.status}`), head);
  }
  const text = new TextDecoder().decode(arrayBuffer);
  return {
    ...head,
    arrayBuffer,
    text,
    // Parsed when asked for, so that an answer that is not JSON can still be read as text.
    get json(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}
