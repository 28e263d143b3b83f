/** One server as it comes and goes: started when it is wanted, let go, and tried again after a while. */
import { serverIdentity, type ServerStanding, type ToolServer } from '#model/tool-server';
import type { Clock } from '#ports/clock';
import type { OfferedTool, ServerAnswer } from '#ports/tool-servers';
import type { Connection, ConnectionParts, Patience, Way } from './connection';

export interface LinkParts {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  readonly patience: Patience;
  /** A sentence where the server can't be reached as things are. */
  way(server: ToolServer): Way | string;
  /** It stands otherwise, or offers other tools. */
  changed(): void;
}

/** Milliseconds before a server that failed is tried again without being asked; doubled each time. */
const REST = 5_000;
const LONGEST_REST = 5 * 60_000;

export class Link {
  readonly #parts: LinkParts;
  readonly server: ToolServer;
  readonly identity: string;
  #connection: Connection | null = null;
  #starting: Promise<void> | null = null;
  /** What is being connected to. */
  #begun: Pick<Connection, 'close'> | null = null;
  /** For as long as a turn may wait for that: what comes later does not wait again. */
  #waiting: Promise<void> | null = null;
  #isClosed = false;
  #failures = 0;
  #restsUntil = 0;
  #why: string | null = null;
  /** As last offered, also while it is down: what a model was told of does not go with every stumble. */
  #tools: readonly OfferedTool[] | null = null;

  constructor(server: ToolServer, parts: LinkParts) {
    this.server = server;
    this.identity = serverIdentity(server);
    this.#parts = parts;
  }

  /** Null before it was ever up. */
  get tools(): readonly OfferedTool[] | null {
    return this.#tools;
  }

  get standing(): ServerStanding {
    if (this.#connection) {
      return { kind: 'up', tools: this.#connection.tools.map(({ name }) => name) };
    }
    if (this.#starting) return { kind: 'starting' };
    return this.#why === null ? { kind: 'idle' } : { kind: 'down', why: this.#why };
  }

  /** Resolves when it is up, or is not to be; at once while it rests. */
  start(): Promise<void> {
    const mayTry = !this.#isClosed && this.#parts.clock.now() >= this.#restsUntil;
    if (this.#connection || (!this.#starting && !mayTry)) return Promise.resolve();
    if (this.#starting) return this.#starting;
    const way = this.#parts.way(this.server);
    if (typeof way !== 'string') return (this.#starting = this.#start(way));
    this.#failed(way);
    this.#parts.changed();
    return Promise.resolve();
  }

  /** As `start`, for as long as a turn may wait; it goes on beyond that. */
  async startInTime(): Promise<void> {
    const started = this.start();
    if (this.#starting) await (this.#waiting ??= this.#inTime(started));
  }

  /** As `start`, without any rest, and what is up is begun anew. */
  async restart(): Promise<void> {
    await this.#starting;
    const before = this.#connection;
    this.#connection = null;
    await before?.close();
    this.#restsUntil = 0;
    await this.start();
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    await this.startInTime();
    if (this.#connection) return this.#connection.call(tool, input, signal);
    const why = this.#why === null ? 'is still starting' : 'is down';
    const text = `The tool server “${this.server.name}” ${why}, and nothing was done. Go on without it, and say so.`;
    return { text, failed: true, isTheirs: false, ...(this.#why ? { theirs: this.#why } : {}) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#connection;
    this.#connection = null;
    await (open ?? this.#begun)?.close();
  }

  async #inTime(started: Promise<void>): Promise<void> {
    const { clock, patience } = this.#parts;
    const enough = new AbortController();
    await Promise.race([started, clock.sleep(patience.turn, enough.signal)]);
    enough.abort();
  }

  async #start(way: Way): Promise<void> {
    try {
      // Evaluated when the first server is used.
      const { connect } = await import('./connection');
      if (this.#isClosed) return;
      const connection = await connect(way, this.#told());
      if (this.#isClosed) return connection.close();
      this.#connection = connection;
      this.#tools = connection.tools;
      this.#why = null;
      this.#failures = 0;
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#starting = null;
      this.#begun = null;
      this.#waiting = null;
      this.#parts.changed();
    }
  }

  #told(): ConnectionParts {
    const { clock, fetch, version, patience, changed } = this.#parts;
    return {
      ...{ clock, fetch, version, patience },
      begun: (connection) => {
        this.#begun = connection;
      },
      onTools: (tools) => {
        this.#tools = tools;
        changed();
      },
      onEnd: (why) => {
        const ended = this.#connection;
        this.#connection = null;
        void ended?.close();
        this.#failed(why);
        changed();
      },
    };
  }

  #failed(why: string): void {
    this.#why = why;
    this.#restsUntil = this.#parts.clock.now() + Math.min(LONGEST_REST, REST * 2 ** this.#failures);
    this.#failures += 1;
  }
}
