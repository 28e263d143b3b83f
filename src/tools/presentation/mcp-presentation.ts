/** Converts tools and results to the formats of MCP, for Parley's MCP server. */
import type { CallResult } from '#model/message';
import type { ViewableFile } from '#model/attachment';
import type { McpContent, McpResult, McpTool } from '#ports/app/mcp-server-port';
import { fieldsOf, inputSchema } from '../json-schema';
import type { AnyTool, Tool, ToolOutput } from '../tool';

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
  const plain = name.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
