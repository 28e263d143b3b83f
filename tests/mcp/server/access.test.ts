/** Access control, size limits and sessions of Parley's MCP server. */
import http from 'node:http';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { refusal } from '#mcp/server/http-server';
import { eventsOn } from '../../queue/app-on-disk';
import { setUpServer, textOf, transportTo, type Table } from './table';
import { eventually } from '#tests/builders/eventually';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'Raw', version: '1' },
  },
};

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function ask(table: Table, asked: Asked = {}): Promise<Answer> {
  const { method = 'POST', path = '/mcp', headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        ...{ host: '127.0.0.1', port: table.settings.mcpServerPort, method, path, agent: false },
        headers: {
          authorization: 'Bearer token',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(method === 'POST' ? (body ?? JSON.stringify(INITIALIZE)) : undefined);
  });
}

describe('The access check', () => {
  const door = { port: 9474, path: '/mcp', token: 'secret-token' };
  const headers = { host: '127.0.0.1:9474', authorization: 'Bearer secret-token' };
  const status = (changes: Record<string, string>, asked = {}) =>
    refusal({ method: 'POST', path: '/mcp', headers: { ...headers, ...changes }, ...asked }, door)
      ?.status ?? 200;

  it('the check accepts local host names with the right token', () => {
    expect(status({})).toBe(200);
    expect(status({ host: 'localhost:9474' })).toBe(200);
    expect(status({ authorization: 'bearer  secret-token' })).toBe(200);
    for (const origin of ['http://localhost', 'http://127.0.0.1:3000', 'https://[::1]:8443'])
      expect(status({ origin })).toBe(200);
  });

  it('the check refuses foreign hosts and origins, as in DNS rebinding', () => {
    for (const host of [
      ...['evil.example', 'evil.example:9474', '127.0.0.1', '127.0.0.1:80', 'localhost:94740'],
      ...['127.0.0.1:9474.evil.example', 'localhost.evil.example:9474', '', '[::1]:9474'],
    ])
      expect(status({ host })).toBe(403);
    for (const origin of [
      ...['https://evil.example', 'null', 'http://localhost.evil.example', 'app://obsidian.md'],
      ...['http://127.0.0.1.nip.io', 'http://localhost:1@evil.example', 'file://', ''],
    ])
      expect(status({ origin })).toBe(403);
  });

  it('the check refuses a missing or wrong token', () => {
    for (const authorization of [
      ...['', 'secret-token', 'Basic secret-token', 'Bearer', 'Bearer secret-toke'],
      ...['Bearer secret-tokens', 'Bearer SECRET-TOKEN', 'Bearer secret-token secret-token'],
    ])
      expect(status({ authorization })).toBe(401);
  });

  it('the check allows one path and no other HTTP methods than the protocol needs', () => {
    expect(status({}, { path: '/' })).toBe(404);
    for (const method of ['PUT', 'OPTIONS', 'TRACE', 'PATCH'])
      expect(status({}, { method })).toBe(405);
  });
});

