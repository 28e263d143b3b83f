/** Who may come in. A page in a browser can send requests to this computer too, and must not get in by its name. */

export interface Knock {
  readonly method: string;
  readonly path: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Door {
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

/** Why it may not come in, as it is answered; null where it may. */
export function refusal({ method, path, headers }: Knock, door: Door): Response | null {
  const { port, token } = door;
  const host = headers['host'] ?? '';
  // A name that somebody's server points here stands in this header: the browser says where it thinks it is.
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return refused(403, `This server answers to 127.0.0.1:${port} and localhost:${port} only.`);
  }
  if (headers['origin'] !== undefined && !isLoopback(headers['origin'])) {
    return refused(403, 'Pages from elsewhere may not use this server.');
  }
  if (path !== door.path) return refused(404, `There is nothing here. Use ${door.path}.`);
  if (!['GET', 'POST', 'DELETE'].includes(method)) {
    return refused(405, 'Only GET, POST and DELETE mean something here.', {
      allow: 'GET, POST, DELETE',
    });
  }
  const given = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return null;
  return refused(
    401,
    'The header "Authorization: Bearer …" with Parley’s token is missing or wrong. The token is in Parley’s settings, under Other programs.',
    { 'www-authenticate': 'Bearer realm="Parley"' },
  );
}

/** In the form in which the protocol tells errors, so that a client can show it. */
export function refused(status: number, message: string, headers = {}): Response {
  const error = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  return new Response(JSON.stringify(error), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function isLoopback(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin);
}

/** Takes as long for every token of one length: what is right about a wrong one can't be measured. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at % wanted.length);
  }
  return difference === 0;
}
