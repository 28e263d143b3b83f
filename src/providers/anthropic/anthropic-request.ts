/** Converts a neutral request to a request of Anthropic's API. */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
  ToolUnion,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { Part } from '#model/message';
import { viewableKey, type ViewableFile } from '#model/attachment';
import { isHaiku } from '#model/model-name';
import { isUserChoice } from '#messages/result-text';
import type { Thinking } from '#model/setting-choices';
import type {
  HistoryMessage,
  HistoryResult,
  ModelRequest,
  ToolSchema,
} from '#ports/model-provider';
import { maxOutputTokens, type KnownModel } from './anthropic-models';
import type { EncodedFiles } from './shown-files';

export interface RequestStyle {
  readonly model: KnownModel;
  readonly thinking: Thinking;
  /** For servers that support only messages, system prompt and tools. */
  readonly compatibility: boolean;
  /** Files to include in the request; a text block replaces all others. */
  readonly files?: EncodedFiles;
}

/** For models that have a budget instead of effort. */
const THINKING_BUDGET_TOKENS = { auto: 4_096, low: 2_048, medium: 4_096, high: 12_000 } as const;

export function anthropicRequest(
  request: ModelRequest,
  style: RequestStyle,
): MessageCreateParamsStreaming {
  const { compatibility, model } = style;
  // A single call would pay for a cache entry that nothing reads.
  const caches = !compatibility && request.outputLimit === undefined;
  const tools: ToolUnion[] = request.prompt.tools.map(toolParam);
  // The oldest version of the tool, because every model accepts it.
  if (request.searchesWeb)
    tools.push({ type: 'web_search_20250305', name: 'web_search', max_uses: 1 });
  const system: TextBlockParam = { type: 'text', text: wellFormed(request.prompt.system) };
  const ids = new CallIds();
  const show = blocksFrom(style.files ?? new Map());
  const messages = joined(request.history.map((message) => messageParam(message, ids, show)));
  return {
    model: request.model,
    max_tokens: Math.min(maxOutputTokens(model), request.outputLimit ?? Infinity),
    stream: true,
    system: caches ? [{ ...system, cache_control: promptMark(request) }] : system.text,
    ...(tools.length === 0 ? {} : { tools }),
    messages: caches ? withPreviousMark(messages) : messages,
    // This mark moves with the conversation.
    ...(caches ? { cache_control: { type: 'ephemeral' } } : {}),
    ...(compatibility ? {} : thinkingFor(request, style)),
  };
}

/**
 * Marks the end of the previous request, whose prefix is in the cache. From its own mark at the end,
 * the API looks back over 20 blocks only, and a step with many calls adds more.
 */
function withPreviousMark(messages: readonly WireMessage[]): WireMessage[] {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.map((message, at) => {
    const last = message.content.at(-1);
    if (at !== reply - 1 || !last) return message;
    const marked = { ...last, cache_control: { type: 'ephemeral' } } as ContentBlockParam;
    return { ...message, content: message.content.with(-1, marked) };
  });
}

/** Spoken requests come minutes apart, so a five-minute cache would expire between them. */
function promptMark(request: ModelRequest): CacheControlEphemeral {
  return isQuick(request) ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}

/** A larger model was chosen for its depth, so only the small one is hurried. */
function isQuick({ isSpoken, model }: ModelRequest): boolean {
  return isSpoken === true && isHaiku(model);
}

function toolParam({ name, description, input }: ToolSchema): Tool {
  return { name, description, input_schema: input as Tool['input_schema'] };
}

function thinkingFor(
  request: ModelRequest,
  style: RequestStyle,
): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  if (request.outputLimit === undefined) {
    const isHurried = isQuick(request) && style.thinking === 'auto';
    return thinkingOf(isHurried ? { ...style, thinking: 'low' } : style);
  }
  const alwaysThinks = style.model.thinking !== 'none' && style.model.off === 'impossible';
  return {
    ...thinkingOf({ ...style, thinking: 'off' }),
    ...(alwaysThinks ? { output_config: { effort: 'low' } } : {}),
  };
}

