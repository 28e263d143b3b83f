/**
 * Anthropic's stream events brought to parts. The accumulation is ours because a tool's input may be cut or malformed,
 * and thinking has to be given back to the byte.
 */
import type {
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { NO_USAGE, type CallPart, type Part, type StopReason, type Usage } from '#model/message';
import type { ModelEvent } from '#ports/model-stream';

type StartedBlock = RawContentBlockStartEvent['content_block'];

interface OpenBlock {
  readonly block: StartedBlock;
  text: string;
  signature: string;
}

interface Counts {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
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
  readonly #open = new Map<number, OpenBlock>();
  #usage: Usage = NO_USAGE;
  #stop: StopReason = 'end';
  #detail: string | undefined;
  #finished = false;

  /** False at the end of a stream means that it was cut, however cleanly the connection closed. */
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
        // A block that was cut by the limit of tokens may never be stopped.
        const rest = [...this.#open.keys()].flatMap((index) => this.#end(index));
        const detail = this.#detail ? { detail: this.#detail } : {};
        return [...rest, { type: 'end', stop: this.#stop, usage: this.#usage, ...detail }];
      }
      default:
        return [];
    }
  }

  #start(index: number, block: StartedBlock): ModelEvent[] {
    const open: OpenBlock = { block, text: '', signature: '' };
    this.#open.set(index, open);
    switch (block.type) {
      case 'text':
        return block.text ? this.#grown(index, open, block.text) : [];
      case 'thinking':
        open.signature = block.signature ?? '';
        return block.thinking ? this.#grown(index, open, block.thinking) : [];
      case 'tool_use':
        return [{ type: 'delta', index, delta: { type: 'call', name: block.name, text: '' } }];
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
    if (text === '') return [];
    switch (open.block.type) {
      case 'text':
      case 'thinking':
        return [{ type: 'delta', index, delta: { type: open.block.type, text } }];
      case 'tool_use':
        return [{ type: 'delta', index, delta: { type: 'call', name: open.block.name, text } }];
      default:
        return [];
    }
  }

  #end(index: number): ModelEvent[] {
    const open = this.#open.get(index);
    if (!open) return [];
    this.#open.delete(index);
    return [{ type: 'part', index, part: partOf(open) }];
  }

  /** Counts are totals, not additions; a later event repeats or completes them. Compatible servers may have none. */
  #count(usage?: Counts): void {
    this.#usage = {
      input: usage?.input_tokens ?? this.#usage.input,
      output: usage?.output_tokens ?? this.#usage.output,
      cacheRead: usage?.cache_read_input_tokens ?? this.#usage.cacheRead,
      cacheWrite: usage?.cache_creation_input_tokens ?? this.#usage.cacheWrite,
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

/** Calls that the server makes itself are streamed like ours, and go back with the input they had. */
function withInput(block: StartedBlock, json: string): unknown {
  if (!('input' in block) || json === '') return block;
  try {
    return { ...block, input: JSON.parse(json) as unknown };
  } catch {
    return block;
  }
}

function callOf(wireId: string, name: string, json: string): CallPart {
  try {
    const input: unknown = JSON.parse(json);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      return { type: 'call', wireId, name, input: input as Record<string, unknown> };
    }
  } catch {
    // Answered as a failed call, with what there is of it.
  }
  return { type: 'call', wireId, name, input: {}, malformed: json };
}
