/** Converts a reply or a fault into the steps that the server takes on the socket. */
import type { Fault, Until } from './faults';
import {
  type CallBlock,
  type Reply,
  type ReplyBlock,
  type ReplyUsage,
  sentContent,
} from './replies';
import type { WireBlock } from './wire';

export type Step =
  | { readonly write: string | Uint8Array }
  | { readonly wait: Until }
  /** Holds until the client disconnects or the server closes. */
  | { readonly hold: true }
  | { readonly destroy: true };

export interface Transmission {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly steps: readonly Step[];
  /** The content that the client receives from the model, if any. */
  readonly content?: readonly WireBlock[];
  readonly stopReason?: string;
  /** Whether the reply arrives completely. */
  readonly whole: boolean;
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

export function transmissionOf(answer: Reply | Fault, facts: FrameFacts): Transmission {
  if (answer.kind === 'reply') return streamed(answer, facts);
  switch (answer.name) {
    case 'status':
      return failed(answer);
    case 'no-answer':
      return { status: 0, headers: {}, steps: [{ destroy: true }], whole: false };
    case 'not-a-stream':
      return {
        status: 200,
        headers: { 'content-type': answer.contentType },
        steps: [{ write: answer.body }],
        whole: false,
      };
    case 'wrong-type': {
      const right = streamed(answer.over, facts);
      return { ...right, headers: { ...right.headers, 'content-type': answer.contentType } };
    }
    case 'slow-start': {
      const right = streamed(answer.over, facts);
      return { ...right, steps: [{ wait: answer.until }, ...right.steps] };
    }
    case 'error-event':
      return broken(answer.over, answer.after, facts, [
        { write: encodeFrame({ event: 'error', data: errorBody(answer) }) },
      ]);
    case 'early-end':
      return broken(answer.over, answer.after, facts, []);
    case 'cut':
      return broken(answer.over, answer.after, facts, [{ destroy: true }]);
    case 'stall': {
      if (answer.until === undefined) {
        return broken(answer.over, answer.after, facts, [{ hold: true }]);
      }
      const [before, rest] = split(framesOf(answer.over, facts), answer.after);
      const steps = [
        ...written(before, answer.over),
        { wait: answer.until },
        ...written(rest, answer.over),
      ];
      return { ...streamed(answer.over, facts), steps };
    }
  }
}

function errorBody({ errorType, message }: { errorType: string; message: string }) {
  return { type: 'error', error: { type: errorType, message }, request_id: 'req_stand_in' };
}

function failed(fault: Extract<Fault, { name: 'status' }>): Transmission {
  const retry: { [name: string]: string } =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  return {
    status: fault.status,
    headers: { 'content-type': fault.contentType ?? 'application/json', ...retry },
    steps: [{ write: fault.body ?? JSON.stringify(errorBody(fault)) }],
    whole: false,
  };
}

function streamed(reply: Reply, facts: FrameFacts): Transmission {
  return {
    status: 200,
    headers: STREAM,
    steps: written(framesOf(reply, facts), reply),
    content: sentContent(reply),
    stopReason: reply.stopReason,
    whole: true,
  };
}

function broken(
  reply: Reply,
  after: number,
  facts: FrameFacts,
  end: readonly Step[],
): Transmission {
  const [before] = split(framesOf(reply, facts), after);
  return { ...streamed(reply, facts), steps: [...written(before, reply), ...end], whole: false };
}

/** Splits the frames after the nth delta, or after the last delta if there are fewer. */
function split(frames: readonly Frame[], after: number): [readonly Frame[], readonly Frame[]] {
  let deltas = 0;
  let at = frames.findIndex((frame) => frame.event === 'content_block_start');
  if (at < 0) at = 1;
  frames.forEach((frame, index) => {
    if (!isDelta(frame) || deltas >= after) return;
    deltas += 1;
    at = index + 1;
  });
  return [frames.slice(0, at), frames.slice(at)];
}

function written(frames: readonly Frame[], pace: Reply): Step[] {
  const steps = frames.flatMap((frame): Step[] => {
    const write: Step = { write: encodeFrame(frame) };
    return pace.delayMs && isDelta(frame) ? [{ wait: pace.delayMs }, write] : [write];
  });
  return pace.wireBytes ? steps.flatMap((step) => inBytes(step, pace.wireBytes ?? 0)) : steps;
}

function inBytes(step: Step, size: number): Step[] {
  if (!('write' in step)) return [step];
  const bytes = Buffer.from(step.write);
  const found: Step[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    found.push({ write: bytes.subarray(at, at + size) });
  }
  return found;
}

interface Frame {
  readonly event: string;
  readonly data: { readonly [field: string]: unknown };
}

interface FrameFacts {
  readonly messageId: string;
  readonly model: string;
  readonly usage: ReplyUsage;
}

export const DEFAULT_CHUNK_BYTES = 48;

export function encodeFrame(frame: Frame): string {
  return `event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}

function isDelta(frame: Frame): boolean {
  return frame.event === 'content_block_delta';
}

/** The events of a whole reply, in order. */
export function framesOf(reply: Reply, facts: FrameFacts): Frame[] {
  const frames: Frame[] = [messageStart(facts), frame('ping', {})];
  reply.blocks.forEach((block, index) => frames.push(...blockFrames(block, index, reply)));
  frames.push(messageDelta(reply, facts), frame('message_stop', {}));
  return reply.pingEvery ? withPings(frames, reply.pingEvery) : frames;
}

function frame(event: string, fields: { readonly [field: string]: unknown }): Frame {
  return { event, data: { type: event, ...fields } };
}

function messageStart({ messageId, model, usage }: FrameFacts): Frame {
  const longLived = usage.cache_creation_1h_input_tokens;
  return frame('message_start', {
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        cache_creation: {
          ephemeral_5m_input_tokens: usage.cache_creation_input_tokens - longLived,
          ephemeral_1h_input_tokens: longLived,
        },
        output_tokens: Math.min(1, usage.output_tokens),
        service_tier: 'standard',
      },
    },
  });
}

function messageDelta(reply: Reply, { usage }: FrameFacts): Frame {
  return frame('message_delta', {
    delta: {
      stop_reason: reply.stopReason,
      stop_sequence: reply.stopSequence ?? null,
      stop_details: reply.stopDetails ?? null,
      container: null,
    },
    usage: {
      input_tokens: usage.input_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
      output_tokens: usage.output_tokens,
      output_tokens_details: { thinking_tokens: usage.thinking_tokens },
      server_tool_use: null,
    },
  });
}

function blockFrames(block: ReplyBlock, index: number, reply: Reply): Frame[] {
  const { start, deltas } = opened(block, reply.chunkBytes ?? DEFAULT_CHUNK_BYTES);
  return [
    frame('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ];
}

function opened(block: ReplyBlock, bytes: number): { start: WireBlock; deltas: WireBlock[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '', citations: block.citations ? [] : null },
        deltas: [
          ...pieces(block.text, bytes).map((text) => ({ type: 'text_delta', text })),
          ...(block.citations ?? []).map((citation) => ({ type: 'citations_delta', citation })),
        ],
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(block.thinking, bytes).map((text) => ({
            type: 'thinking_delta',
            thinking: text,
          })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'redacted_thinking':
      return { start: { ...block }, deltas: [] };
    case 'whole':
      return { start: block.block, deltas: [] };
    case 'tool_use':
    case 'server_tool_use':
      return { start: openedCall(block), deltas: jsonDeltas(block, bytes) };
  }
}

function openedCall({ type, id, name }: CallBlock): WireBlock {
  return { type, id, name, input: {}, caller: { type: 'direct' } };
}

/** Starts with an empty fragment, as the API does, so that parsers are tested with it. */
function jsonDeltas({ json, input }: CallBlock, bytes: number): WireBlock[] {
  const text = json ?? JSON.stringify(input);
  // An empty input is only the empty fragment.
  const fragments = text === '{}' ? [] : pieces(text, bytes);
  return ['', ...fragments].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

/** Splits text into pieces of at most this many bytes; a wider character is not split. */
export function pieces(text: string, bytes: number): string[] {
  const found: string[] = [];
  let piece = '';
  let size = 0;
  for (const character of text) {
    const width = Buffer.byteLength(character);
    if (size > 0 && size + width > bytes) {
      found.push(piece);
      piece = '';
      size = 0;
    }
    piece += character;
    size += width;
  }
  if (piece) found.push(piece);
  return found;
}

function withPings(frames: readonly Frame[], every: number): Frame[] {
  let deltas = 0;
  return frames.flatMap((one) =>
    isDelta(one) && (deltas += 1) % every === 0 ? [one, frame('ping', {})] : [one],
  );
}
