/**
 * Reads the stream of an answer and accumulates its events into parts. The SDK's accumulation is
 * not used because a tool's input may be cut off or malformed, and thinking must be sent back byte
 * for byte.
 */
import * as t from '#messages/turn-ending-messages';
import { APIError } from '@anthropic-ai/sdk/error';
import type {
  MessageCreateParamsStreaming,
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { isNestedTooDeeply } from '#text/untrusted-text';
import { NO_USAGE, type CallPart, type Part, type StopReason, type Usage } from '#model/message';
import type { SecretRedactor } from '#text/secret-redactor';
import type { ModelEvent } from '#ports/model-provider';
import type { AnthropicClient } from './anthropic-client';
import { readErrorText } from './anthropic-errors';

/** The events of one answer; nothing follows an error. Errors are yielded, not thrown. */
export async function* streamMessage(
  client: AnthropicClient,
  body: MessageCreateParamsStreaming,
  signal: AbortSignal,
): AsyncGenerator<{ readonly event: RawMessageStreamEvent } | { readonly error: unknown }> {
  try {
    // `create` warns on the console about the `model` of its first argument; `body` is what it sends.
    const request = client.messages.create({ ...body, model: '' }, { body, signal });
    const { data: stream, response } = await request.withResponse();
    // The SDK reads JSON as a stream without events, which would hide what the server said.
    if (isJson(response)) throw await wholeResponseError(response);
    for await (const event of stream) {
      if (!isEvent(event)) throw new TypeError(t.eventIncomplete);
      if (isNestedTooDeeply(event)) throw new TypeError(t.eventTooDeep);
      yield { event };
    }
  } catch (error) {
    yield { error };
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') ?? false;
}

/**
 * The error for a whole response instead of a stream. The body of a non-error is not quoted because
 * it may contain the text of a note.
 */
async function wholeResponseError(response: Response): Promise<Error> {
  const body = parsedJson(await readErrorText(response));
  return typeof body === 'object' && body !== null && 'error' in body
    ? new APIError(undefined, body, undefined, response.headers)
    : new TypeError(t.notStream);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The field that each type of event must have to be usable. */
const REQUIRED_FIELDS: Readonly<Record<string, string>> = {
  message_start: 'message',
  content_block_start: 'content_block',
  content_block_delta: 'delta',
  message_delta: 'delta',
};

function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Record<string, unknown>;
  const required = REQUIRED_FIELDS[String(event.type)];
  return (
    required === undefined || (typeof event[required] === 'object' && event[required] !== null)
  );
}

type StartedBlock = RawContentBlockStartEvent['content_block'];

interface OpenBlock {
  readonly block: StartedBlock;
  readonly shown: ReturnType<SecretRedactor['stream']>;
  text: string;
  signature: string;
}

interface Counts {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null;
}

const STOP_REASONS: Record<string, StopReason> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  refusal: 'refused',
  pause_turn: 'paused',
  model_context_window_exceeded: 'window',
};

export class StreamAccumulator {
  readonly #redactor: SecretRedactor;
  readonly #open = new Map<number, OpenBlock>();
  #usage: Usage = NO_USAGE;
  #stop: StopReason = 'end';
  #detail: string | undefined;
  #finished = false;

  constructor(redactor: SecretRedactor) {
    this.#redactor = redactor;
  }

  /** False if the stream was cut off, even if the connection closed cleanly. */
  get finished(): boolean {
    return this.#finished;
  }

  add(event: RawMessageStreamEvent): ModelEvent[] {
    switch (event.type) {
      case 'message_start':
        this.#count(event.message.usage);
        return [{ type: 'usage', usage: this.#usage }];
      case 'content_block_start':
        return this.#start(event.index, event.content_block);
      case 'content_block_delta':
        return this.#grow(event.index, event.delta);
      case 'content_block_stop':
        return this.#end(event.index);
      case 'message_delta':
        this.#stop = STOP_REASONS[event.delta.stop_reason ?? 'end_turn'] ?? 'end';
        this.#detail = event.delta.stop_details?.explanation ?? undefined;
        this.#count(event.usage);
        return [];
      case 'message_stop': {
        this.#finished = true;
        // A block that the token limit cut off may have no stop event.
        const rest = [...this.#open.keys()].flatMap((index) => this.#end(index));
        const detail = this.#detail ? { detail: this.#redactor.redactAll(this.#detail) } : {};
        return [...rest, { type: 'end', stop: this.#stop, usage: this.#usage, ...detail }];
      }
      default:
        return [];
    }
  }

  #start(index: number, block: StartedBlock): ModelEvent[] {
    const shown = this.#redactor.stream();
    const open: OpenBlock = { block, shown, text: '', signature: '' };
    this.#open.set(index, open);
    switch (block.type) {
      case 'text':
        return block.text ? this.#grown(index, open, block.text) : [];
      case 'thinking':
        open.signature = block.signature ?? '';
        return block.thinking ? this.#grown(index, open, block.thinking) : [];
      case 'tool_use':
        return [this.#callDelta(index, block.name, '')];
      default:
        return [];
    }
  }

  #grow(index: number, delta: RawContentBlockDelta): ModelEvent[] {
    const open = this.#open.get(index);
    if (!open) return [];
    switch (delta.type) {
      case 'text_delta':
        return this.#grown(index, open, delta.text);
      case 'thinking_delta':
        return this.#grown(index, open, delta.thinking);
      case 'input_json_delta':
        return this.#grown(index, open, delta.partial_json);
      case 'signature_delta':
        open.signature += delta.signature;
        return [];
      default:
        return [];
    }
  }

  #grown(index: number, open: OpenBlock, text: string): ModelEvent[] {
    open.text += text;
    return this.#shown(index, open, open.shown.add(text));
  }

  #shown(index: number, open: OpenBlock, text: string): ModelEvent[] {
    if (text === '') return [];
    switch (open.block.type) {
      case 'text':
      case 'thinking':
        return [{ type: 'delta', index, delta: { type: open.block.type, text } }];
      case 'tool_use':
        return [this.#callDelta(index, open.block.name, text)];
      default:
        return [];
    }
  }

  #end(index: number): ModelEvent[] {
    const open = this.#open.get(index);
    if (!open) return [];
    this.#open.delete(index);
    const rest = this.#shown(index, open, open.shown.end());
    return [...rest, { type: 'part', index, part: this.#redactor.redactAll(partOf(open)) }];
  }

  #callDelta(index: number, name: string, text: string): ModelEvent {
    const delta = { type: 'call', name: this.#redactor.redactAll(name), text } as const;
    return { type: 'delta', index, delta };
  }

  /** Counts are totals, which later events repeat or complete. Compatible servers may omit them. */
  #count(usage?: Counts): void {
    const hour =
      usage?.cache_creation?.ephemeral_1h_input_tokens ?? this.#usage.cacheWriteHour ?? 0;
    this.#usage = {
      input: usage?.input_tokens ?? this.#usage.input,
      output: usage?.output_tokens ?? this.#usage.output,
      cacheRead: usage?.cache_read_input_tokens ?? this.#usage.cacheRead,
      cacheWrite: usage?.cache_creation_input_tokens ?? this.#usage.cacheWrite,
      ...(hour > 0 ? { cacheWriteHour: hour } : {}),
    };
  }
}

function partOf({ block, text, signature }: OpenBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text };
    case 'thinking':
      return { type: 'thinking', text, raw: { type: 'thinking', thinking: text, signature } };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', raw: block };
    case 'tool_use':
      return callOf(block.id, block.name, text === '' ? JSON.stringify(block.input ?? {}) : text);
    default:
      return { type: 'opaque', raw: withInput(block, text) };
  }
}

/** Calls of server-side tools stream their input too, and must be sent back with it. */
function withInput(block: StartedBlock, json: string): unknown {
  if (!('input' in block) || json === '') return block;
  try {
    const input: unknown = JSON.parse(json);
    return isNestedTooDeeply(input) ? block : { ...block, input };
  } catch {
    return block;
  }
}

function callOf(wireId: string, name: string, json: string): CallPart {
  try {
    const input: unknown = JSON.parse(json);
    if (
      typeof input === 'object' &&
      input !== null &&
      !Array.isArray(input) &&
      !isNestedTooDeeply(input)
    ) {
      return { type: 'call', wireId, name, input: input as Record<string, unknown> };
    }
  } catch {
    // The model gets the text back as a failed call.
  }
  return { type: 'call', wireId, name, input: {}, malformed: json };
}
