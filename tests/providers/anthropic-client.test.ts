/** Setup of the SDK's client, as seen by a server over real HTTP. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, providerFor, servers, until } from '#tests/providers/provider';
import { gate, notAStream, slowStart, statusError } from '#workbench/model/faults';
import { reply } from '#workbench/model/replies';

const serve = servers();

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;
let consoleCalls: unknown[][] = [];
beforeEach(() => {
  consoleCalls = [];
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...args) => void consoleCalls.push(args));
  }
});

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('Headers of the client', () => {
  it('a request carries only the key as a bearer token and the headers that the API needs', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const url = await listen((request, response) => {
      seen.push(request.headers);
      response.writeHead(500).end();
    });
    await ask({ provider: providerFor(url) });
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...headers
    } = seen[0]!;
    expect(headers).toEqual({
      accept: 'application/json',
      'anthropic-dangerous-direct-browser-access': 'true',
      'anthropic-version': '2026-10-21',
      authorization: 'Bearer sk-test-1',
      'content-type': 'application/json',
      'user-agent': 'Parley',
    });
  });

  it('the client trims the key and never includes it in a failure', async () => {
    const message = 'Invalid key sk-test-2.';
    const served = await serve(statusError(401, { message }), { key: ' sk-test-2\n' });
    expect(await ask(served)).toMatchObject([{ failure: { detail: 'Invalid key •••.' } }]);
    expect(served.server.requests[0]?.headers.authorization).toBe('Bearer sk-test-2');
  });

  it('the client ignores environment variables of the SDK', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-other');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-other');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv(
      'ANTHROPIC_CUSTOM_HEADERS',
      'Authorization: other\nX-Api-Key: other\nX-Gateway: other',
    );
    vi.stubEnv('ANTHROPIC_LOG', 'debug');
    const served = await serve(reply('Yes.'));
    expect((await ask(served)).at(-1)).toMatchObject({ type: 'end' });
    const { headers } = served.server.requests[0]!;
    expect(headers.authorization).toBe('Bearer sk-test-1');
    expect(JSON.stringify(headers)).not.toContain('other');
    expect(consoleCalls).toEqual([]);
  });

  it('the client does not take a key from environment variables of the SDK', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-other');
    const served = await serve(reply('Yes.'), { key: null, settings: { compatibility: true } });
    await ask(served);
    expect(served.server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer none',
      'x-api-key': 'none',
    });
  });
});

describe('Environment of the client', () => {
  it("the client works in a browser window, as in Electron's renderer", async () => {
    vi.stubGlobal('window', { document: {} });
    vi.stubGlobal('navigator', { userAgent: 'Chrome/140.0.0' });
    const served = await serve(reply('Yes.'));
    expect((await ask(served)).at(-1)).toMatchObject({ type: 'end' });
  });

  it('the client logs nothing about models that are to be retired', async () => {
    const served = await serve(reply('Yes.'));
    await ask(served, { model: 'claude-sonnet-4-5-20250929' });
    expect(served.server.requests[0]?.body.model).toBe('claude-sonnet-4-5-20250929');
    expect(served.server.violations).toEqual([]);
    expect(consoleCalls).toEqual([]);
  });

  it('the client neither logs nor reports a line that it cannot parse', async () => {
    const broken = 'event: content_block_delta\ndata: {"type": my secret note}\n\n';
    const events = await ask(await serve(notAStream(broken)));
    expect(events).toMatchObject([
      { type: 'failure', failure: { kind: 'cut', detail: 'The response contained invalid JSON.' } },
    ]);
    expect(consoleCalls).toEqual([]);
  });
});

describe('Timeouts and retries of the client', () => {
  it('the client has no timeout of its own', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [asked, start] = [gate(), gate()];
    const served = await serve(
      () => {
        asked.open();
        return slowStart(reply('Yes.'), start.promise);
      },
      { settings: { stallSeconds: 3_600 } },
    );
    const events = ask(served);
    await asked.promise;
    vi.advanceTimersByTime(3_599_000);
    start.open();
    expect((await events).at(-1)).toMatchObject({ type: 'end' });
  });

  it('the client never retries by itself', async () => {
    const served = await serve(statusError(529));
    await ask(served);
    expect(served.server.requests).toHaveLength(1);
  });
});

describe('Response bodies', () => {
  it('the client reports the failure when the body of an error never ends', async () => {
    let isClosed = false;
    const url = await listen((request, response) => {
      request.resume();
      response.writeHead(503, { 'content-type': 'text/html' });
      const page = '<p>Down for maintenance.</p>'.repeat(100);
      const write = () => {
        while (!isClosed && response.write(page));
      };
      response.on('drain', write).on('close', () => (isClosed = true));
      write();
    });
    const events = await ask({ provider: providerFor(url) });
    expect(events).toMatchObject([{ failure: { kind: 'server' } }]);
    expect(JSON.stringify(events)).toContain('Down for maintenance.');
    await until(() => isClosed);
  });

  it('the client reports the failure when the body of an error is cut off', async () => {
    const url = await listen((request, response) => {
      request.resume();
      response.writeHead(529, { 'content-length': 1_000 });
      response.write('Too busy', () => response.destroy());
    });
    expect(await ask({ provider: providerFor(url) })).toMatchObject([
      { failure: { kind: 'overloaded', detail: '529 Too busy' } },
    ]);
  });

  it('a complete reply stays complete when the connection breaks after it', async () => {
    const events = [
      { type: 'message_start', message: { id: 'one' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Milk.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const url = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': 99_999 });
      response.write(lines.join(''), () => response.destroy());
    });
    const yielded = await ask({ provider: providerFor(url) });
    expect(yielded.map(({ type }) => type)).toEqual(['usage', 'delta', 'part', 'end']);
  });
});
