import { createServer, type ClientRequest, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import {
  connect,
  createServer as createRaw,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { desktopFetch } from '#obsidian/platform/node-fetch';
import { NODE } from '#tests/builders/node-modules';
import { CERTIFICATE, KEY } from '#tests/web/certificate';
import { gate } from '#workbench/model/faults';

const open: Server[] = [];
const loud: unknown[] = [];
const hear = (reason: unknown) => void loud.push(reason);
process.on('unhandledRejection', hear);
process.on('uncaughtException', hear);

afterEach(async () => {
  await Promise.all(
    open.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          if ('closeAllConnections' in server)
            (server as never as { closeAllConnections(): void }).closeAllConnections();
        }),
    ),
  );
  expect(loud.splice(0)).toEqual([]);
});

async function listen(server: Server): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (answer: RequestListener) => listen(createServer(answer));
/** A server that sends these bytes in response to anything. */
const say = (bytes: string) =>
  listen(
    createRaw((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    }),
  );

/** A fake of the window's fetch that records the requested URLs. */
function windowFetch(answer: () => Promise<Response> = async () => new Response('window')) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input));
    return answer();
  };
  return { asked, fetch };
}

const noWindow = windowFetch(() => Promise.reject(new TypeError('Failed to fetch')));
const node = desktopFetch(NODE, noWindow.fetch);
const REFUSED = 'http://127.0.0.1:1';

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('fetch over Node', () => {
  it('Node fetch sends method, headers and text unchanged, and no Origin', async () => {
    const got = gate();
    let seen: { method?: string; headers: Record<string, unknown>; body: string } | null = null;
    const url = await serve((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      req.on('end', () => {
        seen = { method: req.method!, headers: req.headers, body };
        got.open();
        res.writeHead(201, 'Made', { 'X-One': ['a', 'b'], 'content-type': 'text/plain' });
        res.end('Grüße');
      });
    });
    const response = await node.fetch(new URL(`${url}/v1/messages?x=1`), {
      method: 'POST',
      headers: { Authorization: 'Bearer k', 'content-type': 'application/json' },
      body: '{"a":"世界"}',
    });
    await got.promise;
    expect(seen).toMatchObject({
      method: 'POST',
      body: '{"a":"世界"}',
      headers: { authorization: 'Bearer k', 'content-length': '14' },
    });
    expect(seen!.headers).not.toHaveProperty('origin');
    expect(seen!.headers).not.toHaveProperty('transfer-encoding');
    expect(response).toMatchObject({ status: 201, statusText: 'Made', ok: true });
    expect(response.headers.get('x-one')).toBe('a, b');
    expect(await response.text()).toBe('Grüße');
  });

  it('Node fetch streams the body as it arrives', async () => {
    const second = gate();
    const url = await serve((_req, res) => {
      res.write('one ');
      void second.promise.then(() => res.end('two'));
    });
    const { body } = await node.fetch(url);
    const reader = body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one ');
    second.open();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  it('Node fetch delivers a large body to a slow reader completely', async () => {
    const large = 'x'.repeat(3_000_000);
    const url = await serve((_req, res) => void res.end(large));
    const { body } = await node.fetch(url);
    let length = 0;
    for await (const chunk of body!) {
      length += (chunk as Uint8Array).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(length).toBe(large.length);
  });

  it('Node fetch has a null body for 204, 205 and 304', async () => {
    for (const status of [204, 205, 304]) {
      const url = await serve((_req, res) => void res.writeHead(status).end());
      expect(await node.fetch(url)).toMatchObject({ status, body: null });
    }
  });

  it('Node fetch rejects bodies that are not text and invalid responses', async () => {
    await expect(node.fetch(REFUSED, { method: 'POST', body: new FormData() })).rejects.toThrow(
      'Only text can be sent.',
    );
    for (const bytes of [
      'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nno',
      'HTTP/1.1 200 \u0001\r\ncontent-length: 2\r\n\r\nno',
      'This is no HTTP.\r\n\r\n',
    ]) {
      expect(await thrown(node.fetch(await say(bytes)))).toBeInstanceOf(Error);
    }
  });
});

describe('redirects', () => {
  const pointsTo = (place: string, status = 307) =>
    serve((_req, res) => void res.writeHead(status, { location: place }).end('elsewhere'));
  const ask = { method: 'POST', headers: { authorization: 'Bearer k' }, body: 'all' };

  it.each([301, 302, 307, 308])(
    'fetch follows a %i within the origin with the same method, key and body',
    async (status) => {
      const seen: unknown[] = [];
      const url = await serve((req, res) => {
        if (req.url !== '/new') return void res.writeHead(status, { location: '/new' }).end();
        seen.push(req.method, req.headers.authorization);
        req.pipe(res);
      });
      expect(await (await node.fetch(`${url}/old`, ask)).text()).toBe('all');
      expect(seen).toEqual(['POST', 'Bearer k']);
    },
  );

  it('fetch rejects redirects to another host or port without sending the key, and names the target', async () => {
    const asked: unknown[] = [];
    const other = await serve((req, res) => void (asked.push(req.headers), res.end()));
    const url = await pointsTo(`${other}/v1?token=secret`);
    const error = await thrown(node.fetch(url, ask));
    expect(error).toMatchObject({
      message: `It redirects to ${other}/v1 (307), where the key is not sent.`,
    });
    expect(asked).toEqual([]);
  });

  it('fetch follows a redirect from http to https on the same host', async () => {
    const url = await pointsTo('https://127.0.0.1:1/v1');
    expect(await thrown(node.fetch(url, ask))).toMatchObject({ code: 'ECONNREFUSED', port: 1 });
  });

  it('fetch gives up after five redirects', async () => {
    let count = 0;
    const url = await serve((_req, res) => {
      count += 1;
      res.writeHead(302, { location: `/${count}` }).end();
    });
    expect(await thrown(node.fetch(url, ask))).toMatchObject({
      message: `It redirects too many times, last to ${url}/6 (302).`,
    });
    expect(count).toBe(6);
  });

  it('fetch returns a redirect without a location, or with `redirect: manual`, as the response', async () => {
    const url = await serve((_req, res) => void res.writeHead(302).end('none'));
    expect((await node.fetch(url)).status).toBe(302);
    const away = await pointsTo('https://example.com/');
    expect((await node.fetch(away, { redirect: 'manual' })).status).toBe(307);
  });

  it('the window’s fetch does not follow redirects, because it would send the key along', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const page = desktopFetch(NODE, async (_, init) => {
      inits.push(init);
      return Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    });
    expect(await thrown(page.fetch(REFUSED, ask))).toMatchObject({
      message: 'It redirects to another address.',
    });
    expect(inits).toMatchObject([{ redirect: 'manual', body: 'all' }]);
  });
});

describe('aborting a request', () => {
  it('a request aborted before it is sent rejects with an AbortError', async () => {
    const error = await thrown(node.fetch(REFUSED, { signal: AbortSignal.abort() }));
    expect(error).toSatisfy(isAbort);
  });

  it('a request aborted before the headers arrive rejects with an AbortError', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort());
    expect(await thrown(node.fetch(url, { signal: stop.signal }))).toSatisfy(isAbort);
  });

  it('an abort while the body streams fails the read with an AbortError and closes the connection', async () => {
    const closed = gate();
    const stop = new AbortController();
    const url = await serve((_req, res) => {
      res.on('close', closed.open);
      res.write('one');
    });
    const { body } = await node.fetch(url, { signal: stop.signal });
    const reader = body!.getReader();
    await reader.read();
    const next = thrown(reader.read());
    stop.abort();
    expect(await next).toSatisfy(isAbort);
    await closed.promise;
  });

  it('an abort while the body is not being read causes no unhandled error and fails the next read', async () => {
    const stop = new AbortController();
    const url = await serve((_req, res) => void res.write('one'));
    const response = await node.fetch(url, { signal: stop.signal });
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await thrown(response.text())).toSatisfy(isAbort);
  });

  it('an abort after the end of the response has no effect', async () => {
    const stop = new AbortController();
    const url = await serve((_req, res) => void res.end('all'));
    const response = await node.fetch(url, { signal: stop.signal });
    expect(await response.text()).toBe('all');
    stop.abort();
  });

  it('canceling the body closes the connection', async () => {
    const closed = gate();
    const url = await serve((_req, res) => {
      res.on('close', closed.open);
      res.write('one');
    });
    const { body } = await node.fetch(url);
    await body!.cancel();
    await closed.promise;
  });

  it('an abort during the fallback to the window’s fetch rejects with an AbortError', async () => {
    const stop = new AbortController();
    const { fetch } = desktopFetch(NODE, async () => {
      stop.abort();
      throw new DOMException('The user aborted a request.', 'AbortError');
    });
    expect(await thrown(fetch(REFUSED, { signal: stop.signal }))).toSatisfy(isAbort);
  });
});

