/** Calls by the tool's own name, brought to how the tools of a request are presented, and back. */
import type { CallBlock, Reply, ReplyBlock } from './replies';
import { isRecord, type WireBlock, type WireTool } from './wire';

export interface NamedCall {
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
}

/** As a model calls it: by its name, as a mode of its agent, or with its agent's name before its own. Null: not there. */
export function offeredCall({ name, input }: NamedCall, tools: readonly WireTool[]) {
  for (const tool of tools) {
    if (tool.name === name || tool.name.endsWith(`__${name}`)) return { name: tool.name, input };
    if (modesOf(tool).includes(name)) return { name: tool.name, input: { mode: name, ...input } };
  }
  return null;
}

/** Which tool a call means. */
export function toolOf({ name, input }: WireBlock): string {
  if (isRecord(input) && typeof input.mode === 'string') return input.mode;
  return String(name).replace(/^.*?__/, '');
}

/** The reply with its calls made in the presentation of these tools; those of tools that are not there stay. */
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
