/**
 * Calls the workbench server from the page. Server-side errors are rethrown here with their system
 * error code.
 */
interface Answer {
  readonly value?: unknown;
  readonly problem?: { readonly message: string; readonly code?: string };
}

export async function ask<Value>(what: string, args: unknown[], body?: BodyInit): Promise<Value> {
  const response = await post(what, args, body);
  return valueOf(what, (await response.json()) as Answer) as Value;
}

export async function askBytes(what: string, args: unknown[]): Promise<ArrayBuffer> {
  return (await post(what, args)).arrayBuffer();
}

/** Several files in one answer; null for one that cannot be read. */
export async function askParts(what: string, args: unknown[]): Promise<(ArrayBuffer | null)[]> {
  const response = await post(what, args);
  const about = decodeURIComponent(response.headers.get('x-about') ?? '{}');
  const { lengths } = JSON.parse(about) as { lengths: (number | null)[] };
  const bytes = await response.arrayBuffer();
  let end = 0;
  return lengths.map((length) => (length === null ? null : bytes.slice(end, (end += length))));
}

/** A synchronous call, for the few methods that are synchronous in Obsidian. */
export function askNow<Value>(what: string, args: unknown[], body?: string): Value {
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(what, args, body), false);
  request.send(body ?? JSON.stringify(args));
  return valueOf(what, JSON.parse(request.responseText) as Answer) as Value;
}

export async function post(what: string, args: unknown[], body?: BodyInit): Promise<Response> {
  const address = addressOf(what, args, body);
  const response = await fetch(address, { method: 'POST', body: body ?? JSON.stringify(args) });
  if (!response.ok) throw new Error(`${what}: ${await response.text()}`);
  if (response.headers.has('x-problem')) valueOf(what, (await response.json()) as Answer);
  return response;
}

/** Arguments go into the URL only when there is a body, since URLs are limited in length. */
function addressOf(what: string, args: unknown[], body: unknown): string {
  const inUrl = body === undefined ? '' : `?args=${encodeURIComponent(JSON.stringify(args))}`;
  return `/api/${what}${inUrl}`;
}

function valueOf(what: string, { value, problem }: Answer): unknown {
  if (!problem) return value;
  const { message, code } = problem;
  throw Object.assign(new Error(message || `${what} failed.`), code !== undefined && { code });
}