describe('lost connections', () => {
  it('a connection lost before the response rejects with its cause and is not retried through the window', async () => {
    const { asked, fetch } = windowFetch();
    const url = await serve((req) => void req.socket.destroy());
    const error = await thrown(desktopFetch(NODE, fetch).fetch(url));
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toEqual([]);
  });

  it('a connection lost in the body fails the read with an error that is not an AbortError', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('one', () => res.destroy());
    });
    const response = await node.fetch(url);
    const error = await thrown(response.text());
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toSatisfy(isAbort);
  });
});

describe('choice of the transport', () => {
  it('an endpoint that Node can’t connect to but the window can keeps using the window’s fetch', async () => {
    const { asked, fetch } = windowFetch();
    const both = desktopFetch(NODE, fetch);
    expect(both.transportFor(REFUSED)).toBe('node');
    expect(await (await both.fetch(`${REFUSED}/v1/messages`)).text()).toBe('window');
    expect(both.transportFor(`${REFUSED}/v1/models`)).toBe('window');
    await both.fetch(`${REFUSED}/v1/models`);
    expect(asked).toEqual([`${REFUSED}/v1/messages`, `${REFUSED}/v1/models`]);
  });

  it('fetch remembers the transport for each origin', async () => {
    const { fetch } = windowFetch();
    const both = desktopFetch(NODE, fetch);
    await both.fetch(REFUSED);
    const url = await serve((_req, res) => void res.end('node'));
    expect(await (await both.fetch(url)).text()).toBe('node');
    expect([both.transportFor(REFUSED), both.transportFor(url)]).toEqual(['window', 'node']);
  });

  it('fetch does not retry through the window when the server may have received the request', async () => {
    const heard: string[] = [];
    const url = await serve((req, res) => {
      req.setEncoding('utf8').on('data', (text: string) => {
        heard.push(text);
        if (text === 'first') res.end('done');
        else sent!.socket!.destroy(Object.assign(new Error('lost'), { code: 'ETIMEDOUT' }));
      });
    });
    let sent: ClientRequest | null = null;
    const request = ((...asked: [string]) =>
      (sent = NODE.http.request(...asked))) as typeof NODE.http.request;
    const { asked, fetch } = windowFetch();
    const both = desktopFetch({ ...NODE, http: { ...NODE.http, request } }, fetch);
    const post = (body: string) => both.fetch(url, { method: 'POST', body });
    // Over a new connection, and over a reused one.
    expect(await thrown(post('alone'))).toMatchObject({ code: 'ETIMEDOUT' });
    expect(await (await post('first')).text()).toBe('done');
    expect(await thrown(post('second'))).toMatchObject({ code: 'ETIMEDOUT' });
    expect(heard).toEqual(['alone', 'first', 'second']);
    expect(sent!.reusedSocket).toBe(true);
    expect(asked).toEqual([]);
    expect(both.transportFor(url)).toBe('node');
  });

  it('fetch does not retry through the window after a loss on a connection opened by a proxy agent', async () => {
    let heard = 0;
    const url = await serve((req) => {
      heard += 1;
      req.on('end', () => socket.destroy(Object.assign(new Error('lost'), { code: 'ETIMEDOUT' })));
      req.resume();
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const request = ((to: string, options: object) =>
      NODE.http.request(to, {
        ...options,
        createConnection: () => socket,
      })) as typeof NODE.http.request;
    const { asked, fetch } = windowFetch();
    const both = desktopFetch({ ...NODE, http: { ...NODE.http, request } }, fetch);
    expect(await thrown(both.fetch(url, { method: 'POST', body: 'x' }))).toMatchObject({
      code: 'ETIMEDOUT',
    });
    expect([heard, asked, both.transportFor(url)]).toEqual([1, [], 'node']);
  });

  it('fetch falls back to the window when none of several addresses can be reached', async () => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    let failure: unknown;
    const request = ((to: string, options: object) =>
      NODE.http
        .request(to, {
          ...options,
          autoSelectFamily: true,
          lookup: (_name: string, _options: object, callback: (...told: unknown[]) => void) =>
            callback(null, addresses),
        } as never)
        .on('error', (error) => (failure = error))) as typeof NODE.http.request;
    const { fetch } = windowFetch();
    const both = desktopFetch({ ...NODE, http: { ...NODE.http, request } }, fetch);
    const response = await both.fetch('http://a.example:1/', { method: 'POST', body: 'x' });
    expect(await response.text()).toBe('window');
    expect(failure).toBeInstanceOf(AggregateError);
  });

  it('fetch falls back to the window when Node does not trust the certificate, before sending anything', async () => {
    let heard = 0;
    const server = createSecure({ key: KEY, cert: CERTIFICATE }, (_req, res) => {
      heard += 1;
      res.end();
    });
    const url = (await listen(server)).replace('http:', 'https:');
    const { asked, fetch } = windowFetch();
    const both = desktopFetch(NODE, fetch);
    expect(await (await both.fetch(url, { method: 'POST', body: 'x' })).text()).toBe('window');
    expect([heard, asked, both.transportFor(url)]).toEqual([0, [url], 'window']);
  });

  it.each([
    ['never answers', () => undefined],
    ['closes the connection', (socket: Socket) => socket.destroy()],
  ])(
    'fetch falls back to the window when a firewall %s before TLS is ready',
    async (_how, take) => {
      const sockets: Socket[] = [];
      const server = createRaw((socket) => {
        sockets.push(socket.on('error', () => undefined));
        take(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { asked, fetch } = windowFetch();
      const both = desktopFetch(NODE, fetch, 100);
      expect(await (await both.fetch(url, { method: 'POST', body: 'x' })).text()).toBe('window');
      expect([asked, both.transportFor(url)]).toEqual([[url], 'window']);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  );

  it('fetch keeps using Node and reports its error when the window fails, too', async () => {
    const { asked, fetch } = windowFetch(() => Promise.reject(new TypeError('Failed to fetch')));
    const both = desktopFetch(NODE, fetch);
    expect(await thrown(both.fetch(REFUSED))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await thrown(both.fetch(REFUSED))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(both.transportFor(REFUSED)).toBe('node');
    expect(asked).toHaveLength(2);
  });
});
