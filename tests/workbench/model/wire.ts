/** Types of the Messages API, loose enough that the fake server can represent invalid requests. */

export interface WireBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WireBlock[];
}

export interface WireTool {
  readonly name: string;
  readonly type?: string | null;
  readonly description?: string;
  readonly input_schema?: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface ModelRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly WireBlock[];
  readonly tools?: readonly WireTool[];
  readonly stream?: boolean;
  readonly thinking?: { readonly type: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** Header names in lower case, as Node provides them. */
export type WireHeaders = { readonly [name: string]: string | readonly string[] | undefined };

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
  readonly text: string;
  readonly isError: boolean;
}

export function isRecord(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Content as blocks: a string is short for one text block. */
export function blocksOf(content: unknown): readonly WireBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter((block): block is WireBlock => isRecord(block));
}

/** The text of a content, without images and documents. */
export function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => (block.type === 'text' && typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** A copy without cache marks, which move between requests and are not part of the conversation. */
export function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isRecord(value)) return value;
  const copy: { [field: string]: unknown } = {};
  for (const [name, field] of Object.entries(value)) {
    // In a tool's input or schema, a field of that name is ordinary data.
    if (name === 'cache_control') continue;
    copy[name] = name === 'input' || name === 'input_schema' ? field : withoutMarks(field);
  }
  return copy;
}

/**
 * Whether this is a user message without tool results. A message of the user that joined a turn
 * follows results and does not begin a turn.
 */
export function isSaid(message: WireMessage | undefined): boolean {
  if (message?.role !== 'user') return false;
  return blocksOf(message.content).every((block) => block.type !== 'tool_result');
}

/** Index of the last message of the user, or -1. */
export function lastSaid(messages: readonly WireMessage[]): number {
  return messages.findLastIndex(isSaid);
}

/** All tool results from message `from` on, each with the call it answers. */
export function toolResults(messages: readonly WireMessage[], from = 0): ToolResult[] {
  const calls = new Map<string, WireBlock>();
  const results: ToolResult[] = [];
  messages.forEach((message, index) => {
    for (const block of blocksOf(message.content)) {
      if (block.type === 'tool_use') calls.set(String(block.id), block);
      if (block.type !== 'tool_result' || index < from) continue;
      const call = calls.get(String(block.tool_use_id));
      results.push({
        callId: String(block.tool_use_id),
        name: String(call?.name ?? ''),
        input: isRecord(call?.input) ? call.input : {},
        text: textOf(block.content),
        isError: block.is_error === true,
      });
    }
  });
  return results;
}

/**
 * The user's words in a message, without the context around them. Tagged sections are data, unless
 * the tag marks the user's own words.
 */
export function userWords(message: WireMessage | undefined): string {
  return requestsIn(message).at(-1) ?? '';
}

/**
 * The words of each request in a message: one that was not answered shares a message with the next
 * one. Each begins with its context.
 */
export function requestsIn(message: WireMessage | undefined): readonly string[] {
  if (!message) return [];
  const texts = blocksOf(message.content).filter((block) => block.type === 'text');
  const requests: string[] = [];
  for (const { text } of texts) {
    const said = String(text ?? '');
    const last = requests.length - 1;
    if (last < 0 || said.startsWith('<context>')) requests.push(said);
    else requests[last] += `\n${said}`;
  }
  return requests.map(wordsOf);
}

function wordsOf(request: string): string {
  const own = /<(message|request|said|person|user)\b[^>]*>([\s\S]*?)<\/\1>/i.exec(request);
  const text = own?.[2] ?? request.replace(/<([a-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ');
  return text.replace(/[ \t]+\n/g, '\n').trim();
}
