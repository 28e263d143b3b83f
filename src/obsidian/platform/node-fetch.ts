/**
 * `fetch` over Node's http and https. The window's fetch sends an Origin header that some
 * organizations and many gateways reject; `requestUrl` can neither stream nor abort. Node ignores
 * the system's proxy and certificates, so a connection that fails, or takes too long behind a
 * firewall, is retried once with the window's fetch. An origin where that worked keeps using it.
 */
import * as t from '#messages/turn-ending-messages';
import type { NodeModules } from './node-modules';

/** What sends the requests to an origin. */
export type FetchTransport = 'node' | 'window';

export interface DesktopFetch {
  readonly fetch: typeof fetch;
  /** The transport in use for the origin of a URL, for the connection check in the settings. */
  transportFor(url: string): FetchTransport;
}

/** A firewall that drops packets would let a connection wait for minutes. */
const CONNECT_TIMEOUT_MS = 8_000;

/** @param timeoutMs maximum time to connect, including TLS */
export function desktopFetch(
  node: NodeModules,
  windowFetch: typeof fetch,
  timeoutMs = CONNECT_TIMEOUT_MS,
): DesktopFetch {
  const transports = new Map<string, FetchTransport>();
  const wayTo = (url: string): FetchTransport => transports.get(new URL(url).origin) ?? 'node';
  // When following a redirect, the window's fetch would send all headers along, including the API
  // key.
  const inWindow = (url: string, init?: RequestInit) =>
    windowFetch(url, { ...init, redirect: 'manual' });
  const once = async (url: string, init?: RequestInit): Promise<Response> => {
    if (wayTo(url) === 'window') return inWindow(url, init);
    let isConnected = false;
    try {
      return await nodeFetch(node, url, init ?? {}, timeoutMs, () => (isConnected = true));
    } catch (error) {
      // Never send a request twice that may have arrived.
      if (isConnected || init?.signal?.aborted || error instanceof TypeError) throw error;
      let response: Response;
      try {
        response = await inWindow(url, init);
      } catch {
        if (init?.signal?.aborted) throw aborted();
        // Node's error names the cause; the window's fetch only says that it failed.
        throw error;
      }
      transports.set(new URL(url).origin, 'window');
      return response;
    }
  };
  return {
    transportFor: wayTo,
    fetch: async (input, init) => {
      let url = addressOf(input);
      for (let followed = 0; ; followed += 1) {
        const response = await once(url, init);
        const next = init?.redirect === 'manual' ? null : redirectTarget(response, url, followed);
        if (next === null) return response;
        await response.body?.cancel();
        url = next;
      }
    },
  };
}

const MAX_REDIRECTS = 5;

/**
 * The URL that a response redirects to; null if it is no redirect. The request is repeated there
 * with its method and its key.
 *
 * @throws TypeError if the key must not be sent there, or after too many redirects
 */
function redirectTarget(
  { type, status, headers }: Response,
  url: string,
  followed: number,
): string | null {
  if (type === 'opaqueredirect') throw new TypeError(t.redirected);
  const location = headers.get('location');
  if (![301, 302, 307, 308].includes(status) || !location || !URL.canParse(location, url)) {
    return null;
  }
  const [from, to] = [new URL(url), new URL(location, url)];
  const isSame =
    to.origin === from.origin ||
    (from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname);
  if (isSame && followed < MAX_REDIRECTS) return to.href;
  // The query is left out because it may contain a secret.
  if (isSame) throw new TypeError(t.tooManyRedirects(to.origin, to.pathname, status));
  throw new TypeError(t.redirectedTo(to.origin, to.pathname, status));
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
}

function aborted(): DOMException {
  return new DOMException(t.requestStopped, 'AbortError');
}

/** @param connected called before anything is sent */
function nodeFetch(
  node: NodeModules,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  connected: () => void,
): Promise<Response> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted());
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = bodyOf(init.body);
    // Some gateways do not accept chunked uploads, so send the length.
    if (body !== null) headers['content-length'] = String(new TextEncoder().encode(body).length);
    const isSecure = url.startsWith('https:');
    const { request } = isSecure ? node.https : node.http;
    const sent = request(url, { method: init.method ?? 'GET', headers });
    const late = node.timers.setTimeout(() => {
      sent.destroy(Object.assign(new Error(t.noResponse), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const isThere = () => {
      node.timers.clearTimeout(late);
      connected();
    };
    sent.on('socket', (socket) => {
      // A reused socket, or one opened by a proxy agent, is already connected.
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', isThere);
      else isThere();
    });
    const stop = () => sent.destroy(aborted());
    signal?.addEventListener('abort', stop, { once: true });
    const letGo = () => {
      node.timers.clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    };
    sent.on('error', (error) => {
      letGo();
      reject(signal?.aborted ? aborted() : error);
    });
    sent.on('response', (incoming) => {
      try {
        const bytes = streamOf(incoming, signal ?? null, letGo);
        resolve(responseOf(incoming, bytes));
      } catch (error) {
        // `Response` rejects an invalid status or header name. Thrown from this event handler, the
        // error would be lost.
        incoming.destroy();
        reject(new TypeError(t.responseInvalid, { cause: error }));
      }
    });
    if (body !== null) sent.write(body);
    sent.end();
  });
}

function responseOf(
  incoming: import('node:http').IncomingMessage,
  bytes: ReadableStream<Uint8Array>,
): Response {
  const status = incoming.statusCode ?? 0;
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : bytes, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers: headersOf(incoming.headers),
  });
}

function bodyOf(body: RequestInit['body']): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  throw new TypeError(t.onlyText);
}

function headersOf(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
}

/** Streams the body. An abort fails it with an AbortError, a lost connection with another error. */
function streamOf(
  incoming: import('node:http').IncomingMessage,
  signal: AbortSignal | null,
  letGo: () => void,
): ReadableStream<Uint8Array> {
  let ended = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (act: () => void) => {
        if (ended) return;
        ended = true;
        letGo();
        act();
      };
      incoming.on('data', (chunk: Uint8Array) => {
        if (ended) return;
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 1) <= 0) incoming.pause();
      });
      incoming.on('end', () => end(() => controller.close()));
      incoming.on('error', (error) =>
        end(() => controller.error(signal?.aborted ? aborted() : error)),
      );
      incoming.on('close', () =>
        end(() =>
          controller.error(signal?.aborted ? aborted() : new TypeError(t.connectionClosed)),
        ),
      );
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      ended = true;
      letGo();
      incoming.destroy();
    },
  });
}
