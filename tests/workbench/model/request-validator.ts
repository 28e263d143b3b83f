/**
 * Checks every request that tests send to a model double. Reports what the API would reject, and
 * what it would silently penalize: a broken cache or dropped thinking.
 */
import { modelRules, type ThinkingType } from './model-list';
import { requestHistory, type SentReply } from './request-history';
import { blocksOf, isRecord, type ModelRequest, type WireBlock, type WireHeaders } from './wire';

export type { SentReply } from './request-history';

export interface ValidatorOptions {
  /** Whose rules apply: those of Claude's own API (default) or of compatible servers. */
  readonly api?: Api;
  /**
   * Allows continuing a prompt in several ways, as after editing a message or regenerating an
   * answer. Off by default, because it also hides a history that was rewritten at its end.
   */
  readonly forks?: boolean;
}

export interface RequestValidator {
  /** Descriptions of the request's violations; empty if it is valid. */
  check(request: { readonly headers: WireHeaders; readonly body: unknown }): string[];
  /** Records a reply, so that later requests can be compared with it. */
  sent(body: unknown, reply: SentReply): void;
}

export function requestValidator(options: ValidatorOptions = {}): RequestValidator {
  const history = requestHistory(options.forks === undefined ? {} : { forks: options.forks });
  return {
    check({ headers, body }) {
      const found = checkShape(headers, body, options.api ?? 'claude');
      return isRequest(body) ? [...found, ...history.check(body)] : found;
    },
    sent(body, reply) {
      if (isRequest(body)) history.sent(body, reply);
    },
  };
}

function isRequest(body: unknown): body is ModelRequest {
  return isRecord(body) && Array.isArray(body.messages) && body.messages.every(isRecord);
}

type Api = 'claude' | 'compatible';

const REMOVED = ['temperature', 'top_p', 'top_k'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const TOP_LEVEL_REFUSED = ['allOf', 'anyOf', 'oneOf'];

type Body = { readonly [field: string]: unknown };
type Say = (violation: string) => void;

/** Checks what the API requires of a single request, regardless of earlier ones. */
function checkShape(headers: WireHeaders, body: unknown, api: Api): string[] {
  const found: string[] = [];
  const say: Say = (violation) => found.push(violation);
  checkHeaders(headers, api, say);
  if (!isRecord(body)) return [...found, 'the body is not a JSON object'];
  checkFields(body, say);
  if (api === 'claude') {
    checkThinking(body, say);
    checkToolChoice(body, say);
  } else {
    checkCompatible(body, say);
  }
  checkTools(body, say);
  checkMarks(body, say);
  checkMessages(body, say);
  if (hasLoneSurrogate(body)) say('a text holds half of a surrogate pair');
  return found;
}

function checkHeaders(headers: WireHeaders, api: Api, say: Say): void {
  const version = String(headers['anthropic-version'] ?? '');
  if (api === 'compatible') {
    if (!headers['x-api-key']) say('header x-api-key is missing');
    if (version !== '2023-06-01') say(`header anthropic-version is "${version}", not 2023-06-01`);
  } else {
    if (!/^Bearer \S+$/.test(String(headers.authorization ?? ''))) {
      say('header authorization is not "Bearer <key>"');
    }
    if (!/^\d{4}-\d{2}-\d{2}$/.test(version)) say('header anthropic-version is missing');
  }
  if (!String(headers['content-type'] ?? '').startsWith('application/json')) {
    say('header content-type is not application/json');
  }
}

function checkFields(body: Body, say: Say): void {
  if (typeof body.model !== 'string' || body.model === '') say('model is missing');
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) {
    say(`max_tokens is ${String(body.max_tokens)}, not an integer of 1 or more`);
  }
  const rules = modelRules(body.model);
  if (rules && Number(body.max_tokens) > rules.maxOutput) {
    say(`max_tokens is ${String(body.max_tokens)}, above ${rules.maxOutput} of ${rules.id}`);
  }
  if (body.stream !== true) say('stream is not true');
  for (const name of REMOVED) if (name in body) say(`${name} no longer exists`);
  if (typeof body.system !== 'string' && body.system !== undefined) {
    if (!Array.isArray(body.system)) say('system is neither a string nor blocks');
  }
  const effort = isRecord(body.output_config) ? body.output_config.effort : undefined;
  if (effort !== undefined && effort !== null && !EFFORTS.includes(String(effort))) {
    say(`output_config.effort is "${String(effort)}", not one of ${EFFORTS.join(', ')}`);
  }
}

