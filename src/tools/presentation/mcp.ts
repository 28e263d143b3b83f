/** Tools in the format of the Model Context Protocol, as a server hands them out. */
import type { CallResult } from '#model/message';
import { fieldsOf, inputSchema } from '../json-schema';
import type { AnyTool, Tool, ToolOutput } from '../tool';

type Json = Readonly<Record<string, unknown>>;

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema: Json;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface McpResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Json;
  readonly isError: boolean;
}

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
  // Clients may give a model what is structured alone.
  return output ? fieldsOf(output.schema) : { text: { type: 'string' } };
}

/** As the tool's `outputSchema` has it. */
export function mcpResult(tool: AnyTool, result: CallResult): McpResult {
  const { text, failed } = result;
  const { output } = tool as unknown as Tool;
  const told = () => output?.of(result) ?? { text };
  return {
    content: [{ type: 'text', text }],
    structuredContent: { success: !failed, ...(failed ? { error: text } : told()) },
    isError: failed,
  };
}

export function titleOf(name: string): string {
  const plain = name.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
