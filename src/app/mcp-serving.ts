/** Parley's MCP server as the user controls it: starts, stops and moves it to another port. */
import * as t from '#messages/settings-messages';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type {
  ServerListening,
  Loopback,
  McpServerPort,
  McpServerStatus,
  McpClient,
} from '#ports/app/mcp-server-port';
import { SerialQueue } from '#ports/serial-queue';
import type { McpCalls } from '#queue/mcp-calls';

/** The server that answers requests on the port. */
export interface RunningServer {
  readonly answer: Parameters<Loopback['listen']>[1];
  clients(): readonly McpClient[];
  /** Called when the offered tools have changed. */
  toolsChanged(): void;
  /** Disconnects all clients. */
  close(): Promise<void>;
}

export interface McpServingDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly loopback: Loopback;
  settings(): Settings;
  /** Storage for the token, which is null while there is none, and a generator of new ones. */
  readonly token: { get(): string | null; set(token: string): void; make(): string };
  readonly calls: Pick<McpCalls, 'close'>;
  /** Creates a server that answers with these calls. */
  serve(how: { readonly port: number; token(): string; changed(): void }): Promise<RunningServer>;
  /** Calls back when the registered tools change. */
  onTools(listener: () => void): () => void;
}

/** Delay before trying again to open a port that is in use. */
const RETRY_DELAY_MS = 5_000;

export const MCP_PATH = '/mcp';

export class McpServing implements McpServerPort {
  readonly #deps: McpServingDeps;
  readonly #listeners = new Set<() => void>();
  #state: McpServerStatus = { kind: 'off' };
  /** Only the leader opens the port. */
  #isLeader = false;
  #running: { server: RunningServer; listening: ServerListening; port: number } | null = null;
  /** Serializes changes: a port must be free before it is opened again. */
  readonly #changes = new SerialQueue();
  #closed = false;
  readonly #letGo: () => void;
  #cancelRetry: () => void = () => undefined;

  constructor(deps: McpServingDeps) {
    this.#deps = deps;
    this.#letGo = deps.onTools(() => this.#running?.server.toolsChanged());
  }

  get state(): McpServerStatus {
    if (!this.#isLeader) {
      return { kind: this.#deps.settings().mcpServerEnabled ? 'elsewhere' : 'off' };
    }
    if (!this.#running) return this.#state;
    const clients = this.#running.server.clients().map(({ name }) => name);
    return { kind: 'running', address: addressOf(this.#running.port), clients };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async access(): ReturnType<McpServerPort['access']> {
    return { address: addressOf(this.#deps.settings().mcpServerPort), token: this.#token() };
  }

  /** Replaces the token and disconnects clients that use the old one. */
  renewToken(): Promise<void> {
    this.#deps.token.set(this.#deps.token.make());
    return this.#changes.run(async () => {
      await this.#stop();
      await this.#adapt();
    });
  }

  /** Called when this process becomes the leader. */
  lead(): Promise<void> {
    this.#isLeader = true;
    return this.update();
  }

  /** Adapts to the current settings. */
  update(): Promise<void> {
    return this.#changes.run(async () => {
      await this.#adapt();
      this.#running?.server.toolsChanged();
    });
  }

  /** Takes effect at once: after this, no call is answered and nothing recorded. */
  close(): void {
    this.#closed = true;
    this.#isLeader = false;
    this.#letGo();
    this.#cancelRetry();
    this.#deps.calls.close();
    void this.#changes.run(() => this.#stop());
  }

  async #adapt(): Promise<void> {
    this.#cancelRetry();
    const { mcpServerEnabled, mcpServerPort } = this.#deps.settings();
    const isWanted = mcpServerEnabled && this.#isLeader && !this.#closed;
    if (this.#running && (!isWanted || this.#running.port !== mcpServerPort)) await this.#stop();
    if (isWanted && !this.#running) await this.#start(mcpServerPort);
    else if (!isWanted) this.#set({ kind: 'off' });
  }

  async #start(port: number): Promise<void> {
    const { loopback, serve } = this.#deps;
    this.#set({ kind: 'starting' });
    let server: RunningServer | null = null;
    try {
      this.#token();
      server = await serve({ port, token: () => this.#token(), changed: () => this.#notify() });
      const listening = await loopback.listen(port, server.answer);
      this.#running = { server, listening, port };
      if (this.#closed) await this.#stop();
      this.#notify();
    } catch (error) {
      await server?.close();
      this.#set({ kind: 'refused', reason: whyNot(error, port) });
      if (codeOf(error) === 'EADDRINUSE') {
        this.#cancelRetry = this.#deps.clock.after(RETRY_DELAY_MS, () => void this.update());
      }
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.#set({ kind: 'off' });
    // Stop listening first, so that the port is free at once, for example when the plugin is
    // reloaded. Last answers are still sent.
    const closing = running.listening.close();
    await running.server.close();
    await closing;
  }

  #token(): string {
    const { token } = this.#deps;
    const known = token.get();
    if (known) return known;
    const made = token.make();
    token.set(made);
    return made;
  }

  #set(state: McpServerStatus): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}${MCP_PATH}`;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}

function whyNot(error: unknown, port: number): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return t.portTaken(port);
    case 'EACCES':
      return t.portForbidden(port);
    default:
      return t.portFailed(port, error instanceof Error ? error.message : String(error));
  }
}
