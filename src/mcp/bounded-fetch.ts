/** `fetch` for tool servers: an answer is bounded, and of a stream, which may go on for ever, each event. */
import { LARGEST, TOO_LARGE, TooLarge } from './too-large';

/** Rejects with `TooLarge`. An event that is too large is an error as the answer of what was asked, or breaks the stream. */
export function boundedFetch(plain: typeof fetch): typeof fetch {
  return async (address, init) => {
    const response = await plain(address, init);
    const { body, ok, status, statusText } = response;
    if (!body) return response;
    const headers = new Headers(response.headers);
    // The package would send the person to sign in, which is not offered.
    headers.delete('www-authenticate');
    const isStream = ok && /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    const bounded = isStream ? body.pipeThrough(boundedEvents(init?.body)) : await whole(body);
    return new Response(bounded, { status, statusText, headers });
  };
}

async function whole(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > LARGEST) {
      void reader.cancel().catch(() => undefined);
      throw new TooLarge();
    }
    parts.push(new Uint8Array(value));
  }
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

function boundedEvents(asked: RequestInit['body']): TransformStream<Uint8Array, Uint8Array> {
  let [size, line, last] = [0, 0, 0];
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size += 1;
        const isPair = byte === LINE_FEED && last === CARRIAGE_RETURN;
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) line += 1;
        else if (!isPair) {
          // An empty line ends the event.
          if (line === 0) size = 0;
          line = 0;
        }
        last = byte;
      }
      if (size <= LARGEST) return controller.enqueue(chunk);
      const id = idOf(asked);
      if (id === null) return controller.error(new TooLarge());
      // Nobody would hear of a stream that only breaks: what was asked would be waited for until it is too late.
      const error = { code: -32_000, message: TOO_LARGE };
      const answer = JSON.stringify({ jsonrpc: '2.0', id, error });
      controller.enqueue(new TextEncoder().encode(`\n\ndata: ${answer}\n\n`));
      controller.terminate();
    },
  });
}

/** Of the request that the stream is to answer; null where it answers none. */
function idOf(asked: RequestInit['body']): unknown {
  if (typeof asked !== 'string') return null;
  return (JSON.parse(asked) as { id?: unknown }).id ?? null;
}
