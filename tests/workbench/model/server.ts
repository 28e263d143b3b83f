/**
 * Fake Anthropic API: an HTTP server that answers with scripted replies, counts tokens and cache
 * hits, and validates every request.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promptCache, type PromptUsage } from './caching';
import { type Fault, statusError } from './faults';
import { modelInfo, modelRules, MODELS } from './model-list';
import type { Reply, ReplyBlock, ReplyUsage } from './replies';
import {
  requestValidator,
  type RequestValidator,
  type ValidatorOptions,
} from './request-validator';
import { type Step, type Transmission, transmissionOf } from './transmission';
import { isRecord, type ModelRequest, type WireHeaders } from './wire';

export interface SeenRequest {
  readonly index: number;
  readonly headers: WireHeaders;
  readonly body: ModelRequest;
  /** Time by the server's clock. */
  readonly at: number;
  readonly violations: readonly string[];
  /** Set when the answer was sent or failed. */
  outcome?: 'sent' | 'broken' | 'aborted';
}

export interface RespondContext {
  readonly index: number;
  readonly headers: WireHeaders;
  readonly requests: readonly SeenRequest[];
  readonly violations: readonly string[];
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export type Answer = Reply | Fault;
export type Respond = (request: ModelRequest, context: RespondContext) => Answer | Promise<Answer>;

export interface ModelServerOptions {
  readonly respond: Respond;
  readonly port?: number;
  /** On by default; pass options or a validator, or `false` to turn it off. */
  readonly validate?: boolean | ValidatorOptions | RequestValidator;
  /**
   * Whether a violation is answered with status 400, as the API would; by default it is only
   * recorded.
   */
  readonly refuse?: boolean;
  readonly now?: () => number;
  /** Waits for delays; tests may pass a function that returns immediately. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

export interface ModelServer {
  /** Base URL for the client, without `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** All violations so far, each with the number of its request. */
  readonly violations: readonly string[];
  /** Replaces the responder, starting with the next request. */
  setRespond(respond: Respond): void;
  close(): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { now = Date.now, wait = sleep, refuse = false } = options;
  const validator = validatorOf(options.validate ?? true);
  const cache = promptCache(now);
  const requests: SeenRequest[] = [];
  const violations: string[] = [];
  const closing = new AbortController();
  let respond = options.respond;

  async function answerMessages(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await jsonBody(req);
    const found = validator?.check({ headers: req.headers, body }) ?? [];
    const index = requests.length;
    violations.push(...found.map((violation) => `request ${index}: ${violation}`));
    if (!isMessages(body)) {
      return sendJson(res, 400, errorOf(400, 'The body is not a request for messages.'));
    }
    const seen: SeenRequest = { index, headers: req.headers, body, at: now(), violations: found };
    requests.push(seen);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const context = {
      index,
      headers: req.headers,
      requests,
      violations: found,
      signal: gone.signal,
    };
    const answer =
      refuse && found[0] !== undefined
        ? statusError(400, { message: found[0] })
        : await answerTo(body, context);
    const prepared = preparedReply(answer, body);
    const prompt = cache.read(body);
    const transmission = transmissionOf(prepared, {
      messageId: `msg_${randomUUID().replaceAll('-', '')}`,
      model: body.model,
      usage: usageOf(prepared, prompt.usage),
    });
    if (transmission.status === 200 && transmission.content) prompt.commit();
    // Register first: a client may continue after the last event, before the body has ended.
    const { content, stopReason, whole } = transmission;
    const sent = { content: content ?? [], stopReason, cut: !whole };
    if (content) validator?.sent(body, sent);
    const arrived = await send(res, transmission, gone.signal);
    sent.cut = !whole || !arrived;
    seen.outcome = !sent.cut ? 'sent' : whole ? 'aborted' : 'broken';
  }

  /** Records errors thrown by the script as violations, so that tests see them. */
  async function answerTo(body: ModelRequest, context: RespondContext): Promise<Answer> {
    try {
      return await respond(body, context);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      violations.push(`request ${context.index}: respond threw: ${message}`);
      return statusError(400, { message: `The demo model failed: ${message}` });
    }
  }

  /** Runs the steps; returns whether all of them were completed. */
  async function send(
    res: ServerResponse,
    { status, headers, steps }: Transmission,
    gone: AbortSignal,
  ) {
    const ended = AbortSignal.any([gone, closing.signal]);
    const never = new Promise<'ended'>((resolve) => {
      if (ended.aborted) resolve('ended');
      ended.addEventListener('abort', () => resolve('ended'), { once: true });
    });
    const take = async (step: Step): Promise<unknown> => {
      if ('write' in step) {
        if (!res.headersSent) res.writeHead(status, { ...CORS, ...headers });
        // Wait for each write, so that bytes keep their order with later steps.
        return new Promise((resolve) => res.write(step.write, resolve));
      }
      if ('wait' in step) return typeof step.wait === 'number' ? wait(step.wait) : step.wait;
      if ('hold' in step) {
        if (!res.headersSent) res.writeHead(status, { ...CORS, ...headers }).flushHeaders();
        return never;
      }
      res.destroy();
      return 'ended';
    };
    for (const step of steps) {
      if ((await Promise.race([take(step), never])) === 'ended' || ended.aborted) {
        res.destroy();
        return false;
      }
    }
    return new Promise<boolean>((resolve) => {
      gone.addEventListener('abort', () => resolve(res.writableFinished), { once: true });
      res.end(() => resolve(true));
    });
  }

