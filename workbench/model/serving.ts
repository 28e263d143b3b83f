/** Completes a scripted answer before it is sent: ids, visible thinking, usage. */
import { randomUUID } from 'node:crypto';
import type { PromptUsage } from './caching';
import type { Fault } from './faults';
import { modelRules } from './model-list';
import type { Reply, ReplyBlock, ReplyUsage } from './replies';
import type { ModelRequest } from './wire';

/** The answer in the form this model would give it. */
export function preparedReply(answer: Reply | Fault, request: ModelRequest): Reply | Fault {
  if (answer.kind === 'reply') return prepared(answer, request);
  return 'over' in answer ? { ...answer, over: prepared(answer.over, request) } : answer;
}

function prepared(reply: Reply, request: ModelRequest): Reply {
  const omits =
    modelRules(request.model)?.omitsThinking === true && request.thinking?.display !== 'summarized';
  return { ...reply, blocks: reply.blocks.map((block) => preparedBlock(block, omits)) };
}

function preparedBlock(block: ReplyBlock, omits: boolean): ReplyBlock {
  if (block.type === 'thinking' && omits) return { ...block, thinking: '' };
  if (block.type !== 'tool_use' || block.id !== undefined) return block;
  // Random, because a conversation may outlive the server and must not contain an id twice.
  return { ...block, id: `toolu_${randomUUID().replaceAll('-', '')}` };
}

/** Counts four characters as a token. */
export function usageOf(answer: Reply | Fault, prompt: PromptUsage): ReplyUsage {
  const reply = answer.kind === 'reply' ? answer : 'over' in answer ? answer.over : undefined;
  const blocks = reply?.blocks ?? [];
  const count = (some: readonly ReplyBlock[]) =>
    Math.ceil(some.reduce((sum, block) => sum + characters(block), 0) / 4);
  const thoughts = blocks.filter((block) => /thinking$/.test(block.type));
  return {
    ...prompt,
    output_tokens: count(blocks),
    thinking_tokens: count(thoughts),
    ...reply?.usage,
  };
}

function characters(block: ReplyBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'thinking':
      return block.thinking.length;
    case 'redacted_thinking':
      return block.data.length;
    case 'whole':
      return 0;
    default:
      return (block.json ?? JSON.stringify(block.input)).length + block.name.length;
  }
}
