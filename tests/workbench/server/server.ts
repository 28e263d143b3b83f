/** Serves the page and gives it access to the vault. Listens on this computer only. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Disk } from '../disk/disk';
import type { FakeSmartHole } from '../smarthole/fake-smarthole';
import { answerDisk, confined } from './disk-api';
import { answerModelPanel, type DemoModelServer } from './model-panel';
import { answerSmartHolePanel } from './smarthole-panel';

export interface WorkbenchServerOptions {
  readonly disk: Disk;
  /** Folder with the built page. */
  readonly pageDir: string;
  readonly session: Session;
  /** Secrets by name, kept in this process and never in the vault. */
  readonly secrets: Map<string, string>;
  readonly demo: DemoModelServer | null;
  readonly smartHole: FakeSmartHole | null;
  readonly port?: number;
}

export interface WorkbenchServer {
  /** Includes the token, which gives access to the vault. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startWorkbenchServer(
  options: WorkbenchServerOptions,
): Promise<WorkbenchServer> {
  const { disk, pageDir, session, secrets, demo, smartHole } = options;
  const guard = createGuard();
  const listeners = new Set<ServerResponse>();
  const watch = disk.watch((changed) => {
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(changed)}\n\n`);
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://workbench');
    if (!guard.isForUs(req)) return refuse(res, 403, 'This is another server.');
    if (!url.pathname.startsWith('/api/')) return sendPage(req, res, url);
    if (!guard.admits(req)) return refuse(res, 403, 'Open the address that npm start printed.');
    try {
      await answerApi(req, res, url);
    } catch (error) {
      if (res.headersSent) res.destroy();
      else sendProblem(res, error);
    }
  }

  async function answerApi(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const [, , part = '', ...rest] = url.pathname.split('/');
    const op = rest.join('/');
    if (req.method === 'GET') {
      if (part === 'changes') return listen(req, res);
      if (part === 'file') return sendFile(res, decodeURIComponent(op));
      return refuse(res, 404, 'There is no such thing here.');
    }
    if (req.method !== 'POST') return refuse(res, 405, 'Only GET and POST.');
    const body = await bodyOf(req);
    // If the request has a body, the arguments are in the URL.
    const given = url.searchParams.get('args') ?? body.toString('utf8');
    const args = JSON.parse(given) as unknown[];
    switch (part) {
      case 'session':
        return sendValue(res, { ...session, secrets: Object.fromEntries(secrets) });
      case 'secret':
        return sendValue(res, keepSecret(args));
      case 'disk': {
        const answered = await answerDisk(disk, { op, args, body });
        if (!('bytes' in answered)) return sendValue(res, answered.value);
        const { bytes, lengths } = answered;
        return sendBytes(res, bytes, lengths && { lengths });
      }
      case 'request': {
        const { bytes, ...about } = await proxyRequest(args[0] as ProxiedRequest, body);
        return sendBytes(res, bytes, about);
      }
      case 'model':
        if (!demo) throw new Error('No demo model runs: a real model answers.');
        return sendValue(res, answerModelPanel(demo, op, args));
      case 'smarthole':
        if (!smartHole) throw new Error('No simulated SmartHole runs.');
        return sendValue(res, await answerSmartHolePanel(smartHole, op, args));
      default:
        return refuse(res, 404, 'There is no such thing here.');
    }
  }

  function keepSecret([id, secret]: unknown[]): null {
    secrets.set(String(id), String(secret));
    return null;
  }

  function listen(req: IncomingMessage, res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    res.write(': listening\n\n');
    listeners.add(res);
    req.once('close', () => listeners.delete(res));
  }

  async function sendFile(res: ServerResponse, file: string): Promise<void> {
    const bytes = await disk.readBinary(await confined(disk.base, file));
    // Files may only be shown as pictures: HTML of a note must not run with the page's origin.
    res.writeHead(200, {
      'content-type': TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    res.end(Buffer.from(bytes));
  }

  function sendPage(req: IncomingMessage, res: ServerResponse, url: URL): void {
    if (req.method !== 'GET') return refuse(res, 405, 'Only GET.');
    const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
    const file = path.join(pageDir, name);
    if (!/^[\w.-]+$/.test(name) || !existsSync(file)) return refuse(res, 404, 'Not here.');
    const opens = name === 'index.html' && guard.knows(url.searchParams.get('token'));
    res.writeHead(200, {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      ...(opens && { 'set-cookie': guard.cookie(portOf(server.address())) }),
    });
    createReadStream(file).pipe(res);
  }

  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/?token=${guard.token}`,
    close: () =>
      new Promise((resolve) => {
        watch.close();
        server.close(() => resolve());
        // An open page keeps its connection for change events.
        server.closeAllConnections();
      }),
  };
}

function portOf(address: string | AddressInfo | null): number {
  return (address as AddressInfo).port;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** What the page needs to know about this run. */
export interface Session {
  /** Absolute path of the vault folder. */
  readonly base: string;
  readonly configDir: string;
  /** The plugin in the vault's configuration folder. */
  readonly pluginId: string;
  /** Settings for this run only, which are not saved. */
  readonly settings: Record<string, unknown>;
  /** Description of the model, for the bar at the top of the page. */
  readonly model: string;
  readonly hasDemoModel: boolean;
  readonly hasSimulatedSmartHole: boolean;
  /** Whether a SmartHole answered when the server started. */
  readonly isSmartHoleFound: boolean;
  readonly platform: 'win32' | 'darwin' | 'linux';
}

/** The session with its secrets, as the page receives it. */
export interface OpenedSession extends Session {
  readonly secrets: Record<string, string>;
}

export interface Guard {
  /** Part of the printed URL; the page then keeps it in a cookie. */
  readonly token: string;
  /** Value of the `Set-Cookie` header when the page is opened with the token. */
  cookie(port: number): string;
  /**
   * Whether the Host header names this server. Otherwise a foreign domain points here (DNS
   * rebinding).
   */
  isForUs(req: IncomingMessage): boolean;
  /** Whether this is the token, compared in constant time. */
  knows(token: string | null): boolean;
  /** Whether the request comes from the page and has the token in its cookie. */
  admits(req: IncomingMessage): boolean;
}

/**
 * Restricts the API to the workbench's own page; other sites and programs do not have the token.
 */
function createGuard(): Guard {
  const token = randomBytes(24).toString('base64url');
  const knows = (given: string | null): boolean => {
    const [one, other] = [Buffer.from(given ?? ''), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
  };
  return {
    token,
    knows,
    // The port is part of the name because cookies are shared by all ports of a host, and two
    // workbenches may run at once.
    cookie: (port) => `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    isForUs: (req) => ownHosts(req).includes(req.headers.host ?? ''),
    admits(req) {
      const { origin } = req.headers;
      // Browsers omit the origin of same-origin GET requests; if there is one, it must be ours.
      if (origin !== undefined && !ownHosts(req).some((host) => origin === `http://${host}`)) {
        return false;
      }
      return knows(cookieOf(req, cookieName(req.socket.localPort ?? 0)));
    },
  };
}

