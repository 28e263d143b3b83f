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
      // The server may ask for less.
      const slept = clock.sleep(Math.max(wanted, RECONNECT.from), signal);
      void slept.then(() => signal.aborted || again());
    },
  });
}
