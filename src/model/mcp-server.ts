/** MCP servers in the settings: their form, names, permissions and status. */
import type { Permission, Settings } from './settings';

interface Listed {
  /** Minted when it was listed; another server never has it. */
  readonly id: string;
  /** For people, and what the model's names of its tools begin with. */
  readonly name: string;
  readonly enabled: boolean;
}

/** A program of this computer, which is started and spoken to by its input and output. */
export interface StdioServer extends Listed {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** `{{name}}` in a value stands for a secret of Obsidian's secret storage. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server at an address, spoken to by streamable HTTP. */
export interface HttpServer extends Listed {
  readonly kind: 'http';
  readonly url: string;
  /** The name under which its token lies in Obsidian's secret storage; '' for none. */
  readonly secret: string;
}

export type McpServer = StdioServer | HttpServer;

const MAX_SERVERS = 30;

export function areMcpServers(value: unknown): value is readonly McpServer[] {
  if (!Array.isArray(value) || value.length > MAX_SERVERS || !value.every(isToolServer)) {
    return false;
  }
  return new Set(value.map(({ id }) => id)).size === value.length;
}

function isToolServer(value: unknown): value is McpServer {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, enabled, kind, command, args, env, url, secret } = value as Record<
    string,
    unknown
  >;
  if (!isText(id, 100) || id === '' || !isText(name, 60) || typeof enabled !== 'boolean') {
    return false;
  }
  if (kind === 'http') return isText(url, 2_000) && isText(secret, 200);
  return (
    kind === 'stdio' &&
    isText(command, 1_000) &&
    isList(args) &&
    typeof env === 'object' &&
    env !== null &&
    !Array.isArray(env) &&
    isList(Object.values(env)) &&
    Object.keys(env).every((each) => /^[a-z_]\w{0,199}$/i.test(each))
  );
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 100 && value.every((each) => isText(each, 10_000));
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && !value.includes('\0');
}

/**
 * All that a user says yes to on a device, to the letter: settings come from other devices too. Another name is the
 * same server, another command, address or secret is not.
 */
export function serverIdentity(server: McpServer): string {
  return server.kind === 'stdio'
    ? JSON.stringify([server.id, server.command, server.args, Object.entries(server.env)])
    : JSON.stringify([server.id, server.url, server.secret]);
}

/** How a server stands on this device. */
export type ServerStatus =
  | { readonly kind: 'off' }
  | { readonly kind: 'incomplete'; readonly fault: string }
  /** Nobody has said yes to it on this device, or to another command or address. */
  | { readonly kind: 'asks' }
  /** Begins with the next request. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'up';
      readonly tools: readonly string[];
      /** How many more it has at least, which can't be taken. */
      readonly left: number;
      /** What of them is told to models in short or not at all, since it is too much, in words. */
      readonly untold?: string;
    }
  /** In sentences of ours, and in what it or this computer said, which the user alone is shown; may be empty. */
  | { readonly kind: 'down'; readonly why: string; readonly words: string };

/**
 * What holds on of what the user has set for tools, when servers are listed otherwise: a yes to the tools of one was no
 * yes to what another command or address does. The same object where all of it does.
 */
export function permissionsWith(
  next: readonly McpServer[],
  { tools, mcpServers: mcpServers }: Pick<Settings, 'tools' | 'mcpServers'>,
): Settings['tools'] {
  const now = new Map(next.map((each) => [each.id, serverIdentity(each)]));
  const others = mcpServers.filter((each) => now.get(each.id) !== serverIdentity(each));
  const holds = ([key, permission]: [string, Permission]) => {
    const server = others.find(({ id }) => key.startsWith(`${id} `));
    return !server || (now.has(server.id) && permission !== 'allow');
  };
  const held = Object.entries(tools).filter(holds);
  return held.length === Object.keys(tools).length ? tools : Object.fromEntries(held);
}

/** Of what the names of its tools begin with; the rest is for a tool's own. */
const MAX_NAME_CHARS = 24;

/**
 * What the names of each server's tools begin with, by its id: its own name as names of tools are written, with the end of
 * its id where another would have the same. That holds whichever of them is up, and after a restart.
 */
export function serverNameWords(
  servers: readonly Pick<McpServer, 'id' | 'name'>[],
): ReadonlyMap<string, string> {
  const plain = servers.map(
    ({ name }) => nameWords(name).toLowerCase().slice(0, MAX_NAME_CHARS) || 'server',
  );
  return new Map(
    servers.map(({ id }, at) => {
      const words = plain[at]!;
      const isAlone = plain.indexOf(words) === plain.lastIndexOf(words);
      return [id, isAlone ? words : `${words}_${nameWords(id).slice(-4)}`];
    }),
  );
}

/** As names of tools may be written. */
export function nameWords(name: string): string {
  return name
    .slice(0, 200)
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
