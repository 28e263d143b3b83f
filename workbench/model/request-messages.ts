/** Checks the messages of a request: roles, blocks, and calls paired with results. */
import { blocksOf, isRecord, type WireBlock } from './wire';

type Say = (violation: string) => void;

const RESULT_BLOCKS = ['text', 'image', 'document'];

export function checkMessages(body: { readonly [field: string]: unknown }, say: Say): void {
  const { messages, system } = body;
  checkBlocks('system', system, say);
  if (!Array.isArray(messages) || messages.length === 0) return say('messages is empty');
  const seen = new Set<string>();
  let open: readonly string[] = [];
  let before = 'assistant';
  messages.forEach((message: unknown, index) => {
    const where = `message ${index}`;
    if (!isRecord(message)) return say(`${where} is not an object`);
    const role = String(message.role);
    if (role !== 'user' && role !== 'assistant') say(`${where} has the role "${role}"`);
    else if (index === 0 && role !== 'user') say('the first message is not the user’s');
    else if (role === before) say(`${where} is a second ${role} message in a row`);
    before = role;
    checkContent(where, message.content, say);
    const blocks = blocksOf(message.content);
    if (role === 'user') {
      checkResults(where, open, blocks, say);
      open = [];
    } else {
      open = callIds(where, blocks, seen, say);
    }
  });
  if (open.length > 0) say(`calls without a result: ${open.join(', ')}`);
}

function checkContent(where: string, content: unknown, say: Say): void {
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return say(`${where} has no content`);
  }
  if (content.length === 0) say(`${where} has an empty content`);
  else checkBlocks(where, content, say);
}

function checkBlocks(where: string, content: unknown, say: Say): void {
  if (typeof content === 'string' && content.trim() === '') return say(`${where} is empty text`);
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (!isRecord(block) || typeof block.type !== 'string') {
      say(`${where} holds something that is not a block`);
      continue;
    }
    if (block.type === 'text' && !(typeof block.text === 'string' && block.text.trim() !== '')) {
      say(`${where} holds an empty text block`);
    }
    if (block.type === 'image' || block.type === 'document') checkFile(where, block, say);
    if (/thinking$/.test(block.type) && isRecord(block.cache_control)) {
      say(`${where} has a cache mark on thinking`);
    }
    if (block.type === 'thinking') {
      if (typeof block.thinking !== 'string' || typeof block.signature !== 'string') {
        say(`${where} holds thinking without its text field or signature`);
      }
    }
  }
}

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MAX_BASE64_CHARS = { image: 5 * 2 ** 20, document: 32 * 2 ** 20 };

function checkFile(where: string, block: Record<string, unknown>, say: Say): void {
  const { type, source } = block;
  const file = isRecord(source) ? source : {};
  const { media_type: media, data } = file;
  const kind = type === 'image' ? 'image' : 'document';
  const known = kind === 'image' ? PICTURES : ['application/pdf'];
  if (file.type !== 'base64' || !known.includes(String(media))) {
    say(`${where} holds a file of the kind ${String(media)}`);
  }
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length % 4 !== 0) {
    say(`${where} holds a file that is no base64`);
  } else if (data.length > MAX_BASE64_CHARS[kind]) {
    say(`${where} holds a file of ${data.length} letters`);
  }
}

function callIds(where: string, blocks: readonly WireBlock[], seen: Set<string>, say: Say) {
  const ids: string[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_result') say(`${where} is the assistant's and holds a tool result`);
    if (block.type !== 'tool_use') continue;
    const id = String(block.id);
    if (!/^[a-zA-Z0-9_-]+$/.test(id)) say(`${where}: call id "${id}" is not allowed`);
    if (seen.has(id)) say(`${where}: call ${id} is there twice`);
    if (!isRecord(block.input)) say(`${where}: the input of call ${id} is not an object`);
    if (typeof block.name !== 'string') say(`${where}: call ${id} has no name`);
    seen.add(id);
    ids.push(id);
  }
  return ids;
}

function checkResults(
  where: string,
  open: readonly string[],
  blocks: readonly WireBlock[],
  say: Say,
): void {
  const answered = new Set<string>();
  let other = false;
  for (const block of blocks) {
    if (block.type === 'tool_use') say(`${where} is the user's and holds a call`);
    if (block.type !== 'tool_result') {
      other = true;
      continue;
    }
    const id = String(block.tool_use_id);
    if (other) say(`${where}: the result of ${id} does not come first`);
    if (!open.includes(id)) say(`${where}: a result for ${id}, which was not called before it`);
    if (answered.has(id)) say(`${where}: a second result for ${id}`);
    answered.add(id);
    checkResult(where, id, block.content, say);
  }
  for (const id of open) if (!answered.has(id)) say(`${where}: call ${id} has no result`);
  if (answered.size > 0 && other && !isSteered(blocks)) {
    say(`${where} holds something besides tool results`);
  }
}

/** Whether all that follows the results is a message of the user that joined the turn. */
function isSteered(blocks: readonly WireBlock[]): boolean {
  const first = blocks.find(({ type }) => type === 'text');
  return String(first?.['text'] ?? '').startsWith('<context>\nSent while you were working');
}

function checkResult(where: string, id: string, content: unknown, say: Say): void {
  if (typeof content === 'string') {
    if (content.trim() === '') say(`${where}: the result of ${id} is empty`);
    return;
  }
  if (!Array.isArray(content) || content.length === 0) {
    return say(`${where}: the result of ${id} is empty`);
  }
  for (const block of content) {
    const type = isRecord(block) ? String(block.type) : 'nothing';
    if (!RESULT_BLOCKS.includes(type)) say(`${where}: the result of ${id} holds ${type}`);
  }
  checkBlocks(`${where}: the result of ${id}`, content, say);
}
