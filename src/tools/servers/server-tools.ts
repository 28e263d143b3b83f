/** The tools of the person's tool servers in the registry, each server's under an agent of its name. */
import { nameWords } from '#model/server-words';
import type { OfferedTool, ServerOffer, ToolServers } from '#ports/tool-servers';
import type { ToolRegistry } from '../registry';
import { plainSchema } from './plain-schema';
import { serverTool, type NamedTool } from './server-tool';

const LONGEST_NAME = 64;

interface AgentName {
  readonly words: string;
  readonly name: string;
}

export class ServerTools {
  readonly #registry: ToolRegistry;
  readonly #servers: ToolServers;
  /** By agent, what its tools were made of. */
  readonly #registered = new Map<string, Pick<ServerOffer, 'server' | 'tools'>>();
  /** The agents of servers, by the servers' ids. */
  readonly #agents = new Map<string, AgentName>();

  constructor(registry: ToolRegistry, servers: ToolServers) {
    this.#registry = registry;
    this.#servers = servers;
    registry.addSource(() => this.look());
    // What a server takes back in the middle of a turn is gone at once; what is new joins the next prompt.
    servers.onChange(() => this.look());
  }

  /** What is in use is started, waited for a while or until nobody wants it, and its tools are registered. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#servers.start(signal);
    this.look();
  }

  /** It is not there, and may be once its server was started. */
  mayCome(tool: string): boolean {
    return this.#servers.offers().some(({ server: { id }, tools }) => {
      const agent = this.#agents.get(id)?.name;
      return tools === null && agent !== undefined && tool.startsWith(`${agent}_`);
    });
  }

  news(): readonly string[] {
    return this.#servers.news();
  }

  /** Registers what is offered by now, and lets go what is not. */
  look(): void {
    const offers = this.#servers.offers();
    const words = new Map(offers.map((each) => [each.server.id, each.words]));
    // Whose name is another by now gives it back before others look for one.
    for (const [id, known] of this.#agents) if (words.get(id) !== known.words) this.#leave(id);
    for (const offer of offers) this.#put(offer);
  }

  #leave(id: string): void {
    const agent = this.#agents.get(id)?.name;
    if (agent === undefined) return;
    this.#registry.leaveAgent(agent);
    this.#agents.delete(id);
    this.#registered.delete(agent);
  }

  #put(offer: ServerOffer): void {
    const { server, tools } = offer;
    const agent = this.#agentOf(offer);
    const known = this.#registered.get(agent);
    // A server that tells anew is a new list; what it tells may be nested too deeply to be compared.
    if (known?.tools === tools && known.server.name === server.name) return;
    this.#registry.leaveAgent(agent);
    this.#registry.registerAgent({
      name: agent,
      version: 1,
      description: `Tools of the server “${server.name}”.`,
    });
    for (const offered of tools ?? []) {
      const made = this.#named(offered, agent, server);
      if (!made) continue;
      this.#registry.register(serverTool(made, this.#servers));
    }
    this.#registered.set(agent, { server, tools });
  }

  /** Null where no call could be made of it. */
  #named(offered: OfferedTool, agent: string, server: ServerOffer['server']): NamedTool | null {
    const schema = plainSchema(offered.input);
    if (schema === null) return null;
    const wanted = `${agent}_${nameWords(offered.name)}`.slice(0, LONGEST_NAME);
    return { name: this.#free(wanted), agent, server, offered, schema };
  }

  #agentOf({ server: { id }, words }: ServerOffer): string {
    const known = this.#agents.get(id);
    if (known) return known.name;
    const name = this.#free(words);
    this.#agents.set(id, { words, name });
    return name;
  }

  #free(wanted: string): string {
    for (let count = 1; ; count += 1) {
      const end = count === 1 ? '' : `_${count}`;
      const name = wanted.slice(0, LONGEST_NAME - end.length) + end;
      if (this.#registry.nameProblem(name) === null) return name;
    }
  }
}
