/** Parley's MCP server: checks requests over HTTP, and keeps a session for each client. */
import * as t from '#messages/mcp-messages';
import { isNestedTooDeeply } from '#text/untrusted-text';
import type { Clock } from '#ports/clock';
import type { LoopbackRequest, OfferedTools, McpClient } from '#ports/app/mcp-server-port';
import { McpSession } from './session';

export interface HttpServerDeps {
  readonly tools: OfferedTools;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly version: string;
  readonly port: number;
  readonly path: string;
  /** The token in the current settings. */
  token(): string;
  /** Called when clients connect or disconnect. */
  changed(): void;
}

const MAX_SESSIONS = 16;
/** How long a client without a request or an open stream still counts as connected. */
const RECENT_MS = 2 * 60_000;
const MAX_NAME_CHARS = 60;

interface Known {
  readonly session: McpSession;
  lastUsedAt: number;
  /** Cancels the notice that the last request is no longer recent. */
  cancelAging(): void;
}

export class McpHttpServer {
  readonly #deps: HttpServerDeps;
  readonly #sessions = new Map<string, Known>();
  #closed = false;

  constructor(deps: HttpServerDeps) {
    this.#deps = deps;
  }

  /**
   * Clients with an open stream or a recent request. Most clients disconnect without notice, so a
   * session alone does not count.
   */
  clients(): readonly McpClient[] {
    const since = this.#deps.clock.now() - RECENT_MS;
    return [...this.#sessions.values()]
      .filter(({ session, lastUsedAt }) => !session.isIdle || lastUsedAt > since)
      .map(({ session }) => session.client);
  }

  toolsChanged(): void {
    for (const { session } of this.#sessions.values()) session.toolsChanged();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map(({ session }) => session.end()));
  }

  /** Hides the messages of internal errors, because they may reveal details of this computer. */
  readonly answer = (request: LoopbackRequest): Promise<Response> =>
    this.#answer(request).catch(() => errorResponse(500, t.serverFailed));

  async #answer(request: LoopbackRequest): Promise<Response> {
    const { port, path } = this.#deps;
    const access: ServerAccess = { port, path, token: this.#deps.token() };
    const no = refusal(request, access);
    if (no) return no;
    const text = request.method === 'POST' ? await request.body() : '';
    if (text === null) return errorResponse(413, t.requestTooLong);
    const body = request.method === 'POST' ? parsed(text) : undefined;
    // A request can still arrive over an open connection.
    if (this.#closed) return errorResponse(503, t.servesNoMore);
    const id = request.headers['mcp-session-id'];
    if (id === undefined && isInitialize(body)) return this.#begin(request, body);
    if (id === undefined) {
      return errorResponse(400, t.sessionMissing);
    }
    const known = this.#sessions.get(id);
    if (!known) return errorResponse(404, t.sessionOver);
    this.#use(known);
    // A stream may be open for long.
    request.signal.addEventListener('abort', () => this.#use(known), { once: true });
    return known.session.answer(webRequest(request), body, request.signal);
  }

  async #begin(request: LoopbackRequest, body: Initialize): Promise<Response> {
    if (this.#sessions.size >= MAX_SESSIONS && !(await this.#makeRoom())) {
      return errorResponse(503, t.tooManyClients(MAX_SESSIONS));
    }
    const { tools, clock, version, changed } = this.#deps;
    const client = { id: crypto.randomUUID(), name: clientName(body) };
    const ended = () => {
      known.cancelAging();
      if (this.#sessions.delete(client.id)) changed();
    };
    const session = new McpSession(client, { tools, clock, version, ended });
    const known: Known = { session, lastUsedAt: 0, cancelAging: () => undefined };
    this.#sessions.set(client.id, known);
    this.#use(known);
    let isBegun = false;
    try {
      await session.begin();
      const response = await session.answer(webRequest(request), body, request.signal);
      isBegun = response.ok;
      return response;
    } finally {
      if (isBegun) changed();
      else await session.end();
    }
  }

  #use(known: Known): void {
    const { clock, changed } = this.#deps;
    if (!this.#sessions.has(known.session.client.id)) return;
    const isBack = known.lastUsedAt > 0 && clock.now() - known.lastUsedAt >= RECENT_MS;
    known.lastUsedAt = clock.now();
    known.cancelAging();
    known.cancelAging = clock.after(RECENT_MS, changed);
    if (isBack) changed();
  }

  /** Ends the session that has been idle longest; returns false if none is idle. */
  async #makeRoom(): Promise<boolean> {
    const idle = [...this.#sessions.values()].filter(({ session }) => session.isIdle);
    const [longest] = idle.sort((one, other) => one.lastUsedAt - other.lastUsedAt);
    await longest?.session.end();
    return longest !== undefined;
  }
}

interface Initialize {
  readonly method: 'initialize';
  readonly params?: { readonly clientInfo?: { readonly title?: unknown; readonly name?: unknown } };
}

function isInitialize(body: unknown): body is Initialize {
  return (body as { method?: unknown } | null)?.method === 'initialize';
}

/**
 * The client's name on one line and shortened, because it appears in titles and in text for the
 * model.
 */
function clientName({ params }: Initialize): string {
  const { title, name } = params?.clientInfo ?? {};
  const given = [title, name].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  const plain = (given ?? '').replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  return plain === '' ? t.unnamedClient : plain.slice(0, MAX_NAME_CHARS);
}

/**
 * Returns undefined for invalid or too deeply nested JSON, so that the package answers with the
 * right error.
 */
function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isNestedTooDeeply(body) ? undefined : body;
  } catch {
    return undefined;
  }
}

/** The headers that the package reads. `Request` would reject some of the others. */
const HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-session-id',
  'last-event-id',
];

function webRequest({ method, path, headers, signal }: LoopbackRequest): Request {
  const kept = HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  const body = method === 'POST' ? { body: '' } : {};
  return new Request(`http://127.0.0.1${path}`, { method, headers: kept, signal, ...body });
}

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerAccess {
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

/** Returns the error response for a request that is not allowed; null if it is. */
export function refusal(
  { method, path, headers }: IncomingRequest,
  access: ServerAccess,
): Response | null {
  const { port, token } = access;
  const host = headers['host'] ?? '';
  // Prevents DNS rebinding: a host name that an attacker points at this computer would appear here.
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return errorResponse(403, t.hostRefused(port));
  }
  if (headers['origin'] !== undefined && !isLoopback(headers['origin'])) {
    return errorResponse(403, t.originRefused);
  }
  if (path !== access.path) return errorResponse(404, t.pathUnknown(access.path));
  if (!['GET', 'POST', 'DELETE'].includes(method)) {
    return errorResponse(405, t.methodUnknown, {
      allow: 'GET, POST, DELETE',
    });
  }
  const given = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return null;
  return errorResponse(401, t.tokenWrong, { 'www-authenticate': 'Bearer realm="Parley"' });
}

/** An error in JSON-RPC format, so that the client can show it. */
export function errorResponse(status: number, message: string, headers = {}): Response {
  const error = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  return new Response(JSON.stringify(error), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function isLoopback(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin);
}

/** Compares in the same time for all tokens of a length, so that timing reveals nothing. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at % wanted.length);
  }
  return difference === 0;
}
