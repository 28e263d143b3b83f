/** Aborts a request whose response stops sending bytes. It watches bytes rather than events because pings count too. */
import type { Clock } from '#ports/clock';

export interface StallWatch {
  readonly fetch: typeof fetch;
  /** Aborts with the outer signal, and when no byte arrived within the limit. */
  readonly signal: AbortSignal;
  readonly stalled: boolean;
  end(): void;
}

export function watchStalls(
  fetchBytes: typeof fetch,
  limitMs: number,
  clock: Clock,
  outer: AbortSignal,
): StallWatch {
  const controller = new AbortController();
  let stalled = false;
  let cancel = () => {};
  const touch = () => {
    cancel();
    cancel = clock.after(limitMs, () => {
      stalled = true;
      controller.abort();
    });
  };
  const abort = () => controller.abort();
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  touch();
  return {
    signal: controller.signal,
    get stalled() {
      return stalled;
    },
    fetch: async (input, init) => {
      const response = await fetchBytes(input, init);
      touch();
      if (!response.body) return response;
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, out) {
            touch();
            out.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(watched, { status, statusText, headers });
    },
    end() {
      cancel();
      outer.removeEventListener('abort', abort);
      // Closes the connection when the reader left before the end.
      controller.abort();
    },
  };
}
