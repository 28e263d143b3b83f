/** Presents tools: to the model as the settings say, and tools and results to MCP clients. */
import type { CallResult } from '#model/message';
import type { Settings } from '#model/settings';
import type { ToolSchema } from '#ports/model-provider';
import type { ViewableFile } from '#model/attachment';
import type { McpContent, McpResult, McpTool } from '#ports/app/mcp-server-port';
import { capitalize } from '#text/shorten';
import { briefSchema, inputSchema, fieldsOf } from '../json-schema';
import { permissionOf, type ToolRegistry } from '../registry';
import type { AnyTool, Tool, ToolOutput } from '../tool';
import { agentSchema, canBeMode, longName } from './agent-presentation';

/**
 * Agents offered to MCP clients. The others need a conversation with the user, would reveal other
 * conversations (`get_conversation`), use the web, which a client can do itself, or belong to
 * another MCP server.
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
      return registry.agents().flatMap((agent) => {
        const own = tools.filter((tool) => tool.agent === agent.name);
        const modes = own.filter(canBeMode);
        const alone = own.filter((tool) => !canBeMode(tool)).map(flatSchema);
        return modes.length === 0 ? alone : [agentSchema(agent, modes), ...alone];
      });
  }
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

type Json = Readonly<Record<string, unknown>>;

export function mcpTool(tool: AnyTool): McpTool {
  const { name, agent, description, effect, adds = false, output } = tool;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: inputSchema(tool),
    outputSchema: {
      type: 'object',
      properties: {
        success: { type: 'boolean' },
        error: { type: 'string' },
        ...ownFields(output),
      },
      required: ['success'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'change' && !adds,
      openWorldHint: agent === 'web',
    },
  };
}

function ownFields(output: ToolOutput | undefined): Json {
  // Some clients give their model only the structured content.
  return output ? fieldsOf(output.schema) : { text: { type: 'string' } };
}

/**
 * A result that matches the tool's `outputSchema`.
 *
 * @param shown shown files as base64, by path; a missing one is reported as not shown
 */
export function mcpResult(
  tool: AnyTool,
  result: CallResult,
  shown: ReadonlyMap<string, string> = new Map(),
): McpResult {
  const { text, failed } = result;
  const { output } = tool as unknown as Tool;
  const structured = () => output?.of(result) ?? { text };
  return {
    content: [
      { type: 'text', text },
      ...(result.shown ?? []).map((file) => shownContent(file, shown.get(file.path))),
    ],
    structuredContent: { success: !failed, ...(failed ? { error: text } : structured()) },
    isError: failed,
  };
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
