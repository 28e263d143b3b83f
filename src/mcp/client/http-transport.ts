/**
 * Connects to an MCP server over HTTP, and limits how often a stream that has ended is requested
 * again.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Clock } from '#ports/clock';

export interface HttpAddress {
  readonly url: string;
  readonly token: string | null;
}

interface Reach {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** Delays in milliseconds. */
const RECONNECT = { from: 1_000, to: 30_000, growth: 2, times: 5 };

/** @param signal after it aborts, no stream is requested again */
export function httpTransport(
  { url, token }: HttpAddress,
  { fetch, clock }: Reach,
  signal: AbortSignal,
): StreamableHTTPClientTransport {
  const pace = new Pace();
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    ...(token === null ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    reconnectionOptions: {
      initialReconnectionDelay: RECONNECT.from,
      maxReconnectionDelay: RECONNECT.to,
      reconnectionDelayGrowFactor: RECONNECT.growth,
      maxRetries: RECONNECT.times,
    },
    reconnectionScheduler: (again, wanted) => {
      const slept = clock.sleep(pace.next(clock.now(), wanted), signal);
      void slept.then(() => signal.aborted || again());
    },
  });
}

/**
 * Computes the delay before a stream is requested again, with a minimum whatever the server asks
 * for.
 */
class Pace {
  #times = 0;
  #at = -Infinity;

  /** @param wanted milliseconds that the server asks the client to wait */
  next(now: number, wanted: number): number {
    // After a quiet period, start counting again.
    if (now - this.#at > RECONNECT.to) this.#times = 0;
    const least = RECONNECT.from * RECONNECT.growth ** this.#times;
    this.#times += 1;
    this.#at = Math.max(now, this.#at) + Math.min(Math.max(least, wanted), RECONNECT.to);
    return this.#at - now;
  }
}
