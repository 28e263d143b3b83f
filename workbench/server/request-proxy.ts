/**
 * `requestUrl` for the page. In Obsidian it is not subject to CORS, so the server makes the
 * request.
 */
export interface ProxiedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: ArrayBuffer;
}

export async function proxyRequest(
  { url, method, headers }: ProxiedRequest,
  body: Uint8Array,
): Promise<ProxiedAnswer> {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error(`${url} is no web address.`);
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const answer = await fetch(url, {
    method,
    headers,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    bytes: await answer.arrayBuffer(),
  };
}
