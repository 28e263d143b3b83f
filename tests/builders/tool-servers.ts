/** Tool servers in memory: what they offer is set, and they are up once they may be. */
import { serverNameWords } from '#model/mcp-server';
import type { OfferedTool, McpServers } from '#ports/tool-servers';

export interface MemoryServers extends McpServers {
  /** Listed, and in use. */
  listed: readonly { readonly id: string; readonly name: string }[];
  /** By id, what each has told of its tools; nothing before it was up. */
  readonly told: Map<string, readonly OfferedTool[]>;
  /** What calls were made, as `id tool`. */
  readonly called: string[];
  /** By id, what models are not told of its tools. */
  readonly untold: Map<string, string | null>;
  /** Called where a turn waits for servers. */
  starting: (signal: AbortSignal) => Promise<void>;
  /** Somebody has said so. */
  changed(): void;
}

export function memoryServers(): MemoryServers {
  const listeners = new Set<() => void>();
  const servers: MemoryServers = {
    listed: [],
    told: new Map(),
    called: [],
    untold: new Map(),
    starting: async () => undefined,
    changed: () => listeners.forEach((each) => each()),
    start: (signal) => servers.starting(signal),
    offers() {
      const words = serverNameWords(servers.listed);
      return servers.listed.map((server) => ({
        ...{ server, words: words.get(server.id)! },
        tools: servers.told.get(server.id) ?? null,
      }));
    },
    async call(id, tool) {
      servers.called.push(`${id} ${tool}`);
      return { text: 'yes', failed: false, isFromServer: true };
    },
    recordOmitted: (id, untold) => void servers.untold.set(id, untold),
    onChange: (listener) => void listeners.add(listener),
    news: () => [],
  };
  return servers;
}

export function offeredTool(name: string, more: Partial<OfferedTool> = {}): OfferedTool {
  return {
    ...{ name, description: `Does ${name}.`, saysItReads: false },
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    ...more,
  };
}
