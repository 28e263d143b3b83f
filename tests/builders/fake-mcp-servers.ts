/** Fake MCP servers whose offers are set by tests. */
import { serverNameWords } from '#model/mcp-server';
import type { OfferedTool, McpServers } from '#ports/mcp-servers';

export interface MemoryServers extends McpServers {
  /** The servers in use. */
  listed: readonly { readonly id: string; readonly name: string }[];
  /** Offered tools by server id; missing until the server is running. */
  readonly told: Map<string, readonly OfferedTool[]>;
  /** Calls made, as `id tool`. */
  readonly called: string[];
  /** What was recorded as omitted from each server's offer, by id. */
  readonly untold: Map<string, string | null>;
  /** Called when a turn waits for servers to start. */
  starting: (signal: AbortSignal) => Promise<void>;
  /** Notifies the listeners that offers may have changed. */
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
    announcements: () => [],
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
