/**
 * Limits for what MCP servers send: the size of a response and the number of messages per second. A
 * response is not read after its request was cancelled.
 */
import { tooLargeAtOnce } from '#messages/mcp-messages';
import type { Clock } from '#ports/clock';

type Id = string | number;

/** A JSON-RPC message sent by the package. */
interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: { readonly requestId?: Id };
}

type End = (isAnswered: boolean) => void;

export class BoundedFetch {
  readonly #plain: typeof fetch;
  /** Functions that end a response, by the id of the open request. */
  readonly #ends = new Map<string, End>();

  constructor(plain: typeof fetch) {
    this.#plain = plain;
  }

  /**
   * Rejects with `MessageTooLargeError` if a response is too large. A stream ends there, with an
   * error response to its request.
   */
  readonly fetch: typeof fetch = async (address, init = {}) => {
    const { id, method, params } = messageIn(init.body);
    if (method === 'notifications/cancelled') this.#end(params?.requestId, false);
    if (id === undefined || method === undefined) return this.#ask(address, init, null);
    const over = new AbortController();
    const end = () => over.abort();
    this.#ends.set(String(id), end);
    const signal = init.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal;
    try {
      return await this.#ask(address, { ...init, signal }, id);
    } finally {
      // A stream replaces this entry with its own, and deletes it when it ends.
      if (this.#ends.get(String(id)) === end) this.#ends.delete(String(id));
    }
  };

  /** Ends the response to the request with this id, because its result has arrived. */
  answered(id: Id | undefined): void {
    this.#end(id, true);
  }

  #end(id: Id | undefined, isAnswered: boolean): void {
    const end = this.#ends.get(String(id));
    this.#ends.delete(String(id));
    end?.(isAnswered);
  }

  /** @param id of the request; null if the message is not a request */
  async #ask(
    address: Parameters<typeof fetch>[0],
    init: RequestInit,
    id: Id | null,
  ): Promise<Response> {
    const response = await this.#plain(address, init);
    const { body, status, statusText } = response;
    if (!body) return response;
    const headers = new Headers(response.headers);
    // With this header the package would start to sign in, which is not supported.
    headers.delete('www-authenticate');
    // Any other response is read as a whole, whatever its content type.
    const isStream =
      status === 200 &&
      (id !== null || init.method === 'GET') &&
      /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    const bounded = isStream ? body.pipeThrough(this.#events(id)) : await whole(body);
    return new Response(bounded, { status, statusText, headers });
  }

  #events(id: Id | null): TransformStream<Uint8Array, Uint8Array> {
    let size = 0;
    return new TransformStream({
      start: (controller) => {
        if (id === null) return;
        this.#ends.set(String(id), (isAnswered) => {
          if (!isAnswered) answer(controller, id, 'The request is no longer pending.');
          controller.terminate();
        });
      },
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= MAX_MESSAGE_BYTES) return controller.enqueue(chunk);
        // A stream without a request is requested again when it ends.
        if (id !== null) answer(controller, id, tooLargeAtOnce);
        controller.terminate();
      },
      flush: () => void this.#ends.delete(String(id)),
    });
  }
}

/**
 * Sends an error response of our own, because a stream that ends without a response would be
 * requested again.
 */
function answer(
  controller: TransformStreamDefaultController<Uint8Array>,
  id: Id,
  message: string,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  try {
    controller.enqueue(new TextEncoder().encode(`\n\ndata: ${body}\n\n`));
  } catch {
    // The stream has already ended.
  }
}

async function whole(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > MAX_MESSAGE_BYTES) {
      void reader.cancel().catch(() => undefined);
      throw new MessageTooLargeError();
    }
    parts.push(new Uint8Array(value));
  }
}

function messageIn(body: RequestInit['body']): Message {
  return typeof body === 'string' ? (JSON.parse(body) as Message) : {};
}

export class MessageRate {
  readonly #clock: Clock;
  readonly #most: number;
  #second = 0;
  #count = 0;

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Counts `more` and returns whether the limit per second is exceeded. */
  isOver(more: number): boolean {
    const now = Math.floor(this.#clock.now() / 1_000);
    this.#count = now === this.#second ? this.#count + more : more;
    this.#second = now;
    return this.#count > this.#most;
  }
}

/** Limit for one message or response of a server, in bytes or characters. */
export const MAX_MESSAGE_BYTES = 10_000_000;

export class MessageTooLargeError extends Error {
  constructor() {
    super(tooLargeAtOnce);
  }
}

/** The server sent too many messages in a second. */
export class TooManyMessages extends Error {}
