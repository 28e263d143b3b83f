/** The tools in force as a model is told of them: one by one, as modes of agents, or as those of an MCP server each. */
import type { Settings } from '#model/settings';
import type { ToolSchema } from '#ports/model-provider';
import { longName } from '../agents';
import { inputSchema } from '../json-schema';
import type { ToolRegistry } from '../registry';
import type { AnyTool } from '../tool';
import { agentSchema, canBeMode } from './agent-schema';

export function toolSchemas(registry: ToolRegistry, settings: Settings): ToolSchema[] {
  const tools = registry.inForce(settings);
  switch (settings.toolPresentation) {
    case 'flat':
      return tools.map(flatSchema);
    case 'mcp':
      return tools.map(mcpSchema);
    case 'agents':
      return registry.agents().flatMap((agent) => {
        const own = tools.filter((tool) => tool.agent === agent.name);
        const modes = own.filter(canBeMode);
        const alone = own.filter((tool) => !canBeMode(tool)).map(flatSchema);
        return modes.length === 0 ? alone : [agentSchema(agent, modes), ...alone];
      });
  }
}

function flatSchema(tool: AnyTool): ToolSchema {
  const { name, description } = tool;
  return { name, description, input: inputSchema(tool) };
}

/** As a client of several servers sends them, under the name of the server, which is the agent. */
function mcpSchema(tool: AnyTool): ToolSchema {
  return { ...flatSchema(tool), name: longName(tool), tools: [tool.name] };
}
