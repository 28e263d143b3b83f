/** HTTP server on 127.0.0.1, which only this computer can reach. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Loopback, LoopbackRequest } from '#ports/app/mcp-server-port';
import type { NodeModules } from './node-modules';

/** Bytes of one request body. */
const MAX_BODY_BYTES = 4_000_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 64;
/** Connections without a request. More end the oldest, so that they cannot keep others out. */
const MAX_SILENT_CONNECTIONS = 32;
/** Milliseconds to wait for the headers, and for the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds for open responses to finish when the server closes. */
const CLOSE_TIMEOUT_MS = 500;

export function loopbackServer(node: NodeModules): Loopback {
  return {
    listen: (port, answer) =>
      new Promise((resolve, reject) => {
        const silent = new Set<Socket>();
        const server = node.http.createServer(
          {
            maxHeaderSize: MAX_HEADER_BYTES,
            headersTimeout: HEADERS_TIMEOUT_MS,
            requestTimeout: REQUEST_TIMEOUT_MS,
          },
          (incoming, outgoing) => {
            silent.delete(incoming.socket);
            const request = requestOf(incoming, outgoing);
            answer(request)
              .then((response) => send(response, outgoing))
              .catch(() => {
                if (!outgoing.headersSent) outgoing.writeHead(500);
                outgoing.end();
              });
          },
        );
        server.maxConnections = MAX_CONNECTIONS;
        server.on('connection', (socket: Socket) => {
          silent.add(socket);
          socket.once('close', () => silent.delete(socket));
          const [oldest] = silent;
          if (silent.size > MAX_SILENT_CONNECTIONS) oldest?.destroy();
        });
        server.once('error', reject);
        server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
          server.off('error', reject);
          resolve({
            close: () =>
              new Promise((closed) => {
                const cut = node.timers.setTimeout(
                  () => server.closeAllConnections(),
                  CLOSE_TIMEOUT_MS,
                );
                server.close(() => {
                  node.timers.clearTimeout(cut);
                  closed();
                });
                server.closeIdleConnections();
              }),
          });
        });
      }),
  };
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): LoopbackRequest {
  const over = new AbortController();
  outgoing.once('close', () => over.abort());
  const [path = '/'] = (incoming.url ?? '/').split('?', 1);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
  return {
    method: incoming.method ?? 'GET',
    path,
    headers,
    body: () => bodyOf(incoming, outgoing),
    signal: over.signal,
  };
}

async function bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const tooLong = () => {
    // The rest of the body stays unread, so the connection can't be reused.
    outgoing.setHeader('connection', 'close');
    return null;
  };
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLong();
  for await (const part of incoming as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return tooLong();
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(whole);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  if (!reader) {
    outgoing.end();
    return;
  }
  // Stop producing the response when the client disconnects.
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  // Send the headers of a stream at once, so that the client knows its request was accepted.
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.on('drain', go).on('close', go);
  });
}
