/** One server as it comes and goes: started when it is wanted, let go, and tried again after a while. */
import { serverIdentity, type ServerStatus, type McpServer } from '#model/mcp-server';
import type { Clock } from '#ports/clock';
import type { CallControl, OfferedTool, ServerAnswer } from '#ports/tool-servers';
import type {
  ServerConnection,
  ServerConnectionDeps,
  ConnectionEnd,
  ConnectionTimeouts,
  ServerTransport,
} from './server-connection';

export interface ServerLifecycleDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  readonly patience: ConnectionTimeouts;
  /** A sentence where the server can't be reached as things are. */
  way(server: McpServer): ServerTransport | string;
  /** It stands otherwise, or offers other tools. */
  changed(): void;
}

/** Milliseconds before a server that failed is tried again without being asked; doubled each time. */
const RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 5 * 60_000;

export class ServerLifecycle {
  readonly #deps: ServerLifecycleDeps;
  readonly server: McpServer;
  readonly identity: string;
  #connection: ServerConnection | null = null;
  #starting: Promise<void> | null = null;
  /** For what is connected, or being connected to: aborted when it is let go. */
  #wanted = new AbortController();
  /** What was let go and may not be gone yet. */
  #leaving: Promise<unknown> = Promise.resolve();
  /** For as long as a turn may wait for that: what comes later does not wait again. */
  #waiting: Promise<void> | null = null;
  #isClosed = false;
  #failures = 0;
  #restsUntil = 0;
  #down: ConnectionEnd | null = null;
  /** As last offered, also while it is down: what a model was told of does not go with every stumble. */
  #tools: readonly OfferedTool[] | null = null;

  constructor(server: McpServer, deps: ServerLifecycleDeps) {
    this.server = server;
    this.identity = serverIdentity(server);
    this.#deps = deps;
  }

  /** Null before it was ever up. */
  get tools(): readonly OfferedTool[] | null {
    return this.#tools;
  }

  get standing(): ServerStatus {
    if (this.#connection) {
      const { tools, left } = this.#connection;
      return { kind: 'up', tools: tools.map(({ name }) => name), left };
    }
    if (this.#starting) return { kind: 'starting' };
    return this.#down ? { kind: 'down', ...this.#down } : { kind: 'idle' };
  }

  /** Resolves when it is up, or is not to be; at once while it rests. */
  start(): Promise<void> {
    const mayTry = !this.#isClosed && this.#deps.clock.now() >= this.#restsUntil;
    if (this.#connection || (!this.#starting && !mayTry)) return Promise.resolve();
    if (this.#starting) return this.#starting;
    const way = this.#deps.way(this.server);
    if (typeof way !== 'string') return (this.#starting = this.#start(way));
    this.#failed({ why: way, words: '' });
    this.#deps.changed();
    return Promise.resolve();
  }

  /** As `start`, for as long as a turn may wait and somebody does; it goes on beyond that. */
  async startInTime(signal: AbortSignal): Promise<void> {
    const started = this.start();
    if (!this.#starting || signal.aborted) return;
    const { clock, patience } = this.#deps;
    const over = new AbortController();
    const given = clock.sleep(patience.turn, AbortSignal.any([signal, over.signal]));
    await Promise.race([(this.#waiting ??= this.#inTime(started)), given]);
    over.abort();
  }

  /** As `start`, without any rest; what is up or starting is let go before. */
  async restart(): Promise<void> {
    await this.#letGo();
    this.#restsUntil = 0;
    await this.start();
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    going: CallControl,
  ): Promise<ServerAnswer> {
    // Once more where the server had forgotten who asks: it was begun anew, and nothing was done.
    for (let asked = 0; asked < 2; asked += 1) {
      await this.startInTime(going.signal);
      const answer = await this.#connection?.call(tool, input, going);
      if (answer) return answer;
      if (answer === undefined) break;
    }
    const text = `The tool server “${this.server.name}” ${this.#absence()} Nothing was done. Go on without it, and say so.`;
    return { text, failed: true, isFromServer: false };
  }

  /** Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#letGo();
  }

  #letGo(): Promise<unknown> {
    this.#wanted.abort();
    const open = this.#connection;
    this.#connection = null;
    this.#leaving = Promise.all([this.#leaving, this.#starting, open?.close()]);
    return this.#leaving;
  }

  #absence(): string {
    if (this.#starting) return 'is still starting.';
    return this.#down ? `is down. ${this.#down.why}` : 'forgets each time who asks it.';
  }

  async #inTime(started: Promise<void>): Promise<void> {
    const { clock, patience } = this.#deps;
    const enough = new AbortController();
    await Promise.race([started, clock.sleep(patience.turn, enough.signal)]);
    enough.abort();
  }

  async #start(way: ServerTransport): Promise<void> {
    const { signal } = (this.#wanted = new AbortController());
    try {
      // Evaluated when the first server is used.
      const { connect } = await import('./server-connection');
      const made = await connect(way, this.#told(signal), signal);
      const isUp = !('why' in made);
      if (signal.aborted) return isUp ? await made.close() : undefined;
      if (!isUp) return this.#failed(made);
      this.#connection = made;
      this.#tools = made.tools;
      this.#down = null;
      this.#failures = 0;
    } finally {
      this.#starting = null;
      this.#waiting = null;
      this.#deps.changed();
    }
  }

  /** Nothing of it is heeded once it was let go. */
  #told(signal: AbortSignal): ServerConnectionDeps {
    const { clock, fetch, version, patience, changed } = this.#deps;
    return {
      ...{ clock, fetch, version, patience },
      onTools: (tools) => {
        if (signal.aborted) return;
        this.#tools = tools;
        changed();
      },
      onEnd: (down) => {
        if (signal.aborted) return;
        this.#failed(down);
        void this.#letGo();
        changed();
      },
      onForgotten: () => {
        if (!signal.aborted) void this.#letGo();
      },
    };
  }

  #failed(down: ConnectionEnd): void {
    this.#down = down;
    this.#restsUntil =
      this.#deps.clock.now() + Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
  }
}

/** What is to be mended before it can be used, in a sentence for the user; null where nothing is. */
export function serverFault(server: McpServer): string | null {
  if (server.kind === 'stdio') {
    return server.command.trim() === '' ? 'It has no command yet.' : null;
  }
  const { url, secret } = server;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return 'Its address has to be one such as https://example.com/mcp.';
  }
  return secret === '' || isPrivateWay(new URL(url))
    ? null
    : 'A token is sent by https only, or to this computer.';
}

function isPrivateWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
