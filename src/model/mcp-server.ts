/** MCP servers in the settings: their form, names, permissions and status. */

interface Listed {
  /** Minted when the server is added, and never reused. */
  readonly id: string;
  /** Display name, from which the prefix of its tool names is derived. */
  readonly name: string;
  readonly enabled: boolean;
}

/** A program on this computer, started by Parley and reached over stdin and stdout. */
export interface StdioServer extends Listed {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** `{{name}}` in a value refers to a secret in Obsidian's secret storage. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server at a URL, reached over streamable HTTP. */
export interface HttpServer extends Listed {
  readonly kind: 'http';
  readonly url: string;
  /** Name of its token in Obsidian's secret storage; '' for none. */
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
 * Everything the user approves on a device, verbatim, because settings also come from other
 * devices. Renaming keeps the identity; another command, address, or secret changes it.
 */
export function serverIdentity(server: McpServer): string {
  return server.kind === 'stdio'
    ? JSON.stringify([server.id, server.command, server.args, Object.entries(server.env)])
    : JSON.stringify([server.id, server.url, server.secret]);
}

/** Status of a server on this device. */
export type ServerStatus =
  | { readonly kind: 'off' }
  | { readonly kind: 'incomplete'; readonly reason: string }
  /** It starts with the next request. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'up';
      readonly tools: readonly string[];
      /** Minimum number of further tools, which exceed the limits. */
      readonly left: number;
      /**
       * How many tools are shortened or withheld because they exceed the space in the prompt, in
       * words.
       */
      readonly omitted?: string;
    }
  /** `reason` is a sentence of Parley's; `words` is output of the server or the system, for the user only. */
  | { readonly kind: 'down'; readonly reason: string; readonly words: string };

/** Maximum length of the prefix in tool names; the rest is for the tool's own name. */
const MAX_NAME_CHARS = 24;

/**
 * Prefix of each server's tool names, by server id: the server's name, plus the end of its id if
 * another server has the same. Independent of which servers are running, and stable across
 * restarts.
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

/** Replaces characters that tool names cannot contain. */
export function nameWords(name: string): string {
  return name
    .slice(0, 200)
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
