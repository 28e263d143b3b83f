/** The registered agents and tools. */
import { permissionSet, type Permission } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import type { ListedAgent } from '#ports/app/settings-port';
import { AGENTS, longName, type AgentFacts } from './presentation/agent-presentation';
import type { AnyTool } from './tool';

export class ToolRegistry {
  readonly #agents = new Map<string, AgentFacts>();
  readonly #tools = new Map<string, AnyTool>();
  readonly #listeners = new Set<() => void>();
  readonly #sources = new Set<() => unknown>();

  constructor() {
    for (const agent of AGENTS) this.registerAgent(agent);
  }

  /** @throws if the name is taken or not valid */
  registerAgent(agent: AgentFacts): void {
    this.#mustBeFree(agent.name);
    this.#agents.set(agent.name, agent);
  }

  /** Removes the agent with all its tools. */
  unregisterAgent(name: string): void {
    for (const tool of this.toolsOf(name)) this.unregister(tool.name);
    this.#agents.delete(name);
  }

  /**
   * @throws if the name is taken or not valid for the model's API, or if the agent is not
   * registered: a bug, or a name in a custom tool
   */
  register(tool: AnyTool): void {
    this.#mustBeFree(tool.name);
    if (!this.#agents.has(tool.agent)) {
      throw new Error(`The agent "${tool.agent}" of the tool "${tool.name}" is not registered.`);
    }
    this.#tools.set(tool.name, tool);
    this.#notify();
  }

  unregister(name: string): void {
    if (this.#tools.delete(name)) this.#notify();
  }

  /**
   * @param look adds and removes tools that come from elsewhere; `refresh` calls it before a prompt
   * is built or a turn starts
   */
  addSource(look: () => unknown): void {
    this.#sources.add(look);
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#sources].map((look) => look()));
  }

  /** Calls back when a tool is registered or leaves, and with it perhaps its agent. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(name: string): AnyTool | undefined {
    return this.#tools.get(name);
  }

  names(): string[] {
    return this.tools().map(({ name }) => name);
  }

  /** Grouped by agent, so that the order in prompts stays stable while tools come and go. */
  tools(): AnyTool[] {
    return [...this.#agents.keys()].flatMap((agent) => this.toolsOf(agent));
  }

  /** Agents that have tools. */
  agents(): AgentFacts[] {
    return [...this.#agents.values()].filter(({ name }) => this.toolsOf(name).length > 0);
  }

  /** The tools of an agent; empty if there is no such agent. */
  toolsOf(agent: string): AnyTool[] {
    return [...this.#tools.values()].filter((tool) => tool.agent === agent);
  }

  /** Tools whose permission is not `off`. */
  enabledTools(settings: Settings): AnyTool[] {
    return this.tools().filter((tool) => permissionOf(tool, settings) !== 'off');
  }

  listed(): ListedAgent[] {
    return this.agents().map(({ name, description }) => ({
      name,
      description,
      key: agentKey(this.toolsOf(name)[0]!),
      tools: this.toolsOf(name).map((tool) => ({
        name: tool.name,
        description: tool.description,
        fixed: tool.fixed ?? false,
        key: permissionKey(tool),
        permission: tool.permission,
      })),
    }));
  }

  /** Why a tool or agent cannot get this name; null if it can. */
  nameProblem(name: string): string | null {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return `"${name}" can't be a tool name. Expected 1 to 64 of a-z, A-Z, 0-9, _ and -.`;
    }
    if (this.#tools.has(name)) return `A tool "${name}" is registered already.`;
    if (this.#agents.has(name)) return `An agent "${name}" is registered already.`;
    const other = this.tools().find((each) => longName(each) === name);
    return other ? `"${name}" would pass for the tool "${other.name}".` : null;
  }

  #mustBeFree(name: string): void {
    const problem = this.nameProblem(name);
    if (problem !== null) throw new Error(problem);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The effective permission. Tools of a disabled agent are off. */
export function permissionOf(tool: AnyTool, settings: Settings): Permission {
  const isOff = !tool.fixed && settings.disabledAgents.includes(agentKey(tool));
  if (isOff) return 'off';
  return tool.fixed
    ? tool.permission
    : permissionSet(settings, permissionKey(tool), tool.permission);
}

function agentKey({ agent, agentKey = agent }: AnyTool): string {
  return agentKey;
}

export function permissionKey({ name, permissionKey = name }: AnyTool): string {
  return permissionKey;
}