function ownHosts({ socket }: IncomingMessage): string[] {
  return ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort ?? 0}`);
}

const cookieName = (port: number) => `workbench-${port}`;

function cookieOf(req: IncomingMessage, name: string): string | null {
  for (const each of (req.headers.cookie ?? '').split(';')) {
    const [key, value] = each.trim().split('=');
    if (key === name) return value ?? null;
  }
  return null;
}

const MAX_BYTES = 512 * 1024 * 1024;

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new Error('That is more than the workbench takes at once.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function sendValue(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify({ value: value ?? null }));
}

function sendBytes(res: ServerResponse, bytes: ArrayBuffer, about?: object): void {
  res.writeHead(200, {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    ...(about && { 'x-about': encodeURIComponent(JSON.stringify(about)) }),
  });
  res.end(Buffer.from(bytes));
}

/** With status 200, because browsers log failed requests as errors of the page. */
function sendProblem(res: ServerResponse, error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException;
  res.writeHead(200, { 'content-type': 'application/json', 'x-problem': 'yes' });
  res.end(JSON.stringify({ problem: { message, ...(typeof code === 'string' && { code }) } }));
}

function refuse(res: ServerResponse, status: number, words: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  res.end(words);
}

/**
 * `requestUrl` for the page. In Obsidian it is not subject to CORS, so the server makes the
 * request.
 */
interface ProxiedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: ArrayBuffer;
}

async function proxyRequest(
  { url, method, headers }: ProxiedRequest,
  body: Uint8Array,
): Promise<ProxiedAnswer> {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error(`${url} is no web address.`);
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const answer = await fetch(url, {
    method,
    headers,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    bytes: await answer.arrayBuffer(),
  };
}
