/** One client's session with Parley's MCP server, using the official package. */
import * as t from '#messages/mcp-messages';
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Clock } from '#ports/clock';
import type { McpResult, OfferedTools, McpClient } from '#ports/app/mcp-server-port';
import { DefaultJsonSchemaValidator } from '../sdk-shims';

export interface SessionDeps {
  readonly tools: OfferedTools;
  readonly clock: Pick<Clock, 'after'>;
  /** Parley's version. */
  readonly version: string;
  /** Called when the session ends, also if the client ends it. */
  ended(): void;
}

/**
 * Interval of progress messages while a call waits for the user; clients give up after a minute
 * without one.
 */
const PROGRESS_INTERVAL_MS = 15_000;

const INSTRUCTIONS = [
  'Tools over the notes of an Obsidian vault, by Parley. Paths are relative to the vault, with /.',
  'An edit of a note is made at once or proposed. A proposed edit waits for the user; until then the note reads to you as if it were accepted.',
  'Some calls wait until the user decides in Obsidian. Do not try another way to do what the user denied.',
].join(' ');

export class McpSession {
  readonly client: McpClient;
  readonly #deps: SessionDeps;
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** Open requests, including their streams. */
  readonly #open = new Set<object>();
  readonly #calls = new Set<Promise<unknown>>();
  #ended: Promise<void> | null = null;

  constructor(client: McpClient, deps: SessionDeps) {
    this.client = client;
    this.#deps = deps;
    this.#server = new Server(
      { name: 'parley', title: 'Parley', version: deps.version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: INSTRUCTIONS,
        jsonSchemaValidator: new DefaultJsonSchemaValidator(),
      },
    );
    this.#server.setRequestHandler('tools/list', async () => ({
      tools: (await plainly(deps.tools.list())).map((tool) => ({
        ...tool,
        inputSchema: { type: 'object', ...tool.inputSchema },
        outputSchema: { type: 'object', ...tool.outputSchema },
        annotations: { ...tool.annotations },
        _meta: { ...tool._meta },
      })),
    }));
    this.#server.setRequestHandler('tools/call', ({ params }, context) => {
      const call = plainly(this.#call(params.name, params.arguments ?? {}, context));
      this.#calls.add(call);
      return call.finally(() => this.#calls.delete(call));
    });
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => client.id,
      onsessionclosed: () => void this.end(),
    });
  }

  /** Whether there are no open requests or streams. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async begin(): Promise<void> {
    await this.#server.connect(this.#transport);
  }

  /** @param signal aborted when the client stops waiting for the response */
  async answer(request: Request, body: unknown, signal: AbortSignal): Promise<Response> {
    const open = {};
    if (!signal.aborted) {
      this.#open.add(open);
      signal.addEventListener('abort', () => this.#open.delete(open), { once: true });
    }
    try {
      const parsed = body === undefined ? {} : { parsedBody: body };
      return await this.#transport.handleRequest(request, parsed);
    } catch (error) {
      this.#open.delete(open);
      throw error;
    }
  }

  toolsChanged(): void {
    // A disconnected client requests the list again anyway.
    void this.#server.sendToolListChanged().catch(() => undefined);
  }

  /** Cancels the open requests and answers those that the client still waits for. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#deps.ended();
    try {
      await this.#deps.tools.leave(this.client);
      await Promise.allSettled(this.#calls);
    } finally {
      await this.#server.close();
    }
  }

  async #call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    { mcpReq, http }: ServerContext,
  ): Promise<CallToolResult> {
    // Cancel the call if the client disconnects, because it cannot fetch the result later.
    const signals = [mcpReq.signal, ...(http?.req ? [http.req.signal] : [])];
    const signal = AbortSignal.any(signals);
    let rest = () => {};
    const waits = (what: string) => {
      rest = this.#reportWaiting(what, mcpReq);
    };
    try {
      const result = await this.#deps.tools.call(this.client, { name, input, signal, waits });
      if (typeof result !== 'string') return written(result);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `${result} The user may have switched off others in Parley’s settings.`,
      );
    } finally {
      rest();
    }
  }

  /** Sends progress repeatedly if the client has asked for it; returns a function that stops it. */
  #reportWaiting(what: string, { _meta, notify }: ServerContext['mcpReq']): () => void {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return () => undefined;
    let progress = 0;
    let cancel = () => {};
    const tell = () => {
      progress += 1;
      const message = t.waitsForDecision(what);
      const params = { progressToken, progress, message };
      void notify({ method: 'notifications/progress', params }).catch(() => undefined);
      cancel = this.#deps.clock.after(PROGRESS_INTERVAL_MS, tell);
    };
    tell();
    return () => cancel();
  }
}

/**
 * Replaces unexpected errors, because the package would send their text, which may reveal details
 * of this computer.
 */
async function plainly<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, t.callBroke);
  }
}

function written({ content, structuredContent, isError }: McpResult): CallToolResult {
  return {
    content: content.map((each) => ({ ...each })),
    structuredContent: { ...structuredContent },
    isError,
  };
}
