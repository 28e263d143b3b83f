/** A neutral request in Anthropic's form. */
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { Part } from '#model/message';
import type { HistoryMessage, HistoryResult, ModelRequest } from '#ports/model-stream';
import type { KnownModel } from './models';

export interface RequestStyle {
  readonly model: KnownModel;
  readonly thinking: 'auto' | 'off';
  /** For servers that know only the older form: nothing but messages, system and tools. */
  readonly compatibility: boolean;
}

/** Long enough for a note of a book's chapter; a longer output is cut and can be continued. */
const MOST_OUTPUT = 32_000;
const THINKING_BUDGET = 4_096;

export function anthropicRequest(
  request: ModelRequest,
  style: RequestStyle,
): MessageCreateParamsStreaming {
  const { compatibility, model } = style;
  const system: TextBlockParam = { type: 'text', text: request.prompt.system };
  return {
    model: request.model,
    max_tokens: Math.min(model.maxOutput, MOST_OUTPUT),
    stream: true,
    // The second mark moves along with the conversation; this one keeps prompt and tools cached when a step has more
    // blocks than the cache looks back over.
    system: compatibility
      ? request.prompt.system
      : [{ ...system, cache_control: { type: 'ephemeral' } }],
    tools: request.prompt.tools.map(({ name, description, input }): Tool => ({
      name,
      description,
      input_schema: input as Tool['input_schema'],
    })),
    messages: request.history.map(messageParam),
    ...(compatibility ? {} : { cache_control: { type: 'ephemeral' }, ...thinkingOf(style) }),
  };
}

function thinkingOf({ model, thinking }: RequestStyle): { thinking?: ThinkingConfigParam } {
  if (model.thinking === 'none') return {};
  if (thinking === 'off' && model.off !== 'impossible') return { thinking: { type: model.off } };
  return model.thinking === 'enabled'
    ? { thinking: { type: 'enabled', budget_tokens: THINKING_BUDGET } }
    : // Without a display the newest models say what they do between calls only in thinking that nobody sees.
      { thinking: { type: 'adaptive', display: 'summarized' } };
}

function messageParam(message: HistoryMessage): MessageParam {
  switch (message.role) {
    case 'person':
      return { role: 'user', content: message.texts.map((text) => ({ type: 'text', text })) };
    case 'model':
      return { role: 'assistant', content: message.parts.flatMap(partParam) };
    case 'results':
      return { role: 'user', content: message.results.map(resultParam) };
  }
}

function partParam(part: Part): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      // The API itself sends empty text blocks at times, and refuses them when they come back.
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'call':
      return [{ type: 'tool_use', id: part.wireId, name: part.name, input: part.input }];
    case 'thinking':
    case 'opaque':
      return [part.raw as ContentBlockParam];
  }
}

function resultParam({ wireId, result, notes }: HistoryResult): ToolResultBlockParam {
  const texts = [result.text || '(no output)', ...notes];
  return {
    type: 'tool_result',
    tool_use_id: wireId,
    content: texts.map((text) => ({ type: 'text', text })),
    ...(result.failed ? { is_error: true } : {}),
  };
}
