/**
 * `fetch` over Node's http and https. A page's own fetch sends an Origin, which some organizations refuse and many
 * gateways do not allow; `requestUrl` can neither stream nor abort. Node knows neither the system's proxy nor its
 * certificates, so what it can't connect to is tried once by the window's fetch, and the way that worked is kept.
 */
import type { NodeModules } from './platform';

/** Which way requests to an endpoint go. */
export type FetchTransport = 'node' | 'window';

export interface DesktopFetch {
  readonly fetch: typeof fetch;
  /** The way in use for an address's origin, for the settings' check. */
  transportFor(url: string): FetchTransport;
}

export function desktopFetch(node: NodeModules | null, windowFetch: typeof fetch): DesktopFetch {
  const ways = new Map<string, FetchTransport>();
  const wayTo = (url: string): FetchTransport =>
    node ? (ways.get(new URL(url).origin) ?? 'node') : 'window';
  // A page would take all headers along, the key among them, to wherever a server points.
  const inWindow = (url: string, init?: RequestInit) =>
    windowFetch(url, { ...init, redirect: 'manual' });
  const once = async (url: string, init?: RequestInit): Promise<Response> => {
    if (!node || wayTo(url) === 'window') return inWindow(url, init);
    let isConnected = false;
    try {
      return await nodeFetch(node, url, init ?? {}, () => (isConnected = true));
    } catch (error) {
      // What may have arrived is not sent a second time.
      if (isConnected || !mayWorkInWindow(error)) throw error;
      let response: Response;
      try {
        response = await inWindow(url, init);
      } catch {
        if (init?.signal?.aborted) throw aborted();
        // What Node said names the cause; a page's fetch only says that it failed.
        throw error;
      }
      ways.set(new URL(url).origin, 'window');
      return response;
    }
  };
  return {
    transportFor: wayTo,
    fetch: async (input, init) => {
      let url = addressOf(input);
      for (let followed = 0; ; followed += 1) {
        const response = await once(url, init);
        const next = init?.redirect === 'manual' ? null : whereTo(response, url, followed);
        if (next === null) return response;
        await response.body?.cancel();
        url = next;
      }
    },
  };
}

const MAX_REDIRECTS = 5;

/**
 * Where a server points instead of answering; null where it answers. The request goes there as it was, with its method
 * and its key.
 *
 * @throws where that is no place for the key, or no end of it
 */
function whereTo(
  { type, status, headers }: Response,
  url: string,
  followed: number,
): string | null {
  if (type === 'opaqueredirect') throw new TypeError('It points to another address.');
  const location = headers.get('location');
  if (![301, 302, 307, 308].includes(status) || !location || !URL.canParse(location, url)) {
    return null;
  }
  const [from, to] = [new URL(url), new URL(location, url)];
  const isSame =
    to.origin === from.origin ||
    (from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname);
  if (isSame && followed < MAX_REDIRECTS) return to.href;
  // What stands behind its path may be a secret.
  throw new TypeError(
    `It points to ${to.origin}${to.pathname} (${status}), where the key is not sent.`,
  );
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
}

/** Refused, unresolved or untrusted: a proxy or a certificate of the system may be missing. */
function mayWorkInWindow(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code) ||
      /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
  );
}

function aborted(): DOMException {
  return new DOMException('The request was stopped.', 'AbortError');
}

/** @param connected told before anything is sent */
function nodeFetch(
  node: NodeModules,
  url: string,
  init: RequestInit,
  connected: () => void,
): Promise<Response> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted());
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = bodyOf(init.body);
    // Known before it is sent, so that gateways without chunked uploads take it.
    if (body !== null) headers['content-length'] = String(new TextEncoder().encode(body).length);
    const isSecure = url.startsWith('https:');
    const { request } = isSecure ? node.https : node.http;
    const sent = request(url, { method: init.method ?? 'GET', headers });
    sent.on('socket', (socket) => {
      // One that is used again, or that a proxy's agent has opened, stands already.
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    const stop = () => sent.destroy(aborted());
    signal?.addEventListener('abort', stop, { once: true });
    const letGo = () => signal?.removeEventListener('abort', stop);
    sent.on('error', (error) => {
      letGo();
      reject(signal?.aborted ? aborted() : error);
    });
    sent.on('response', (incoming) => {
      try {
        const bytes = streamOf(incoming, signal ?? null, letGo);
        resolve(responseOf(incoming, bytes));
      } catch (error) {
        // A status or a name that no response may have. Thrown from here it would reach nobody.
        incoming.destroy();
        reject(new TypeError('The response is none that can be told.', { cause: error }));
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
  throw new TypeError('Only a text can be sent.');
}

function headersOf(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
}

/** The body as it arrives; an abort breaks it off as an abort, a dead socket as an error. */
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
          controller.error(
            signal?.aborted ? aborted() : new TypeError('The connection was closed.'),
          ),
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
