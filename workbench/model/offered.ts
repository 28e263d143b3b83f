/** Converts tool calls between a tool's own name and the presentation of tools in a request. */
import type { CallBlock, Reply, ReplyBlock } from './replies';
import { isRecord, type WireBlock, type WireTool } from './wire';

export interface NamedCall {
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
}

/**
 * The call in the request's presentation: by name, as a mode of the agent, or prefixed with the
 * agent's name. Null if the tool is not offered.
 */
export function offeredCall({ name, input }: NamedCall, tools: readonly WireTool[]) {
  for (const tool of tools) {
    if (tool.name === name || tool.name.endsWith(`__${name}`)) return { name: tool.name, input };
    if (modesOf(tool).includes(name)) return { name: tool.name, input: { mode: name, ...input } };
  }
  return null;
}

/** Own name of the called tool. */
export function toolOf({ name, input }: WireBlock): string {
  if (isRecord(input) && typeof input.mode === 'string') return input.mode;
  return String(name).replace(/^.*?__/, '');
}

/**
 * Converts the calls of a reply to this presentation; calls of tools that are not offered stay as
 * they are.
 */
export function presented(reply: Reply, tools: readonly WireTool[]): Reply {
  return { ...reply, blocks: reply.blocks.map((block) => presentedBlock(block, tools)) };
}

function presentedBlock(block: ReplyBlock, tools: readonly WireTool[]): ReplyBlock {
  if (block.type !== 'tool_use' || !isRecord(block.input)) return block;
  const { name, input } = block;
  return { ...block, ...offeredCall({ name, input }, tools) } satisfies CallBlock;
}

function modesOf({ input_schema: schema }: WireTool): readonly unknown[] {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const modes = isRecord(properties.mode) ? properties.mode.enum : undefined;
  return Array.isArray(modes) ? modes : [];
}
