/** Lifecycle of one MCP server: starts it when needed, stops it, and retries after a delay. */
import * as t from '#messages/mcp-messages';
import { serverIdentity, type ServerStatus, type McpServer } from '#model/mcp-server';
import { isSecureAddress } from '#model/setting-checks';
import type { Clock } from '#ports/clock';
import { delayAfter, type RetryDelays } from '#ports/retry';
import type { CallControl, OfferedTool, ServerAnswer } from '#ports/mcp-servers';
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
  readonly timeouts: ConnectionTimeouts;
  /** How to reach the server, or a sentence about what is missing in its settings. */
  transportOf(server: McpServer): ServerTransport | string;
  /** Called when the server's status or tools change. */
  changed(): void;
}

const SERVER_RETRIES: RetryDelays = {
  delays: [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000],
  repeats: true,
};

export class ServerLifecycle {
  readonly #deps: ServerLifecycleDeps;
  readonly server: McpServer;
  readonly identity: string;
  #connection: ServerConnection | null = null;
  #starting: Promise<void> | null = null;
  /** Controls the current connection or connection attempt; aborted to stop it. */
  #wanted = new AbortController();
  /** Settles when all stopped connections have ended. */
  #leaving: Promise<unknown> = Promise.resolve();
  /**
   * The wait of a turn for the current start. It is shared, so that later turns do not wait again.
   */
  #waiting: Promise<void> | null = null;
  #isClosed = false;
  #failures = 0;
  #restsUntil = 0;
  #down: ConnectionEnd | null = null;
  /**
   * The last known tools. Kept while the server is down, so that the model's tool list stays the
   * same.
   */
  #tools: readonly OfferedTool[] | null = null;

  constructor(server: McpServer, deps: ServerLifecycleDeps) {
    this.server = server;
    this.identity = serverIdentity(server);
    this.#deps = deps;
  }

  /** Null before the first connection. */
  get tools(): readonly OfferedTool[] | null {
    return this.#tools;
  }

  get status(): ServerStatus {
    if (this.#connection) {
      const { tools, left } = this.#connection;
      return { kind: 'up', tools: tools.map(({ name }) => name), left };
    }
    if (this.#starting) return { kind: 'starting' };
    return this.#down ? { kind: 'down', ...this.#down } : { kind: 'idle' };
  }

  /**
   * Starts the server if it is not running. Resolves when it is connected or has failed, and
   * immediately during the retry delay.
   */
  start(): Promise<void> {
    const mayTry = !this.#isClosed && this.#deps.clock.now() >= this.#restsUntil;
    if (this.#connection || (!this.#starting && !mayTry)) return Promise.resolve();
    if (this.#starting) return this.#starting;
    const transport = this.#deps.transportOf(this.server);
    if (typeof transport !== 'string') return (this.#starting = this.#start(transport));
    this.#failed({ reason: transport, words: '' });
    this.#deps.changed();
    return Promise.resolve();
  }

  /**
   * Like `start`, but resolves early if a turn has waited long enough or the signal aborts.
   * Connecting continues in the background.
   */
  async startInTime(signal: AbortSignal): Promise<void> {
    const started = this.start();
    if (!this.#starting || signal.aborted) return;
    const { clock, timeouts } = this.#deps;
    const over = new AbortController();
    const given = clock.sleep(timeouts.turn, AbortSignal.any([signal, over.signal]));
    await Promise.race([(this.#waiting ??= this.#inTime(started)), given]);
    over.abort();
  }

  /**
   * Stops the current connection or connection attempt and starts again, without the retry delay.
   */
  async restart(): Promise<void> {
    await this.#letGo();
    this.#restsUntil = 0;
    await this.start();
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    control: CallControl,
  ): Promise<ServerAnswer> {
    await this.startInTime(control.signal);
    if (this.#connection) return this.#connection.call(tool, input, control);
    const text = t.callNotMade(this.server.name, this.#absence());
    return { text, failed: true, isFromServer: false };
  }

  /** Resolves when none of its processes is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#letGo();
  }

  #letGo(): Promise<unknown> {
    this.#wanted.abort();
    const open = this.#connection;
    this.#connection = null;
    // The result of `Promise.all` would hold those of all connections before.
    const left = Promise.all([this.#leaving, this.#starting, open?.close()]);
    this.#leaving = left.then(() => undefined);
    return this.#leaving;
  }

  #absence(): string {
    return this.#down && !this.#starting ? t.whileDown(this.#down.reason) : t.whileStarting;
  }

  async #inTime(started: Promise<void>): Promise<void> {
    const { clock, timeouts } = this.#deps;
    const enough = new AbortController();
    await Promise.race([started, clock.sleep(timeouts.turn, enough.signal)]);
    enough.abort();
  }

  async #start(transport: ServerTransport): Promise<void> {
    const { signal } = (this.#wanted = new AbortController());
    try {
      // Loaded when the first server is used.
      const { connect } = await import('./server-connection');
      const made = await connect(transport, this.#connectionDeps(signal), signal);
      const isUp = !('reason' in made);
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

  /** Dependencies of a connection. Its events are ignored after the signal has aborted. */
  #connectionDeps(signal: AbortSignal): ServerConnectionDeps {
    const { clock, fetch, version, timeouts, changed } = this.#deps;
    return {
      clock,
      fetch,
      version,
      timeouts,
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
    this.#failures += 1;
    this.#restsUntil = this.#deps.clock.now() + delayAfter(this.#failures, SERVER_RETRIES);
  }
}

/** What the user has to fix in the server's settings, as a sentence; null if nothing. */
export function serverFault(server: McpServer): string | null {
  if (server.kind === 'stdio') {
    return server.command.trim() === '' ? t.commandMissing : null;
  }
  const { url } = server;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return t.addressInvalid;
  }
  return isSecureAddress(url) ? null : t.addressInsecure;
}
