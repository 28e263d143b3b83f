/**
 * The parts of the fake API that do not depend on a script: the list of models, CORS preflights and
 * JSON responses.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { statusError } from './faults';
import { MODELS, modelInfo, modelRules } from './model-list';

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, retry-after, x-request-id',
};

/**
 * The library answers preflights before any mount and allows `*`, which does not cover
 * `authorization` in browsers. So this answers them with the headers that the browser asks for.
 */
export function answerPreflights(server: {
  listeners(event: 'request'): unknown[];
  removeAllListeners(event: 'request'): unknown;
  on(event: 'request', listener: RequestListener): unknown;
}): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    if (req.method !== 'OPTIONS') {
      for (const other of others) other(req, res);
      return;
    }
    res.writeHead(204, {
      ...CORS,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    });
    res.end();
  });
}

export async function answerModels(req: IncomingMessage, res: ServerResponse, path: string) {
  if (req.method !== 'GET') return false;
  const id = decodeURIComponent(path.slice(1));
  if (id !== '') {
    const rules = modelRules(id);
    if (rules) sendJson(res, 200, modelInfo(rules));
    else sendJson(res, 404, errorOf(404, `model: ${id}`));
    return true;
  }
  const query = new URL(req.url ?? '/', 'http://localhost').searchParams;
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
  return true;
}

export async function jsonBody(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk as Uint8Array));
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

export function errorOf(status: number, message: string) {
  const fault = statusError(status);
  const type = fault.name === 'status' ? fault.errorType : 'api_error';
  return { type: 'error', error: { type, message }, request_id: 'req_stand_in' };
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { ...CORS, 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}