function checkThinking({ thinking, model, max_tokens: maxTokens }: Body, say: Say): void {
  if (thinking === undefined) return;
  if (!isRecord(thinking)) return say('thinking is not an object');
  const type = String(thinking.type);
  const rules = modelRules(model);
  if (rules && !rules.thinking.includes(type as ThinkingType)) {
    say(`thinking "${type}" is refused by ${rules.id}, which takes ${rules.thinking.join(', ')}`);
  }
  const budget = thinking.budget_tokens;
  if (type === 'enabled') {
    if (!Number.isInteger(budget) || Number(budget) < 1_024) {
      say(`thinking.budget_tokens is ${String(budget)}, not 1024 or more`);
    }
    if (Number(budget) >= Number(maxTokens)) say('thinking.budget_tokens is not below max_tokens');
  } else if (budget !== undefined) {
    say(`thinking "${type}" takes no budget_tokens`);
  }
  const display = thinking.display;
  if (display !== undefined && display !== null) {
    if (!['summarized', 'omitted'].includes(String(display))) {
      say(`thinking.display is "${String(display)}"`);
    }
    if (type === 'disabled' || type === 'between_tools') say(`thinking "${type}" has no display`);
  }
}

function checkToolChoice({ tool_choice: choice, model }: Body, say: Say): void {
  if (!isRecord(choice)) return;
  const type = String(choice.type);
  const forced = type === 'any' || type === 'tool';
  if (forced && modelRules(model)?.forcedTools === false) {
    say(`tool_choice "${type}" is refused by ${String(model)}`);
  }
  if (!['auto', 'any', 'tool', 'none'].includes(type)) say(`tool_choice "${type}" does not exist`);
}

function checkCompatible(body: Body, say: Say): void {
  if (body.thinking !== undefined) say('thinking is sent to a compatible server');
  if (body.output_config !== undefined) say('output_config is sent to a compatible server');
  if (countMarks(body) > 0) say('a cache mark is sent to a compatible server');
  for (const tool of Array.isArray(body.tools) ? body.tools.filter(isRecord) : []) {
    for (const field of ['strict', 'eager_input_streaming']) {
      if (field in tool) say(`tool ${String(tool.name)}: ${field} is sent to a compatible server`);
    }
  }
}

function checkTools({ tools }: Body, say: Say): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) return say('tools is not a list');
  const names = new Set<string>();
  for (const tool of tools) {
    if (!isRecord(tool)) {
      say('a tool is not an object');
      continue;
    }
    const name = String(tool.name);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) say(`tool name "${name}" is not allowed`);
    if (names.has(name)) say(`tool name "${name}" is there twice`);
    names.add(name);
    // Server tools come with a schema of their own.
    if (tool.type === undefined || tool.type === null || tool.type === 'custom') {
      checkSchema(name, tool.input_schema, say);
    }
  }
}

function checkSchema(name: string, schema: unknown, say: Say): void {
  if (!isRecord(schema)) return say(`tool ${name}: input_schema is missing`);
  if (schema.type !== 'object') say(`tool ${name}: input_schema is not of type object`);
  for (const word of TOP_LEVEL_REFUSED) {
    if (word in schema) say(`tool ${name}: ${word} is at the top of input_schema`);
  }
}

function checkMarks(body: Body, say: Say): void {
  const marks = countMarks(body);
  if (marks > 4) say(`${marks} cache marks, of which 4 are allowed`);
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countMarks(one), 0);
  if (!isRecord(value)) return 0;
  let marks = isRecord(value.cache_control) ? 1 : 0;
  for (const [name, field] of Object.entries(value)) {
    if (name !== 'input' && name !== 'input_schema') marks += countMarks(field);
  }
  return marks;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') {
    return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value);
  }
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isRecord(value) && Object.values(value).some(hasLoneSurrogate);
}

const RESULT_BLOCKS = ['text', 'image', 'document'];

/** Checks the messages of a request: roles, blocks, and calls paired with results. */
function checkMessages(body: { readonly [field: string]: unknown }, say: Say): void {
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
  if (typeof data !== 'string' || !isBase64(data)) {
    say(`${where} holds a file that is no base64`);
  } else if (data.length > MAX_BASE64_CHARS[kind]) {
    say(`${where} holds a file of ${data.length} letters`);
  }
}

/** Searches for an invalid character, because matching many megabytes overflows the stack. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '');
  return text.length % 4 === 0 && digits !== '' && !/[^A-Za-z0-9+/]/.test(digits);
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
