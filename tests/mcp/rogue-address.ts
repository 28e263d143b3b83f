/**
 * A misbehaving MCP server over HTTP, written without the SDK. Its manners and the called tool
 * decide how it misbehaves.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpServer } from '#model/mcp-server';

export interface RogueAddress extends AsyncDisposable {
  readonly server: HttpServer;
  /** Number of requests per HTTP method and per protocol method. */
  readonly asked: Record<string, number>;
  /** Bytes of its last large answer that the client has accepted. */
  readonly sent: number;
  /** Number of streams that are still open. */
  readonly streams: number;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

const MEGABYTE = 'a'.repeat(1_000_000);
const any = { type: 'object', properties: {} };
const TOOLS = [
  'echo',
  'huge',
  'huge_event',
  'comments',
  'other_events',
  'drip',
  'goes_on',
  'status',
  'page',
  'garble',
  'forget',
];

/**
 * @param manners `strict`: answers an unknown session with 400 instead of 404; `restless`: ends
 * each stream at once and asks the client to reconnect without delay
 */
export async function rogueAddress(...manners: readonly string[]): Promise<RogueAddress> {
  const is = (manner: string) => manners.includes(manner);
  const asked: Record<string, number> = {};
  const sessions = new Set<string>();
  let [sent, streams, begun] = [0, 0, 0];

  const json = (to: ServerResponse, message: object, headers = {}) => {
    to.writeHead(200, { 'content-type': 'application/json', ...headers });
    to.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  };
  const text = (to: ServerResponse, id: Message['id'], said: string) =>
    json(to, { id, result: { content: [{ type: 'text', text: said }] } });
  const stream = (to: ServerResponse) => {
    streams += 1;
    to.on('close', () => (streams -= 1));
    return to.writeHead(200, { 'content-type': 'text/event-stream' });
  };
  /** Writes until the client closes the connection or all is sent. */
  const pour = async (to: ServerResponse, megabytes: number, text = MEGABYTE) => {
    sent = 0;
    while (sent < megabytes * MEGABYTE.length && !to.destroyed) {
      await new Promise((resolve) => to.write(text, resolve));
      sent += text.length;
    }
  };
  const calls: Record<string, (to: ServerResponse, message: Message) => unknown> = {
    wrong: (to) => to.writeHead(400).end('The name is too long.'),
    echo: (to, { id }) => text(to, id, 'Here I am.'),
    huge: async (to, { id }) => {
      to.writeHead(200, { 'content-type': 'application/json' });
      to.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
      await pour(to, 80);
      to.end('"}]}}');
    },
    huge_event: async (to) => {
      stream(to).write('data: ');
      await pour(to, 80);
      to.end();
    },
    comments: (to) => pour(stream(to), 80, ': la la\n\n'.repeat(100_000)),
    other_events: (to) => pour(stream(to), 80, 'event: song\ndata: la la\n\n'.repeat(50_000)),
    // A stream that never ends and has an event id, so that a client could resume it.
    drip: (to) => stream(to).write('id: 1\ndata:\n\n'),
    goes_on: (to, { id }) => {
      const result = { content: [{ type: 'text', text: 'And on.' }] };
      stream(to).write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    },
    status: (to, { params }) => {
      const challenge = 'Bearer error="insufficient_scope", scope="all"';
      to.writeHead(Number(params?.arguments?.['status']), { 'www-authenticate': challenge });
      to.end(String(params?.arguments?.['said']));
    },
    page: (to) => to.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    garble: (to) => to.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonr'),
    forget: (to, { id }) => {
      sessions.clear();
      text(to, id, 'Forgotten.');
    },
  };

  const answer = async (incoming: IncomingMessage, to: ServerResponse) => {
    const count = (what: string) => (asked[what] = (asked[what] ?? 0) + 1);
    count(incoming.method ?? '');
    if (incoming.method === 'GET') {
      if (!is('restless')) return to.writeHead(405).end();
      return stream(to).end('id: 1\nretry: 0\ndata:\n\n');
    }
    if (incoming.method !== 'POST') return to.writeHead(405).end();
    let body = '';
    for await (const part of incoming) body += String(part);
    const message = JSON.parse(body) as Message;
    const { id, method = '', params } = message;
    count(method);
    if (method === 'initialize') {
      begun += 1;
      const session = `session-${begun}`;
      sessions.add(session);
      const { protocolVersion } = params ?? {};
      const serverInfo = { name: 'rogue', version: '1' };
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
      return json(to, { id, result }, { 'mcp-session-id': session });
    }
    if (id === undefined) return to.writeHead(202).end();
    if (method === 'server/discover') return json(to, { id, error: { code: -32601, message: '' } });
    const isKnown = sessions.has(String(incoming.headers['mcp-session-id']));
    if (!isKnown) return to.writeHead(is('strict') ? 400 : 404).end();
    if (method === 'tools/list') {
      const tools = TOOLS.map((name) => ({ name, description: '', inputSchema: any }));
      return json(to, { id, result: { tools } });
    }
    return calls[params?.name ?? '']?.(to, message);
  };

  const server = createServer((incoming, to) => {
    void answer(incoming, to);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server: {
      ...{ id: 'server-far', name: 'far', enabled: true, kind: 'http', secret: '' },
      url: `http://127.0.0.1:${port}/mcp`,
    },
    asked,
    get sent() {
      return sent;
    },
    get streams() {
      return streams;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
