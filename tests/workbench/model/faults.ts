/** All faults that can happen between a client and the API, as data to apply to a reply. */
import { ending, type CallBlock, type Reply } from './replies';

/** A promise that the test resolves, or milliseconds for the server's `wait`. */
export type Until = Promise<unknown> | number;

export type Fault = { readonly kind: 'fault' } & (
  | StatusFault
  | ({ readonly name: 'error-event'; readonly over: Reply; readonly after: number } & ErrorWords)
  | { readonly name: 'early-end'; readonly over: Reply; readonly after: number }
  | { readonly name: 'cut'; readonly over: Reply; readonly after: number }
  | { readonly name: 'no-answer' }
  | {
      readonly name: 'stall';
      readonly over: Reply;
      readonly after: number;
      readonly until?: Until;
    }
  | { readonly name: 'slow-start'; readonly over: Reply; readonly until: Until }
  | { readonly name: 'not-a-stream'; readonly contentType: string; readonly body: string }
  | { readonly name: 'wrong-type'; readonly over: Reply; readonly contentType: string }
);

export interface ErrorWords {
  readonly errorType: string;
  readonly message: string;
}

export interface StatusFault extends ErrorWords {
  readonly name: 'status';
  readonly status: number;
  /** Value of the header: seconds or a date. */
  readonly retryAfter?: number | string;
  /** Sent instead of Anthropic's JSON, as gateways do. */
  readonly body?: string;
  readonly contentType?: string;
}

export const ERRORS: { readonly [status: number]: ErrorWords } = {
  400: { errorType: 'invalid_request_error', message: 'messages: at least one is required' },
  401: { errorType: 'authentication_error', message: 'invalid bearer token' },
  402: { errorType: 'billing_error', message: 'Your credit balance is too low.' },
  403: { errorType: 'permission_error', message: 'Your key may not use this resource.' },
  404: { errorType: 'not_found_error', message: 'model: claude-unknown' },
  408: { errorType: 'timeout_error', message: 'The request took too long to arrive.' },
  409: { errorType: 'conflict_error', message: 'The resource is being changed.' },
  413: { errorType: 'request_too_large', message: 'Request exceeds the maximum size.' },
  422: { errorType: 'invalid_request_error', message: 'The request could not be processed.' },
  429: { errorType: 'rate_limit_error', message: 'This would exceed your rate limit.' },
  500: { errorType: 'api_error', message: 'Internal server error' },
  503: { errorType: 'api_error', message: 'Service unavailable' },
  504: { errorType: 'timeout_error', message: 'The request timed out.' },
  529: { errorType: 'overloaded_error', message: 'Overloaded' },
};

export const STATUSES: readonly number[] = Object.keys(ERRORS).map(Number);

export function statusError(
  status: number,
  words: Partial<ErrorWords> & { readonly retryAfter?: number | string } = {},
): Fault {
  const usual = ERRORS[status] ?? { errorType: 'api_error', message: `Status ${status}` };
  return { kind: 'fault', name: 'status', status, ...usual, ...words };
}

/** Without `retryAfter`, as for a spending limit, the header is missing. */
export function rateLimited(retryAfter?: number | string): Fault {
  return retryAfter === undefined ? statusError(429) : statusError(429, { retryAfter });
}

export function overloaded(): Fault {
  return statusError(529);
}

/** Some organizations reject requests with an Origin header. */
export function corsRefused(): Fault {
  return statusError(401, {
    message: 'CORS requests are not allowed for this Organization because of its settings.',
  });
}

export function promptTooLong(tokens = 213_462, maximum = 200_000): Fault {
  return statusError(400, { message: `prompt is too long: ${tokens} tokens > ${maximum} maximum` });
}

/** A gateway in front of the API that responds with HTML. */
export function gatewayError(status = 502): Fault {
  const body = `<html><head><title>${status} Bad Gateway</title></head><body>nginx</body></html>`;
  const words = { errorType: 'api_error', message: 'Bad Gateway' };
  return { kind: 'fault', name: 'status', status, ...words, body, contentType: 'text/html' };
}

