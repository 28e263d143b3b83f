/** Checks what the API requires of a single request, regardless of earlier ones. */
import { modelRules, type ThinkingType } from './model-list';
import { checkMessages } from './request-messages';
import { isRecord, type WireHeaders } from './wire';

export type Api = 'claude' | 'compatible';

const REMOVED = ['temperature', 'top_p', 'top_k'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const TOP_LEVEL_REFUSED = ['allOf', 'anyOf', 'oneOf'];

type Body = { readonly [field: string]: unknown };
type Say = (violation: string) => void;

export function checkShape(headers: WireHeaders, body: unknown, api: Api): string[] {
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