function thinkingOf({
  model,
  thinking,
}: RequestStyle): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  if (model.thinking === 'none') return {};
  if (thinking === 'off' && model.off !== 'impossible') return { thinking: { type: model.off } };
  const level = thinking !== 'off' && model.thinkingLevels.includes(thinking) ? thinking : 'auto';
  if (model.thinking === 'enabled') {
    const half = Math.floor(maxOutputTokens(model) / 2);
    const budget = Math.min(THINKING_BUDGET_TOKENS[level], half);
    return { thinking: { type: 'enabled', budget_tokens: budget } };
  }
  return {
    // The newest models write the text between their calls as thinking, which is omitted by
    // default.
    thinking: { type: 'adaptive', display: 'summarized' },
    ...(level === 'auto' ? {} : { output_config: { effort: level } }),
  };
}

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

function messageParam(message: HistoryMessage, ids: CallIds, show: ShowFiles): WireMessage {
  switch (message.role) {
    case 'user':
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

/**
 * Merges consecutive messages of the same role, because the API requires alternating roles. This
 * happens when a request got no answer before the next one.
 */
function joined(messages: readonly WireMessage[]): WireMessage[] {
  const all: WireMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.role === message.role) last.content.push(...message.content);
    else all.push({ role: message.role, content: [...message.content] });
  }
  return all;
}

function textParam(text: string): TextBlockParam {
  return { type: 'text', text: wellFormed(text) };
}

function partParam(part: Part, ids: CallIds): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      // The API sometimes sends blank text blocks, and refuses them when they are sent back.
      return part.text.trim() === '' ? [] : [textParam(part.text)];
    case 'call': {
      const { wireId, name, input } = part;
      return [{ type: 'tool_use', id: ids.forCall(wireId), name, input: wellFormedValue(input) }];
    }
    case 'thinking':
    case 'opaque':
      return [part.raw as ContentBlockParam];
  }
}

function resultParam(
  { wireId, result, notes }: HistoryResult,
  ids: CallIds,
  show: ShowFiles,
): ToolResultBlockParam {
  const texts = [result.text.trim() === '' ? '(no output)' : result.text, ...notes];
  return {
    type: 'tool_result',
    tool_use_id: ids.forResult(wireId),
    content: [...texts.map(textParam), ...show(result.shown)],
    ...(result.failed && !isUserChoice(result) ? { is_error: true } : {}),
  };
}

type FileBlock = ImageBlockParam | DocumentBlockParam | TextBlockParam;
type ShowFiles = (shown?: readonly ViewableFile[]) => FileBlock[];

function blocksFrom(files: EncodedFiles): ShowFiles {
  return (shown = []) =>
    shown.map((file): FileBlock => {
      const { path, type } = file;
      const data = files.get(viewableKey(file));
      if (data === undefined) {
        return textParam(`(${path} can't be shown here: it has changed or gone, or does not fit.)`);
      }
      return type === 'application/pdf'
        ? { type: 'document', source: { type: 'base64', media_type: type, data } }
        : { type: 'image', source: { type: 'base64', media_type: type, data } };
    });
}

/**
 * Makes call ids unique and valid for Claude's API: a conversation may have begun on a compatible
 * server that repeats its ids. The same history always gets the same ids.
 */
class CallIds {
  readonly #used = new Set<string>();
  /** Ids of calls without a result yet, in order. */
  readonly #open = new Map<string, string[]>();

  forCall(wireId: string): string {
    const plain = wireId.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    let id = plain;
    for (let count = 2; this.#used.has(id); count += 1) id = `${plain}_${count}`;
    this.#used.add(id);
    this.#open.set(wireId, [...(this.#open.get(wireId) ?? []), id]);
    return id;
  }

  forResult(wireId: string): string {
    return this.#open.get(wireId)?.shift() ?? wireId;
  }
}

/** Cut text can end in half a surrogate pair, for which the API refuses the whole request. */
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
