/** How the page asks its server. What went wrong there is thrown here, with the system's code. */
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

/** Without waiting, for the few questions that the app answers at once. */
export function askNow<Value>(what: string, args: unknown[]): Value {
  const request = new XMLHttpRequest();
  request.open('POST', `/api/${what}`, false);
  request.send(JSON.stringify(args));
  return valueOf(what, JSON.parse(request.responseText) as Answer) as Value;
}

export async function post(what: string, args: unknown[], body?: BodyInit): Promise<Response> {
  // In the address only beside a body, since addresses are short.
  const response = await (body === undefined
    ? fetch(`/api/${what}`, { method: 'POST', body: JSON.stringify(args) })
    : fetch(`/api/${what}?args=${encodeURIComponent(JSON.stringify(args))}`, {
        method: 'POST',
        body,
      }));
  if (!response.ok) throw new Error(`${what}: ${await response.text()}`);
  if (response.headers.has('x-problem')) valueOf(what, (await response.json()) as Answer);
  return response;
}

function valueOf(what: string, { value, problem }: Answer): unknown {
  if (!problem) return value;
  const { message, code } = problem;
  throw Object.assign(new Error(message || `${what} failed.`), code !== undefined && { code });
}
