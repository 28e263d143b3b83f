/** Presents tools: to the model as the settings say, and tools and results to MCP clients. */
import type { CallPart, CallResult } from '#model/message';
import type { Settings } from '#model/settings';
import type { ToolSchema } from '#ports/model-provider';
import type { ViewableFile } from '#model/attachment';
import type { McpContent, McpResult, McpTool } from '#ports/app/mcp-server-port';
import { capitalize } from '#text/shorten';
import { briefSchema, inputSchema, fieldsOf } from '../json-schema';
import { permissionOf, type ToolRegistry } from '../registry';
import type { AnyTool, Tool } from '../tool';
import {
  agentDescription,
  agentSchema,
  canBeMode,
  canonicalSchema,
  longName,
  schemaByMode,
  type AgentFacts,
  type ModeFields,
} from './agent-presentation';

/**
 * Agents offered to MCP clients. The others need a conversation with the user, would reveal other
 * conversations (`get_conversation`, `get_changes`), use the web, which a client can do itself, or
 * belong to another MCP server.
 */
const AGENTS: ReadonlySet<string> = new Set([
  'note_reader',
  'vault_librarian',
  'note_editor',
  'vault_manager',
]);

/**
 * Clients have no attachments and need not know the active note; a copy button needs a user; and
 * commands were allowed for Parley's own agent.
 */
const WITHHELD: ReadonlySet<string> = new Set(['get_context', 'copy_notes', 'execute_command']);

/**
 * Tools for MCP clients. Those that change notes or the screen are included only if the user
 * enabled that.
 */
export function offeredTools(registry: ToolRegistry, settings: Settings): AnyTool[] {
  return registry
    .tools()
    .filter(
      (tool) =>
        AGENTS.has(tool.agent) &&
        !WITHHELD.has(tool.name) &&
        permissionOf(tool, settings) !== 'off' &&
        (settings.mcpServerWrites || (tool.effect === 'read' && !tool.navigates)),
    );
}

export function toolSchemas(registry: ToolRegistry, settings: Settings): ToolSchema[] {
  const tools = registry.enabledTools(settings);
  switch (settings.toolPresentation) {
    case 'flat':
      return tools.map(flatSchema);
    case 'mcp':
      return tools.map(mcpSchema);
    case 'agents':
      return asAgents(registry, tools, agentSchema, flatSchema);
  }
}

/** Presents tools as modes of their agents. Tools that cannot be modes are presented alone. */
function asAgents<Presented>(
  registry: ToolRegistry,
  tools: readonly AnyTool[],
  together: (agent: AgentFacts, modes: readonly AnyTool[]) => Presented,
  alone: (tool: AnyTool) => Presented,
): Presented[] {
  return registry.agents().flatMap((agent) => {
    const own = tools.filter((tool) => tool.agent === agent.name);
    const modes = own.filter(canBeMode);
    const others = own.filter((tool) => !canBeMode(tool)).map(alone);
    return modes.length === 0 ? others : [together(agent, modes), ...others];
  });
}

function flatSchema(tool: AnyTool): ToolSchema {
  const { name, description, externalInput } = tool;
  const input = externalInput ? externalInput.schema : briefSchema(inputSchema(tool));
  return { name, description, input };
}

/** Named as by a client of several MCP servers, with the agent in place of the server. */
function mcpSchema(tool: AnyTool): ToolSchema {
  return { ...flatSchema(tool), name: longName(tool), tools: [tool.name] };
}

/** Offered tools as MCP clients see them: as agents if tools are presented as agents, else singly. */
export function mcpTools(
  registry: ToolRegistry,
  offered: readonly AnyTool[],
  { toolPresentation }: Pick<Settings, 'toolPresentation'>,
): McpTool[] {
  return toolPresentation === 'agents'
    ? asAgents(registry, offered, mcpAgent, mcpTool)
    : offered.map(mcpTool);
}

export function mcpTool(tool: AnyTool): McpTool {
  const { name, description, version } = tool;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: inputSchema(tool),
    outputSchema: { type: 'object', ...resultOf(tool), additionalProperties: false },
    annotations: annotationsOf([tool]),
    _meta: { version },
  };
}

function mcpAgent(agent: AgentFacts, modes: readonly AnyTool[]): McpTool {
  return {
    name: agent.name,
    title: titleOf(agent.name),
    description: agentDescription(agent, modes),
    inputSchema: canonicalSchema(modes),
    outputSchema: schemaByMode(modes.map((tool) => ({ mode: tool.name, ...resultOf(tool) }))),
    annotations: annotationsOf(modes),
    _meta: {
      version: agent.version,
      modes: Object.fromEntries(modes.map(({ name, version }) => [name, version])),
    },
  };
}

function annotationsOf(tools: readonly AnyTool[]): McpTool['annotations'] {
  return {
    readOnlyHint: tools.every(({ effect }) => effect === 'read'),
    destructiveHint: tools.some(({ effect, adds = false }) => effect === 'change' && !adds),
    openWorldHint: tools.some(({ agent }) => agent === 'web'),
  };
}

/** The fields of a tool's structured result. */
function resultOf({ output }: AnyTool): Pick<ModeFields, 'properties' | 'required'> {
  return {
    properties: {
      success: { type: 'boolean' },
      error: { type: 'string' },
      // Some clients give their model only the structured content.
      ...(output ? fieldsOf(output.schema) : { text: { type: 'string' } }),
    },
    required: ['success'],
  };
}

/**
 * A result that matches the `outputSchema` of what was called: the tool, or its agent.
 *
 * @param shown shown files as base64, by path; a missing one is reported as not shown
 */
export function mcpResult(
  tool: AnyTool,
  result: CallResult,
  { calledAs, shown = new Map() }: McpResultOptions = {},
): McpResult {
  const { text, failed } = result;
  const { output } = tool as unknown as Tool;
  const structured = () => output?.of(result) ?? { text };
  const mode = calledAs?.mode === undefined ? {} : { mode: tool.name };
  return {
    content: [
      { type: 'text', text },
      ...(result.shown ?? []).map((file) => shownContent(file, shown.get(file.path))),
    ],
    structuredContent: { ...mode, success: !failed, ...(failed ? { error: text } : structured()) },
    isError: failed,
  };
}

export interface McpResultOptions {
  readonly calledAs?: CallPart['calledAs'];
  readonly shown?: ReadonlyMap<string, string>;
}

function shownContent({ path, type }: ViewableFile, data: string | undefined): McpContent {
  if (data === undefined) {
    return {
      type: 'text',
      text: `${path} is not shown: it is too large to be handed on, or gone.`,
    };
  }
  if (type !== 'application/pdf') return { type: 'image', data, mimeType: type };
  const uri = `vault:///${encodeURI(path)}`;
  return { type: 'resource', resource: { uri, mimeType: type, blob: data } };
}

export function titleOf(name: string): string {
  return capitalize(name.replaceAll('_', ' '));
}
