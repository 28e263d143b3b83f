/**
 * Manages the MCP servers in the settings on this device. A server starts when it is first needed.
 */
import * as t from '#messages/mcp-messages';
import {
  serverNameWords,
  serverIdentity,
  type ServerStatus,
  type McpServer,
} from '#model/mcp-server';
import type { Clock } from '#ports/clock';
import type {
  CallControl,
  OfferedTool,
  ServerAnswer,
  ServerOffer,
  McpServers,
} from '#ports/mcp-servers';
import type { ConnectionTimeouts, ServerTransport } from './server-connection';
import { serverFault, ServerLifecycle, type ServerLifecycleDeps } from './server-lifecycle';

export interface McpServerManagerDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  servers(): readonly McpServer[];
  secret(name: string): string | null;
  readonly timeouts?: ConnectionTimeouts;
}

const NONE: readonly OfferedTool[] = [];

const PATIENCE: ConnectionTimeouts = { start: 60_000, turn: 10_000, quiet: 60_000, call: 600_000 };

export class McpServerManager implements McpServers {
  readonly #deps: McpServerManagerDeps;
  readonly #lifecycleDeps: ServerLifecycleDeps;
  readonly #links = new Map<string, ServerLifecycle>();
  readonly #listeners = new Set<() => void>();
  /** The message last reported for each server. */
  readonly #announced = new Map<string, string>();
  /** What was left out of each server's offer because it is too long for models. */
  readonly #omitted = new Map<string, string>();
  /** Connections that are still closing. */
  readonly #leaving = new Set<Promise<void>>();
  #isClosed = false;

  constructor(deps: McpServerManagerDeps) {
    this.#deps = deps;
    const { clock, fetch, version, timeouts = PATIENCE } = deps;
    this.#lifecycleDeps = {
      clock,
      fetch,
      version,
      timeouts,
      transportOf: (server) => this.#transportOf(server),
      changed: () => this.#changed(),
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    this.update();
    await Promise.all(this.#wanted().map((server) => this.#link(server).startInTime(signal)));
  }

  offers(): readonly ServerOffer[] {
    this.update();
    const words = serverNameWords(this.#deps.servers());
    return this.#wanted().map(({ id, name }) => {
      const link = this.#links.get(id);
      const tools = link?.tools ?? (link?.status.kind === 'down' ? NONE : null);
      return { server: { id, name }, words: words.get(id)!, tools };
    });
  }

  async call(
    id: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    control: CallControl,
  ): Promise<ServerAnswer> {
    this.update();
    const server = this.#wanted().find((each) => each.id === id);
    if (server) return this.#link(server).call(tool, input, control);
    return { text: t.serverNotInUse, failed: true, isFromServer: false };
  }

  recordOmitted(server: string, omitted: string | null): void {
    if (omitted !== null) this.#omitted.set(server, omitted);
    else this.#omitted.delete(server);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announcements(): readonly string[] {
    const listed = this.#deps.servers().filter((each) => each.enabled && !isBlank(each));
    return listed.flatMap((server) => {
      const words = announcementOf(server.name, this.status(server));
      const isNew = words !== null && this.#announced.get(server.id) !== words;
      if (words === null) this.#announced.delete(server.id);
      else this.#announced.set(server.id, words);
      return isNew ? [words] : [];
    });
  }

  status(server: McpServer): ServerStatus {
    if (!server.enabled) return { kind: 'off' };
    const fault = serverFault(server);
    if (fault !== null) return { kind: 'incomplete', reason: fault };
    const link = this.#links.get(server.id);
    if (link?.identity !== serverIdentity(server)) return { kind: 'idle' };
    const { status } = link;
    const omitted = this.#omitted.get(server.id);
    return status.kind === 'up' && omitted !== undefined ? { ...status, omitted } : status;
  }

  statuses(): ReadonlyMap<string, ServerStatus> {
    return new Map(this.#deps.servers().map((each) => [each.id, this.status(each)]));
  }

  /** Restarts a server and returns its status afterwards. */
  async test(id: string): Promise<ServerStatus> {
    this.update();
    const server = this.#wanted().find((each) => each.id === id);
    if (server) await this.#link(server).restart();
    const now = this.#deps.servers().find((each) => each.id === id);
    return now ? this.status(now) : { kind: 'off' };
  }

  /** Disconnects servers that were removed, changed or switched off. */
  update(): void {
    const wanted = new Map(this.#wanted().map((each) => [each.id, serverIdentity(each)]));
    for (const [id, link] of this.#links) {
      if (wanted.get(id) === link.identity) continue;
      this.#links.delete(id);
      this.#letGo(link);
    }
  }

  /** Resolves when all started processes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const link of this.#links.values()) this.#letGo(link);
    this.#links.clear();
    await Promise.all(this.#leaving);
  }

  #letGo(link: ServerLifecycle): void {
    const left = link.close().finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  /** Servers that are enabled and complete. */
  #wanted(): McpServer[] {
    if (this.#isClosed) return [];
    return this.#deps.servers().filter((each) => each.enabled && serverFault(each) === null);
  }

  #link(server: McpServer): ServerLifecycle {
    const known = this.#links.get(server.id);
    if (known) return known;
    const made = new ServerLifecycle(server, this.#lifecycleDeps);
    this.#links.set(server.id, made);
    return made;
  }

  #transportOf(server: McpServer): ServerTransport | string {
    const values = new Map<string, string>();
    for (const name of secretNames(server)) {
      const value = this.#deps.secret(name);
      if (value === null) return t.secretMissing(name);
      values.set(name, value);
    }
    const secrets = [...values.values()];
    if (server.kind === 'http') {
      return { kind: 'http', url: server.url, token: values.get(server.secret) ?? null, secrets };
    }
    const { command, args } = server;
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(server.env)) {
      env[name] = value.replace(SECRET, (_, named: string) => values.get(named) ?? '');
    }
    return { kind: 'stdio', program: { command: command.trim(), args, env }, secrets };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A reference to a secret, such as `{{github-token}}`. */
const SECRET = /\{\{\s*([\w-]+)\s*\}\}/g;

function secretNames(server: McpServer): string[] {
  if (server.kind === 'http') return server.secret === '' ? [] : [server.secret];
  return Object.values(server.env).flatMap((value) =>
    [...value.matchAll(SECRET)].map(([, name = '']) => name),
  );
}

/** Whether the user has added the server but not filled it in yet. */
function isBlank(server: McpServer): boolean {
  return (server.kind === 'stdio' ? server.command : server.url).trim() === '';
}

function announcementOf(name: string, status: ServerStatus): string | null {
  switch (status.kind) {
    case 'incomplete':
      return t.serverUnusable(name, status.reason);
    case 'starting':
      return t.serverStarting(name);
    case 'up':
      return status.omitted === undefined ? null : t.descriptionsTooLong(name, status.omitted);
    case 'down':
      return t.serverDown(name, status.reason);
    default:
      return null;
  }
}
