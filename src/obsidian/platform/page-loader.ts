/**
 * Pages of the web over Node's http and https, since neither the window's fetch nor `requestUrl` says which address a
 * name stands for before it is connected to.
 */
import { htmlToMarkdown } from 'obsidian';
import { AddressRefused, type PageAnswer, type PageHost, type PageRequest } from '#ports/web';
import type { NodeModules } from './platform';

/** Null where there is no Node. */
export function pageHost(node: NodeModules | null): PageHost | null {
  return (
    node && {
      get: (request) => get(node, request),
      parse: (html) => new DOMParser().parseFromString(html, 'text/html'),
      markdown: htmlToMarkdown,
      networks: () =>
        Object.values(node.os.networkInterfaces()).flatMap((all = []) =>
          all.flatMap(({ cidr }) => cidr ?? []),
        ),
    }
  );
}

function get(node: NodeModules, asked: PageRequest): Promise<PageAnswer> {
  const { url, headers, mayConnect, signal } = asked;
  const { request } = url.protocol === 'https:' ? node.https : node.http;
  return new Promise((resolve, reject) => {
    // The addresses that are judged are those that are connected to: nobody asks for them a second time.
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
    // A connection that is kept would go to where it once went.
    let answered = false;
    const sent = request(url, { headers, lookup, agent: false, signal });
    sent.on('error', reject);
    // One that ends without a word, or in another language.
    sent.on('close', () => answered || reject(new TypeError('There was no answer.')));
    sent.on('upgrade', (_response, socket) => socket.destroy());
    signal.addEventListener('abort', () => reject(new TypeError('It was stopped.')), {
      once: true,
    });
    sent.on('socket', (socket) => {
      socket.once('connect', () => {
        const address = socket.remoteAddress ?? '';
        // Also one that was written as an address, for which no name is looked up.
        if (!mayConnect(address)) sent.destroy(new AddressRefused(address));
      });
    });
    sent.on('response', (incoming) => {
      answered = true;
      bodyOf(node, incoming, asked).then(resolve, reject);
    });
    sent.end();
  });
}

/** Node gives each byte as a character. Servers that write more than ASCII write UTF-8, as in where a page leads. */
function inCharacters(bytes: string): string {
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
    return first === undefined ? null : inCharacters(first);
  };
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    return { status, header, body: new Uint8Array(), isCut: false };
  }
  const unpackers: Record<string, (() => import('node:stream').Transform) | null> = {
    ...{ '': null, identity: null },
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const encoding = header('content-encoding')?.trim().toLowerCase() ?? '';
    const unpacker = unpackers[encoding];
    if (unpacker === undefined) throw new TypeError('it is packed in a way that is not known');
    const unpacked = unpacker?.();
    // A broken connection ends what is unpacked as well.
    incoming.on('error', (error) => unpacked?.destroy(error));
    incoming.on('aborted', () => unpacked?.destroy(new TypeError('its host broke it off')));
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