/** Sends an SSE `error` event after this many deltas. */
export function errorEvent(over: Reply, after = 1, errorType = 'overloaded_error'): Fault {
  const words = Object.values(ERRORS).find((known) => known.errorType === errorType);
  const message = words?.message ?? 'Something went wrong';
  return { kind: 'fault', name: 'error-event', over, after, errorType, message };
}

/** Ends the body cleanly after this many deltas, without `message_stop`. */
export function earlyEnd(over: Reply, after = 1): Fault {
  return { kind: 'fault', name: 'early-end', over, after };
}

/** Closes the socket after this many deltas. */
export function cut(over: Reply, after = 1): Fault {
  return { kind: 'fault', name: 'cut', over, after };
}

/** Closes the socket before the status line. */
export function noAnswer(): Fault {
  return { kind: 'fault', name: 'no-answer' };
}

/**
 * Stops sending after this many deltas until the connection is closed, or until `until` and then
 * continues.
 */
export function stall(over: Reply, after = 0, until?: Until): Fault {
  return until === undefined
    ? { kind: 'fault', name: 'stall', over, after }
    : { kind: 'fault', name: 'stall', over, after, until };
}

/** Sends nothing, not even headers, before `until`. */
export function slowStart(over: Reply, until: Until): Fault {
  return { kind: 'fault', name: 'slow-start', over, until };
}

/** Status 200 with a body that is not an event stream. */
export function notAStream(
  body = '<!doctype html><title>Sign in to continue</title>',
  contentType = 'text/event-stream; charset=utf-8',
): Fault {
  return { kind: 'fault', name: 'not-a-stream', contentType, body };
}

/** A valid stream with the wrong content type. */
export function wrongType(over: Reply, contentType = 'text/plain'): Fault {
  return { kind: 'fault', name: 'wrong-type', over, contentType };
}

/** A tool call with invalid JSON, although the stop reason is `tool_use`. */
export function malformedInput(over: Reply, json = '{"path": "Lists/Shopping.md", "edits": [{]}') {
  return lastCall(over, () => ({ json }));
}

/** A tool call with valid JSON that is nested too deeply for `JSON.stringify`. */
export function deepInput(over: Reply, levels = 10_000): Reply {
  return malformedInput(over, `${'{"path":'.repeat(levels)}"A.md"${'}'.repeat(levels)}`);
}

/** Cuts the last call's input after this many characters, as when `max_tokens` is reached. */
export function inputCut(over: Reply, characters = 12): Reply {
  const cutCall = lastCall(over, (call) => ({
    json: JSON.stringify(call.input).slice(0, characters),
  }));
  return ending(cutCall, 'max_tokens');
}

function lastCall(over: Reply, change: (call: CallBlock) => Partial<CallBlock>): Reply {
  const at = over.blocks.findLastIndex((block) => block.type === 'tool_use');
  const found = over.blocks[at];
  if (found?.type !== 'tool_use') throw new Error('This reply has no call to break.');
  return { ...over, blocks: over.blocks.with(at, { ...found, ...change(found) }) };
}

export function refused(
  over: Reply,
  explanation: string | null = 'This request was declined.',
  category: string | null = 'general_harms',
): Reply {
  return { ...ending(over, 'refusal'), stopDetails: { type: 'refusal', category, explanation } };
}

export function windowExceeded(over: Reply): Reply {
  return ending(over, 'model_context_window_exceeded');
}

/** The client has to send it back unchanged to continue the turn. */
export function paused(over: Reply): Reply {
  return ending(over, 'pause_turn');
}

export interface Gate {
  readonly promise: Promise<void>;
  open(): void;
}

/** A promise that the test resolves with `open`. */
export function gate(): Gate {
  let open = () => {};
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open: () => open() };
}