describe('The port', () => {
  it('the response to a refused request says what is missing, and no session starts', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const without = await ask(table, { headers: { authorization: 'Bearer wrong' } });
    expect(without.status).toBe(401);
    expect(without.headers['www-authenticate']).toBe('Bearer realm="Parley"');
    expect(without.text).toContain('The token is in Parley’s settings');
    expect((await ask(table, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await ask(table, { headers: { host: 'evil.example' } })).status).toBe(403);
    const session = { 'mcp-session-id': 'made-up' };
    expect((await ask(table, { headers: session })).status).toBe(404);
    expect((await ask(table, { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })).status).toBe(
      400,
    );
    expect((await ask(table, { body: 'no json' })).status).toBe(400);
    expect((await ask(table, { method: 'GET' })).status).toBe(400);
    expect(rig.serving.state).toMatchObject({ kind: 'running', clients: [] });
    // Web pages may not read any response.
    expect(without.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('the port listens only on 127.0.0.1', async () => {
    const table = await setUpServer();
    await table.start();
    const other = connect({ host: '127.0.0.2', port: table.settings.mcpServerPort });
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('a body above the size limit is refused with 413', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const long = JSON.stringify({ ...INITIALIZE, padding: 'x'.repeat(4_100_000) });
    const told = await ask(table, { body: long }).catch((error: NodeJS.ErrnoException) => error);
    // The client either reads the 413 or has its connection cut while it is still sending.
    expect('status' in told ? told.status : told.code).toSatisfy((how) =>
      [413, 'EPIPE', 'ECONNRESET'].includes(how as string),
    );
    const chunked = http.request({
      ...{ host: '127.0.0.1', port: table.settings.mcpServerPort, method: 'POST', path: '/mcp' },
      headers: { authorization: 'Bearer token', 'transfer-encoding': 'chunked' },
    });
    chunked.on('error', () => undefined);
    const answered = once(chunked, 'response') as Promise<[http.IncomingMessage]>;
    for (let part = 0; part < 45; part += 1) chunked.write('x'.repeat(100_000));
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(413);
    chunked.destroy();
    expect(rig.serving.state).toMatchObject({ clients: [] });
  });

  it('the port keeps 16 sessions, drops the one that was idle longest, and times out the rest', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const begin = async () => (await ask(table)).headers['mcp-session-id'] as string;
    const sessions: string[] = [];
    for (let at = 0; at < 17; at += 1) {
      sessions.push(await begin());
      await table.clock.advance(1);
    }
    const state = rig.serving.state as { clients: readonly string[] };
    expect(state.clients).toHaveLength(16);
    const ping = (id: string) =>
      ask(table, {
        headers: { 'mcp-session-id': id },
        body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
      });
    expect((await ping(sessions[0]!)).status).toBe(404);
    expect((await ping(sessions[1]!)).status).toBe(200);
    await table.clock.advance(75 * 60_000);
    await eventually(() => expect(rig.serving.state).toMatchObject({ clients: [] }));
  });

  it('a dropped connection stops its call and leaves no approval open', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const { headers } = await ask(table);
    const call = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
      params: { name: 'delete', arguments: { path: 'Plans.md' } },
    });
    const socket = connect({ host: '127.0.0.1', port: table.settings.mcpServerPort });
    await once(socket, 'connect');
    socket.write(
      [
        'POST /mcp HTTP/1.1',
        `Host: 127.0.0.1:${table.settings.mcpServerPort}`,
        'Authorization: Bearer token',
        'Accept: application/json, text/event-stream',
        'Content-Type: application/json',
        `Mcp-Session-Id: ${String(headers['mcp-session-id'])}`,
        `Content-Length: ${call.length}`,
        '',
        call,
      ].join('\r\n'),
    );
    await eventually(async () => expect((await rig.agent.state()).interactions).toHaveLength(1));
    socket.destroy();
    await eventually(() =>
      expect(eventsOn(table, 'turn-end').map(({ end }) => end.kind)).toEqual(['stopped']),
    );
    expect((await rig.agent.state()).interactions).toEqual([]);
  });
});

describe("Parley's MCP server", () => {
  it('the server is off until the setting turns it on, and stops with it', async () => {
    const table = await setUpServer({ mcpServerEnabled: false });
    const rig = await table.start();
    expect(rig.serving.state).toEqual({ kind: 'off' });
    await expect(ask(table)).rejects.toThrow('ECONNREFUSED');
    table.settings.mcpServerEnabled = true;
    await rig.serving.update();
    expect(rig.serving.state).toEqual({ kind: 'running', address: table.address, clients: [] });
    const client = await table.connect('Scribe');
    expect(rig.serving.state).toMatchObject({ clients: ['Scribe'] });
    table.settings.mcpServerEnabled = false;
    await rig.serving.update();
    expect(rig.serving.state).toEqual({ kind: 'off' });
    await expect(client.listTools()).rejects.toThrow();
    await expect(ask(table)).rejects.toThrow('ECONNREFUSED');
  });

  it('changing what clients may do keeps them connected', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const client = await table.connect();
    await rig.agent.settings.set({ mcpServerWrites: true });
    await rig.serving.update();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('delete');
  });

  it('the server reports that its port is taken, and retries until it is free', async () => {
    const table = await setUpServer();
    const { mcpServerPort } = table.settings;
    const taken = createServer().listen(mcpServerPort, '127.0.0.1');
    await once(taken, 'listening');
    const rig = await table.start();
    expect(rig.serving.state).toEqual({
      kind: 'refused',
      reason: `Port ${mcpServerPort} is used by another program or vault. Parley keeps trying. You can also choose another port here, and in the apps that connect.`,
    });
    await new Promise((resolve) => taken.close(resolve));
    await table.clock.advance(6_000);
    await eventually(() => expect(rig.serving.state).toMatchObject({ kind: 'running' }));
  });

  it('renewing the token ends all sessions and their calls', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool({ name: 'delete', arguments: { path: 'Plans.md' } });
    await eventually(async () => expect((await rig.agent.state()).interactions).toHaveLength(1));
    const renewing = rig.serving.renewToken();
    expect(textOf(await calling)).toContain('its session ended');
    await renewing;
    expect((await rig.serving.access()).token).not.toBe('token');
    await expect(table.connect('Late')).rejects.toThrow();
    const { address, token } = await rig.serving.access();
    expect((await ask(table, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect(address).toBe(table.address);
  });

  it('the conversation of a client ends when the client terminates its session', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const client = await table.connect();
    await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await eventually(() => expect(eventsOn(table, 'conversation-end')).toHaveLength(1));
    expect(rig.serving.state).toMatchObject({ clients: [] });
  });

  it('the server accepts clients that negotiate the newest protocol version', async () => {
    const table = await setUpServer();
    await table.start();
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client(
      { name: 'Newest', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(transportTo(table.address));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });
});
