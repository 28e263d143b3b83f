/** What may go wrong with a request, as a failure the person can read. */
import { failure, type Failure, type FailureKind } from '#model/failure';
import { ANTHROPIC_ENDPOINT } from '#model/settings';

const BY_STATUS: Record<number, FailureKind> = {
  400: 'invalid-request',
  401: 'key',
  402: 'billing',
  403: 'permission',
  404: 'unknown-model',
  408: 'server',
  409: 'server',
  413: 'too-long',
  422: 'invalid-request',
  429: 'rate-limit',
  529: 'overloaded',
};

/** In a stream the status is long sent; the type of the error event says what happened. */
const BY_TYPE: Record<string, FailureKind> = {
  overloaded_error: 'overloaded',
  rate_limit_error: 'rate-limit',
  authentication_error: 'key',
  permission_error: 'permission',
  billing_error: 'billing',
  not_found_error: 'unknown-model',
  request_too_large: 'too-long',
  invalid_request_error: 'invalid-request',
  timeout_error: 'server',
  api_error: 'server',
};

/** Why a request did not bring what it should. */
export type Fault =
  | ServerAnswer
  | { readonly type: 'unreached' | 'broken'; readonly cause: unknown }
  /** The key has characters that no request can carry: a line's end, or the dots of a shortened one. */
  | { readonly type: 'unfit-key' };

/** The server said what is wrong: by a status, or without one in a stream that had begun. */
interface ServerAnswer {
  readonly type: 'answer';
  readonly status?: number;
  readonly headers: Headers;
  /** JSON as a value; anything else as text. */
  readonly body: unknown;
}

/** What the API says of an error. Other servers say it in forms of their own. */
interface SaidError {
  readonly type?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly error_code?: unknown } | null;
}

export interface StreamFailure {
  readonly failure: Failure;
  /** Milliseconds, if the server named a time. */
  readonly retryAfter?: number;
}

export interface FailureContext {
  readonly endpoint: string;
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly now: number;
  /** Left out of what is told: servers repeat the key they refuse, and a failure is kept in a file. */
  readonly key: string | null;
}

export function streamFailure(fault: Fault, context: FailureContext): StreamFailure {
  const { endpoint, now, key } = context;
  const without = (text: string) => (key ? text.replaceAll(key, '(key)') : text);
  switch (fault.type) {
    case 'answer': {
      const detail = without(wordsOf(fault));
      const wait = retryAfter(fault.headers, now);
      return {
        failure: failure(kindOf(fault, detail), { detail }),
        ...(wait === undefined ? {} : { retryAfter: wait }),
      };
    }
    case 'unfit-key':
      return {
        failure: failure('key', { detail: 'It has characters that no key has.' }),
      };
    case 'unreached': {
      const kind = isAnthropic(endpoint) ? 'network' : 'endpoint';
      return { failure: failure(kind, { detail: without(causeOf(fault.cause)) }) };
    }
    case 'broken': {
      // A parser quotes what it could not read, which may be a note's text.
      const detail =
        fault.cause instanceof SyntaxError ? 'A line was no JSON.' : without(causeOf(fault.cause));
      return { failure: failure('cut', { detail }) };
    }
  }
}

function saidError({ body }: ServerAnswer): SaidError | undefined {
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'object' && error !== null ? error : undefined;
}

/** The API's own sentence, or all there is. */
function wordsOf(answer: ServerAnswer): string {
  const { status, body } = answer;
  const message = saidError(answer)?.message;
  if (typeof message === 'string' && message !== '') return message;
  const said = typeof body === 'string' ? body : JSON.stringify(body);
  return [status, said].filter(Boolean).join(' ');
}

function kindOf(answer: ServerAnswer, detail: string): FailureKind {
  const error = saidError(answer);
  const byType = BY_TYPE[String(error?.type)];
  const { status } = answer;
  const kind =
    status === undefined
      ? (byType ?? 'cut')
      : (BY_STATUS[status] ?? (status >= 500 ? 'server' : (byType ?? 'invalid-request')));
  // Some organisations refuse whatever comes from a page, with the status of a wrong key.
  if (kind === 'key' && /\bCORS\b/.test(detail)) return 'permission';
  // The API says both of these as an invalid request or a rate limit.
  if (
    kind === 'invalid-request' &&
    /prompt is too long|too many tokens|context window/i.test(detail)
  ) {
    return 'too-long';
  }
  if (
    (kind === 'invalid-request' || kind === 'rate-limit') &&
    (/credit balance/i.test(detail) || /spend_limit/.test(String(error?.details?.error_code)))
  ) {
    return 'billing';
  }
  return kind;
}

/** Thirty days: what a server names beyond that may be no time that a date can have. */
const LONGEST_WAIT = 30 * 24 * 3_600_000;

function retryAfter(headers: Headers, now: number): number | undefined {
  const wait = namedWait(headers, now);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_WAIT);
}

/** Milliseconds as they were named; NaN where none were. */
function namedWait(headers: Headers, now: number): number {
  const milliseconds = Number(headers.get('retry-after-ms') || Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const value = headers.get('retry-after') || Number.NaN;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
}

function isAnthropic(endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).origin === ANTHROPIC_ENDPOINT;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
