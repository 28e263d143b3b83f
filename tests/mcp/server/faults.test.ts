/**
 * Internal errors of Parley's MCP server leave nothing behind and reveal nothing about this
 * computer.
 */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { McpHttpServer } from '#mcp/server/http-server';
import type { LoopbackRequest, OfferedTools } from '#ports/app/mcp-server-port';
import { testClock } from '../../builders/fake-clock';

const SECRET = 'ENOENT: /home/somebody/vault/.obsidian';
const NO_TOOLS: OfferedTools = {
  list: async () => [],
  call: async () => 'There is no such tool.',
  leave: async () => undefined,
};

function request(method: string, params: object = {}, session?: string): LoopbackRequest {
  return {
    ...{ method: 'POST', path: '/mcp', signal: new AbortController().signal },
    headers: {
      ...{ host: '127.0.0.1:9474', authorization: 'Bearer token' },
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: async () => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

const INITIALIZE = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'Raw', version: '1' },
});

function server(tools: Partial<OfferedTools> = {}) {
  const clock = testClock();
  /** Number of clients at each notice that they changed. */
  const seen: number[] = [];
  const made: McpHttpServer = new McpHttpServer({
    ...{ clock, version: '0', port: 9474, path: '/mcp', token: () => 'token' },
    tools: { ...NO_TOOLS, ...tools },
    changed: () => void seen.push(made.clients().length),
  });
  onTestFinished(() => made.close());
  /** Starts a session and returns its id after the first response is read. */
  const begin = async () => {
    const over = new AbortController();
    const response = await made.answer({ ...INITIALIZE, signal: over.signal });
    await response.text();
    over.abort();
    return response.headers.get('mcp-session-id')!;
  };
  return { made, clock, begin, seen };
}

function failing(): void {
  const spied = vi
    .spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest')
    .mockRejectedValue(new Error(SECRET));
  onTestFinished(() => spied.mockRestore());
}

async function told500(response: Response): Promise<void> {
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({
    error: { message: 'Parley could not answer this. Try again.' },
  });
}

describe('An error while answering a request', () => {
  it('a failed first request leaves no session behind', async () => {
    const { made } = server();
    failing();
    await told500(await made.answer(INITIALIZE));
    expect(made.clients()).toEqual([]);
  });

  it('a session with a failed request still times out', async () => {
    const { made, clock } = server();
    const over = new AbortController();
    const { signal } = over;
    const first = await made.answer({ ...INITIALIZE, signal });
    await first.text();
    over.abort();
    const session = first.headers.get('mcp-session-id')!;
    expect(made.clients()).toHaveLength(1);
    failing();
    await told500(await made.answer(request('ping', {}, session)));
    await clock.advance(75 * 60_000);
    expect(made.clients()).toEqual([]);
  });
});

describe('The list of clients', () => {
  it('a client that falls silent leaves the list, and is back with its next request', async () => {
    const { made, clock, begin, seen } = server();
    const session = await begin();
    expect(seen.at(-1)).toBe(1);
    const gone = new AbortController();
    await made.answer({ ...request('ping', {}, session), signal: gone.signal });
    await clock.advance(180_000);
    expect(seen.at(-1)).toBe(1);
    gone.abort();
    await clock.advance(119_999);
    expect(seen.at(-1)).toBe(1);
    await clock.advance(1);
    expect(seen.at(-1)).toBe(0);
    await (await made.answer(request('ping', {}, session))).text();
    expect(seen.at(-1)).toBe(1);
    await made.close();
    expect(clock.pending).toBe(0);
  });
});

describe('An error in a tool', () => {
  it('the client receives the error without its details', async () => {
    const fails = () => Promise.reject(new Error(SECRET));
    const { made, begin } = server({ list: fails, call: fails });
    const session = await begin();
    for (const asked of [
      request('tools/list', {}, session),
      request('tools/call', { name: 'read_file', arguments: {} }, session),
    ]) {
      const text = await (await made.answer(asked)).text();
      expect(text).toContain('Something went wrong in Parley.');
      expect(text).not.toContain('somebody');
    }
  });
});

describe('A call with deeply nested arguments', () => {
  it('a call with deeply nested arguments never reaches the tools, and the session continues', async () => {
    let calls = 0;
    const { made, begin } = server({
      call: async () => {
        calls += 1;
        return 'There is no such tool.';
      },
    });
    const session = await begin();
    const nested = `${'{"path":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const params = `{"name":"read_file","arguments":${nested}}`;
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const response = await made.answer({
      ...request('tools/call', {}, session),
      body: async () => deep,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_700 } });
    expect(calls).toBe(0);
    expect((await made.answer(request('ping', {}, session))).status).toBe(200);
  });
});

describe('A closed server', () => {
  it('a closed server refuses new sessions on open connections', async () => {
    const { made } = server();
    await made.close();
    expect((await made.answer(INITIALIZE)).status).toBe(503);
    expect(made.clients()).toEqual([]);
  });

  it('closing the server ends a session even if its calls cannot be ended', async () => {
    const { made, begin } = server({ leave: () => Promise.reject(new Error(SECRET)) });
    const session = await begin();
    const listening = await made.answer({ ...request('', {}, session), method: 'GET' });
    await made.close().catch(() => undefined);
    // The text can be read to its end because the stream has ended.
    expect(await listening.text()).toBe('');
  });
});