  async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [path = ''] = (req.url ?? '').split('?', 1);
    if (req.method === 'OPTIONS') answerPreflight(req, res);
    else if (req.method === 'POST' && path === '/v1/messages') await answerMessages(req, res);
    else if (req.method === 'POST' && path === '/v1/messages/count_tokens') {
      const body = await jsonBody(req);
      const input_tokens = isMessages(body) ? cache.read(body).usage.input_tokens : 0;
      sendJson(res, 200, { input_tokens });
    } else if (req.method === 'GET' && path === '/v1/models') answerModels(req, res);
    else if (req.method === 'GET' && path.startsWith('/v1/models/')) {
      answerModel(decodeURIComponent(path.slice('/v1/models/'.length)), res);
    } else sendJson(res, 404, errorOf(404, 'Not Found'));
  }

  const server = createServer((req, res) => {
    route(req, res).catch((error: unknown) => {
      // The client disconnected, perhaps during its upload.
      if (req.socket.destroyed || res.headersSent) return void res.destroy();
      violations.push(`${req.method} ${req.url}: ${String(error)}`);
      sendJson(res, 500, errorOf(500, String(error)));
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    violations,
    setRespond(next) {
      respond = next;
    },
    close() {
      closing.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        // Kept-alive connections and stalled streams would keep the server open.
        server.closeAllConnections();
      });
    },
  };
}

function validatorOf(wanted: boolean | ValidatorOptions | RequestValidator) {
  if (wanted === false) return undefined;
  if (wanted === true) return requestValidator();
  return 'check' in wanted ? wanted : requestValidator(wanted);
}

function isMessages(body: unknown): body is ModelRequest {
  return isRecord(body) && Array.isArray(body.messages) && body.messages.every(isRecord);
}

/** The answer in the form this model would give it. */
function preparedReply(answer: Reply | Fault, request: ModelRequest): Reply | Fault {
  if (answer.kind === 'reply') return prepared(answer, request);
  return 'over' in answer ? { ...answer, over: prepared(answer.over, request) } : answer;
}

function prepared(reply: Reply, request: ModelRequest): Reply {
  const omits =
    modelRules(request.model)?.omitsThinking === true && request.thinking?.display !== 'summarized';
  return { ...reply, blocks: reply.blocks.map((block) => preparedBlock(block, omits)) };
}

function preparedBlock(block: ReplyBlock, omits: boolean): ReplyBlock {
  if (block.type === 'thinking' && omits) return { ...block, thinking: '' };
  if (block.type !== 'tool_use' || block.id !== undefined) return block;
  // Random, because a conversation may outlive the server and must not contain an id twice.
  return { ...block, id: `toolu_${randomUUID().replaceAll('-', '')}` };
}

/** Counts four characters as a token. */
function usageOf(answer: Reply | Fault, prompt: PromptUsage): ReplyUsage {
  const reply = answer.kind === 'reply' ? answer : 'over' in answer ? answer.over : undefined;
  const blocks = reply?.blocks ?? [];
  const count = (some: readonly ReplyBlock[]) =>
    Math.ceil(some.reduce((sum, block) => sum + characters(block), 0) / 4);
  const thoughts = blocks.filter((block) => /thinking$/.test(block.type));
  return {
    ...prompt,
    output_tokens: count(blocks),
    thinking_tokens: count(thoughts),
    ...reply?.usage,
  };
}

function characters(block: ReplyBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'thinking':
      return block.thinking.length;
    case 'redacted_thinking':
      return block.data.length;
    case 'whole':
      return 0;
    default:
      return (block.json ?? JSON.stringify(block.input)).length + block.name.length;
  }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, retry-after',
};

/**
 * Allows the headers that the browser asks for, because `*` does not cover `authorization` in
 * browsers.
 */
function answerPreflight(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(204, {
    ...CORS,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
  });
  res.end();
}

function answerModel(id: string, res: ServerResponse): void {
  const rules = modelRules(id);
  if (rules) sendJson(res, 200, modelInfo(rules));
  else sendJson(res, 404, errorOf(404, `model: ${id}`));
}

function answerModels(req: IncomingMessage, res: ServerResponse): void {
  const query = new URLSearchParams(req.url?.split('?')[1]);
  const after = query.get('after_id');
  const from = after === null ? 0 : MODELS.findIndex((model) => model.id === after) + 1;
  const to = from + Number(query.get('limit') ?? 20);
  const data = MODELS.slice(from, to).map(modelInfo);
  sendJson(res, 200, {
    data,
    has_more: to < MODELS.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  });
}

async function jsonBody(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk as Uint8Array));
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function errorOf(status: number, message: string) {
  const fault = statusError(status);
  const type = fault.name === 'status' ? fault.errorType : 'api_error';
  return { type: 'error', error: { type, message }, request_id: 'req_stand_in' };
}

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { ...CORS, 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}
