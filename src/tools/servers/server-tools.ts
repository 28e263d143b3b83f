/** The tools of the person's tool servers in the registry, each server's under an agent of its name. */
import type { OfferedTool, ServerOffer, ToolServers } from '#ports/tool-servers';
import type { ToolRegistry } from '../registry';
import { plainSchema } from './plain-schema';
import { serverTool, type NamedTool } from './server-tool';

const LONGEST_NAME = 64;
/** Of an agent; the rest is for the tool's own. */
const LONGEST_AGENT = 24;

export class ServerTools {
  readonly #registry: ToolRegistry;
  readonly #servers: ToolServers;
  /** By agent, all that makes its tools what they are. */
  readonly #registered = new Map<string, string>();
  /** The agents of servers, by the servers' ids: a name once given is kept. */
  readonly #agents = new Map<string, { readonly from: string; readonly name: string }>();

  constructor(registry: ToolRegistry, servers: ToolServers) {
    this.#registry = registry;
    this.#servers = servers;
    registry.addSource(() => this.look());
    // What a server takes back in the middle of a turn is gone at once; what is new joins the next prompt.
    servers.onChange(() => void this.look());
  }

  async look(): Promise<void> {
    this.#put(await this.#servers.offers());
  }

  #put(offers: readonly ServerOffer[]): void {
    for (const { server } of offers) {
      // Whose name is another by now gives it back before others look for one.
      if (this.#agents.get(server.id)?.from !== server.name) this.#leave(server.id);
    }
    const ids = offers.map(({ server }) => server.id);
    for (const id of this.#agents.keys()) if (!ids.includes(id)) this.#leave(id);
    for (const offer of offers) this.#putOne(offer);
  }

  #leave(id: string): void {
    const agent = this.#agents.get(id)?.name;
    if (agent === undefined) return;
    this.#registry.leaveAgent(agent);
    this.#agents.delete(id);
    this.#registered.delete(agent);
  }

  #putOne(offer: ServerOffer): void {
    const { server, tools } = offer;
    const state = JSON.stringify(offer);
    const agent = this.#agentOf(server);
    if (this.#registered.get(agent) === state) return;
    this.#registry.leaveAgent(agent);
    this.#registry.registerAgent({
      name: agent,
      version: 1,
      description: `Tools of the server “${server.name}”.`,
    });
    for (const offered of tools) {
      const made = this.#named(offered, agent, server);
      if (!made) continue;
      this.#registry.register(serverTool(made, this.#servers));
    }
    this.#registered.set(agent, state);
  }

  /** Null where no call could be made of it. */
  #named(offered: OfferedTool, agent: string, server: ServerOffer['server']): NamedTool | null {
    const schema = plainSchema(offered.input);
    if (schema === null) return null;
    const wanted = `${agent}_${wordsOf(offered.name)}`.slice(0, LONGEST_NAME);
    return { name: this.#free(wanted), agent, server, offered, schema };
  }

  #agentOf({ id, name }: ServerOffer['server']): string {
    const known = this.#agents.get(id);
    if (known) return known.name;
    const free = this.#free(wordsOf(name).toLowerCase().slice(0, LONGEST_AGENT) || 'server');
    this.#agents.set(id, { from: name, name: free });
    return free;
  }

  #free(wanted: string): string {
    for (let count = 1; ; count += 1) {
      const end = count === 1 ? '' : `_${count}`;
      const name = wanted.slice(0, LONGEST_NAME - end.length) + end;
      if (this.#registry.nameProblem(name) === null) return name;
    }
  }
}

/** As names of tools may be written. */
function wordsOf(name: string): string {
  return name
    .slice(0, 2 * LONGEST_NAME)
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
