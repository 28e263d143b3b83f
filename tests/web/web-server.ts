/**
 * One local server that plays the web: public host names resolve to it, and a test can make others
 * resolve elsewhere.
 */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { pageHost } from '#obsidian/platform/page-loader';
import type { PageHost } from '#ports/web';
import { NODE } from '#tests/builders/node-modules';
import { CERTIFICATE, KEY } from './certificate';

export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface LocalWeb {
  readonly host: PageHost;
  readonly port: number;
  /** Requested host names with paths. */
  readonly asked: string[];
  /** Host names that were looked up. */
  readonly looked: string[];
  /** Server names (SNI) of the https connections. */
  readonly greeted: string[];
  close(): void;
}

/** The tests treat this address as a public one. */
const HERE = '127.0.0.1';

/**
 * @param pages answers by path
 * @param names addresses of each host name, lookup by lookup; other names resolve to this server
 * @param secure serves over https, with a certificate that the client trusts or not
 */
export async function localWeb(
  pages: Readonly<Record<string, Answer>>,
  names: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  networks: readonly string[] = [],
  secure?: { readonly isTrusted: boolean },
): Promise<LocalWeb> {
  const asked: string[] = [];
  const looked: string[] = [];
  const greeted: string[] = [];
  const listen: http.RequestListener = (request, response) => {
    const path = request.url ?? '';
    asked.push(`${(request.headers.host ?? '').replace(/:\d+$/, '')}${path}`);
    const answer = pages[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end('nothing');
  };
  const SNICallback = (name: string, goOn: (error: null) => void) => {
    greeted.push(name);
    goOn(null);
  };
  const server = secure
    ? https.createServer({ key: KEY, cert: CERTIFICATE, SNICallback }, listen)
    : http.createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, HERE, resolve));
  const { port } = server.address() as AddressInfo;
  const lookup = (
    name: string,
    _options: object,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const times = looked.filter((each) => each === name).length;
    looked.push(name);
    const found = names[name]?.[times] ?? names[name]?.at(-1) ?? [HERE];
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const trusting = (url: URL, options: object) =>
    https.request(url, { ...options, ca: CERTIFICATE });
  const real = pageHost({
    ...NODE,
    dns: { ...NODE.dns, lookup: lookup as never },
    https: secure?.isTrusted ? { ...https, request: trusting as never } : https,
  });
  const host: PageHost = {
    ...real,
    networks: () => networks,
    get: (request) =>
      real.get({
        ...request,
        mayConnect: (address) => address === HERE || request.mayConnect(address),
      }),
  };
  return {
    ...{ host, port, asked, looked, greeted },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function html(body: string, head = ''): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`);
  };
}

export function to(place: string, status = 302): Answer {
  return (_request, response) => {
    response.writeHead(status, { location: place }).end();
  };
}

export function raw(headers: Record<string, string>, body: string | Buffer = ''): Answer {
  return (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}
