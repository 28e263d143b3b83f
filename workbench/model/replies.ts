/** Replies of a model as neutral data, and the builders that tests write them with. */
import { createHash } from 'node:crypto';
import type { StopReason } from '@anthropic-ai/sdk/resources/messages/messages';
import type { WireBlock } from './wire';

export type { StopReason };

export interface SaidBlock {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly WireBlock[];
}
export interface ThoughtBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}
export interface RedactedBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}
export interface CallBlock {
  readonly type: 'tool_use' | 'server_tool_use';
  /** Minted by the server when left out. */
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
  /** What is streamed instead of the input's JSON: malformed, or cut short. */
  readonly json?: string;
}
/** A block that arrives whole in `content_block_start`, such as a web search result. */
export interface WholeBlock {
  readonly type: 'whole';
  readonly block: WireBlock;
}
export type ReplyBlock = SaidBlock | ThoughtBlock | RedactedBlock | CallBlock | WholeBlock;

export interface ReplyUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_1h_input_tokens: number;
  readonly thinking_tokens: number;
}

export interface Pace {
  /** How many bytes of text, thinking or JSON one delta carries; characters stay whole. */
  readonly chunkBytes?: number;
  /** Waited before each delta, with the server's own `wait`. */
  readonly delayMs?: number;
  /** Cuts the byte stream into writes of this size, through frames and characters alike. */
  readonly wireBytes?: number;
  /** A `ping` event after every so many deltas. */
  readonly pingEvery?: number;
}

export interface Reply extends Pace {
  readonly kind: 'reply';
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string;
  readonly stopDetails?: WireBlock;
  /** Overrides of what the server counts. */
  readonly usage?: Partial<ReplyUsage>;
}

/** Strings are text; the stop reason is `tool_use` when there is a call, and `end_turn` otherwise. */
export function reply(...parts: readonly (ReplyBlock | string)[]): Reply {
  const blocks = parts.map((part) => (typeof part === 'string' ? say(part) : part));
  const calls = blocks.some((block) => block.type === 'tool_use');
  return { kind: 'reply', blocks, stopReason: calls ? 'tool_use' : 'end_turn' };
}

export function say(text: string, citations?: readonly WireBlock[]): SaidBlock {
  return citations ? { type: 'text', text, citations } : { type: 'text', text };
}

export function thinking(text: string, signature = signatureOf(text)): ThoughtBlock {
  return { type: 'thinking', thinking: text, signature };
}

/** Thinking whose text is kept back: an empty block that must come back all the same. */
export function emptyThinking(signature = signatureOf('omitted')): ThoughtBlock {
  return { type: 'thinking', thinking: '', signature };
}

export function redacted(data = signatureOf('redacted')): RedactedBlock {
  return { type: 'redacted_thinking', data };
}

export function call(name: string, input: unknown = {}, id?: string): CallBlock {
  return id === undefined
    ? { type: 'tool_use', name, input }
    : { type: 'tool_use', name, input, id };
}

export interface WebHit {
  readonly url: string;
  readonly title: string;
  readonly page_age?: string | null;
}

/** A search that the API runs by itself: the call and its result, in one reply. */
export function webSearch(query: string, hits: readonly WebHit[]): ReplyBlock[] {
  const id = `srvtoolu_${digest(query)}`;
  const content = hits.map((hit) => ({
    type: 'web_search_result',
    url: hit.url,
    title: hit.title,
    page_age: hit.page_age ?? null,
    encrypted_content: digest(hit.url),
  }));
  const caller = { type: 'direct' };
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'whole', block: { type: 'web_search_tool_result', tool_use_id: id, content, caller } },
  ];
}

export function paced(base: Reply, pace: Pace): Reply {
  return { ...base, ...pace };
}

export function counting(base: Reply, usage: Partial<ReplyUsage>): Reply {
  return { ...base, usage: { ...base.usage, ...usage } };
}

export function ending(base: Reply, stopReason: StopReason, stopSequence?: string): Reply {
  return stopSequence === undefined
    ? { ...base, stopReason }
    : { ...base, stopReason, stopSequence };
}

/** The content that the client has to send back, in the form and order in which it was sent. */
export function sentContent(sent: Reply): WireBlock[] {
  return sent.blocks.map((block): WireBlock => {
    if (block.type === 'whole') return block.block;
    if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return { ...block };
    const { id, name, input, json } = block;
    const known = json === undefined || json === JSON.stringify(input);
    // What the client makes of a malformed input is its own affair.
    return known ? { type: block.type, id, name, input } : { type: block.type, id, name };
  });
}

export function signatureOf(text: string): string {
  return `sig_${digest(text)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}
