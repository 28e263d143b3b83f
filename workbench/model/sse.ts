/** Converts a reply into the events of a stream and their bytes. */
import type { CallBlock, Reply, ReplyBlock, ReplyUsage } from './replies';
import type { WireBlock } from './wire';

export interface Frame {
  readonly event: string;
  readonly data: { readonly [field: string]: unknown };
}

export interface FrameFacts {
  readonly messageId: string;
  readonly model: string;
  readonly usage: ReplyUsage;
}

export const DEFAULT_CHUNK_BYTES = 48;

export function encodeFrame(frame: Frame): string {
  return `event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}

export function isDelta(frame: Frame): boolean {
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
