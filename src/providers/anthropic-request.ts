/** A neutral request in Anthropic's form. */
import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolUnion,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { Part } from '#model/message';
import { shownKey, type ShownFile } from '#model/shown-file';
import type { HistoryMessage, HistoryResult, ModelRequest, ToolSchema } from '#ports/model-stream';
import type { KnownModel } from './models';
import type { Encoded } from './shown-files';

export interface RequestStyle {
  readonly model: KnownModel;
  readonly thinking: 'auto' | 'off';
  /** For servers that know only the older form: nothing but messages, system and tools. */
  readonly compatibility: boolean;
  /** The files that can be shown; of the others the model is told. */
  readonly files?: Encoded;
}

/** Long enough for a note of a book's chapter; a longer output is cut and can be continued. */
const MOST_OUTPUT = 32_000;
const THINKING_BUDGET = 4_096;

export function anthropicRequest(
  request: ModelRequest,
  style: RequestStyle,
): MessageCreateParamsStreaming {
  const { compatibility, model } = style;
  // What is asked once is not worth the price of a cache entry.
  const caches = !compatibility && request.outputLimit === undefined;
  const tools: ToolUnion[] = request.prompt.tools.map(toolParam);
  // The oldest form of it is the one that every model takes.
  if (request.searchesWeb)
    tools.push({ type: 'web_search_20250305', name: 'web_search', max_uses: 1 });
  const system: TextBlockParam = { type: 'text', text: wellFormed(request.prompt.system) };
  const ids = new CallIds();
  const show = shower(style.files ?? new Map());
  return {
    model: request.model,
    max_tokens: Math.min(longestOutput(model), request.outputLimit ?? Infinity),
    stream: true,
    // The second mark moves along with the conversation; this one keeps prompt and tools cached when a step has more
    // blocks than the cache looks back over.
    system: caches ? [{ ...system, cache_control: { type: 'ephemeral' } }] : system.text,
    ...(tools.length === 0 ? {} : { tools }),
    messages: request.history.map((message) => messageParam(message, ids, show)),
    ...(caches ? { cache_control: { type: 'ephemeral' } } : {}),
    ...(compatibility ? {} : thinkingFor(request, style)),
  };
}

function toolParam({ name, description, input }: ToolSchema): Tool {
  return { name, description, input_schema: input as Tool['input_schema'] };
}

/** Tokens that an answer may have at most, thinking included. */
export function longestOutput(model: Pick<KnownModel, 'maxOutput'>): number {
  return Math.min(model.maxOutput, MOST_OUTPUT);
}

function thinkingFor(
  { outputLimit }: ModelRequest,
  style: RequestStyle,
): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  if (outputLimit === undefined) return thinkingOf(style);
  const isInsisted = style.model.thinking !== 'none' && style.model.off === 'impossible';
  return {
    ...thinkingOf({ ...style, thinking: 'off' }),
    ...(isInsisted ? { output_config: { effort: 'low' } } : {}),
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

function messageParam(message: HistoryMessage, ids: CallIds, show: Show): MessageParam {
  switch (message.role) {
    case 'person':
      return { role: 'user', content: [...show(message.shown), ...message.texts.map(textParam)] };
    case 'model':
      return {
        role: 'assistant',
        content: message.parts.flatMap((part) => partParam(part, ids)),
      };
    case 'results':
      return {
        role: 'user',
        content: message.results.map((result) => resultParam(result, ids, show)),
      };
  }
}

function textParam(text: string): TextBlockParam {
  return { type: 'text', text: wellFormed(text) };
}

function partParam(part: Part, ids: CallIds): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      // The API itself sends blank text blocks at times, and refuses them when they come back.
      return part.text.trim() === '' ? [] : [textParam(part.text)];
    case 'call': {
      const { wireId, name, input } = part;
      return [{ type: 'tool_use', id: ids.called(wireId), name, input: wellFormedValue(input) }];
    }
    case 'thinking':
    case 'opaque':
      return [part.raw as ContentBlockParam];
  }
}

function resultParam(
  { wireId, result, notes }: HistoryResult,
  ids: CallIds,
  show: Show,
): ToolResultBlockParam {
  const texts = [result.text.trim() === '' ? '(no output)' : result.text, ...notes];
  return {
    type: 'tool_result',
    tool_use_id: ids.answered(wireId),
    content: [...texts.map(textParam), ...show(result.shown)],
    ...(result.failed ? { is_error: true } : {}),
  };
}

type ShownBlock = ImageBlockParam | DocumentBlockParam | TextBlockParam;
type Show = (shown?: readonly ShownFile[]) => ShownBlock[];

function shower(files: Encoded): Show {
  return (shown = []) =>
    shown.map((file): ShownBlock => {
      const { path, type } = file;
      const data = files.get(shownKey(file));
      if (data === undefined) {
        return textParam(`(${path} can't be shown here: it has changed or gone, or was too much.)`);
      }
      return type === 'application/pdf'
        ? { type: 'document', source: { type: 'base64', media_type: type, data } }
        : { type: 'image', source: { type: 'base64', media_type: type, data } };
    });
}

/**
 * Ids as Claude's API takes them: each once in a conversation, of letters, digits, `_` and `-`. Its own are; compatible
 * servers repeat theirs, and a conversation may have begun with one. The same history always gives the same ids.
 */
class CallIds {
  readonly #used = new Set<string>();
  /** Called and not answered yet, in order. */
  readonly #open = new Map<string, string[]>();

  called(wireId: string): string {
    const plain = wireId.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    let id = plain;
    for (let count = 2; this.#used.has(id); count += 1) id = `${plain}_${count}`;
    this.#used.add(id);
    this.#open.set(wireId, [...(this.#open.get(wireId) ?? []), id]);
    return id;
  }

  answered(wireId: string): string {
    return this.#open.get(wireId)?.shift() ?? wireId;
  }
}

/** Half a character, as a cut through a text may leave, makes the API refuse the whole request. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, wellFormedValue(field)]),
  );
}
