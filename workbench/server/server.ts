/** Serves the page and gives it access to the vault. Listens on this computer only. */
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Disk } from '#workbench/disk/disk';
import { bodyOf, refuse, sendBytes, sendProblem, sendValue } from './bodies';
import type { FakeSmartHole } from '#workbench/smarthole/pretend';
import { confined } from './confined';
import { answerDisk } from './disk-api';
import { createGuard } from './guard';
import { answerModelPanel, type ModelStandIn } from './model-panel';
import { answerSmartHolePanel } from './smarthole-panel';
import { proxyRequest, type ProxiedRequest } from './request-proxy';
import type { Session } from './session';

export interface WorkbenchServerOptions {
  readonly disk: Disk;
  /** Folder with the built page. */
  readonly pageDir: string;
  readonly session: Session;
  /** Secrets by name, kept in this process and never in the vault. */
  readonly secrets: Map<string, string>;
  readonly standIn: ModelStandIn | null;
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
  const { disk, pageDir, session, secrets, standIn, smartHole } = options;
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
        if ('bytes' in answered) return sendBytes(res, answered.bytes);
        return sendValue(res, answered.value);
      }
      case 'request': {
        const { bytes, ...about } = await proxyRequest(args[0] as ProxiedRequest, body);
        return sendBytes(res, bytes, about);
      }
      case 'model':
        if (!standIn) throw new Error('No stand-in runs: a real model answers.');
        return sendValue(res, answerModelPanel(standIn, op, args));
      case 'smarthole':
        if (!smartHole) throw new Error('No pretend SmartHole runs.');
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
