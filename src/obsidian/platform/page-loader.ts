/**
 * Loads web pages over Node's http and https. Neither the window's fetch nor `requestUrl` reveals
 * the IP address of a host before it connects, so they can't keep requests out of private networks.
 */
import * as networkText from '#messages/turn-ending-messages';
import { htmlToMarkdown } from 'obsidian';
import { AddressRefused, type PageAnswer, type PageHost, type PageRequest } from '#ports/web';
import type { NodeModules } from './node-modules';

export function pageHost(node: NodeModules): PageHost {
  return {
    get: (request) => get(node, request),
    parse: (html) => new DOMParser().parseFromString(html, 'text/html'),
    markdown: htmlToMarkdown,
    networks: () =>
      Object.values(node.os.networkInterfaces()).flatMap((all = []) =>
        all.flatMap(({ cidr }) => cidr ?? []),
      ),
  };
}

function get(node: NodeModules, page: PageRequest): Promise<PageAnswer> {
  const { url, headers, mayConnect, signal } = page;
  const { request } = url.protocol === 'https:' ? node.https : node.http;
  return new Promise((resolve, reject) => {
    // Checks the addresses that the socket then connects to; a second lookup could return others.
    const lookup: import('node:net').LookupFunction = (host, options, callback) => {
      node.dns.lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const refused = addresses.find(({ address }) => !mayConnect(address));
        if (refused) return callback(new AddressRefused(refused.address), []);
        const [first] = addresses;
        if (options.all || !first) return callback(null, addresses);
        callback(null, first.address, first.family);
      });
    };
    // No agent: a kept-alive connection would skip the check.
    let answered = false;
    const sent = request(url, { headers, lookup, agent: false, signal });
    sent.on('error', reject);
    // The connection closed without a response, or switched protocols.
    sent.on('close', () => answered || reject(new TypeError(networkText.noResponse)));
    sent.on('upgrade', (_response, socket) => socket.destroy());
    signal.addEventListener('abort', () => reject(new TypeError(networkText.transferStopped)), {
      once: true,
    });
    sent.on('socket', (socket) => {
      socket.once('connect', () => {
        const address = socket.remoteAddress ?? '';
        // Covers URLs with a literal IP address, for which there is no lookup.
        if (!mayConnect(address)) sent.destroy(new AddressRefused(address));
      });
    });
    sent.on('response', (incoming) => {
      answered = true;
      bodyOf(node, incoming, page).then(resolve, reject);
    });
    sent.end();
  });
}

/**
 * Node decodes headers as Latin-1, but servers that use non-ASCII characters, as in `Location`,
 * send UTF-8.
 */
function decodeHeader(bytes: string): string {
  try {
    const codes = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(codes);
  } catch {
    return bytes;
  }
}

async function bodyOf(
  { zlib }: NodeModules,
  incoming: import('node:http').IncomingMessage,
  { most }: PageRequest,
): Promise<PageAnswer> {
  const header = (name: string) => {
    const value = incoming.headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? null : decodeHeader(first);
  };
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    return { status, header, body: new Uint8Array(), isCut: false };
  }
  const unpackers: Record<string, (() => import('node:stream').Transform) | null> = {
    '': null,
    identity: null,
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
  };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const encoding = header('content-encoding')?.trim().toLowerCase() ?? '';
    const unpacker = unpackers[encoding];
    if (unpacker === undefined) throw new TypeError(networkText.unknownEncoding);
    const unpacked = unpacker?.();
    // Errors of the connection do not reach the decompressor through `pipe`.
    incoming.on('error', (error) => unpacked?.destroy(error));
    incoming.on('aborted', () => unpacked?.destroy(new TypeError(networkText.hostClosed)));
    const source = unpacked ? incoming.pipe(unpacked) : incoming;
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } finally {
    incoming.destroy();
  }
  const body = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, body.length - at);
    body.set(part, at);
    at += part.length;
  }
  return { status, header, body, isCut: length > most };
}
