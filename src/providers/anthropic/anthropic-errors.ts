/** Reads the errors of the API and of its SDK, and converts them to failures for the user. */
import * as t from '#messages/turn-ending-messages';
import { failure } from '#messages/failures';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk/error';
import { type Failure, type FailureKind } from '#model/failure';
import { isAnthropic } from '#model/setting-choices';
import type { SecretRedactor } from '#text/secret-redactor';

const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
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

/** An error within a stream has no status of its own, only a type. */
const KIND_BY_TYPE: Readonly<Record<string, FailureKind>> = {
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

export interface RequestFailure {
  readonly failure: Failure;
  /** Milliseconds, if the server named a time. */
  readonly retryAfter?: number;
}

export interface FailureContext {
  readonly endpoint: string;
  /** Whether this computer has no network. */
  readonly isOffline: boolean;
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly now: number;
  readonly redactor: SecretRedactor;
}

/** @param error what the request, or reading its stream, threw */
export function requestFailure(error: unknown, context: FailureContext): RequestFailure {
  const { endpoint, isOffline, now, redactor } = context;
  if (error instanceof APIConnectionError) {
    // A server on this computer or in its network needs no internet.
    const kind = isOffline && isAnthropic(endpoint) ? 'network' : 'endpoint';
    // The SDK wraps the error of `fetch`, whose own cause says more.
    const detail = redactor.redact(causeMessage(error.cause ?? error));
    return { failure: failure(kind, { detail, server: new URL(endpoint).host }) };
  }
  if (isApiError(error)) {
    const detail = redactor.redact(messageOf(error));
    const retryAfter = retryAfterOf(error.headers, now);
    return {
      failure: failure(kindOf(error, detail), { detail }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }
  // A parser quotes what it could not read, which may be the text of a note.
  const detail =
    error instanceof SyntaxError ? t.jsonInvalid : redactor.redact(causeMessage(error));
  return { failure: failure('cut', { detail }) };
}

/** Whether the server may have refused what the request contains, such as an unreadable image. */
export function mayRefuseContent(error: unknown, { failure: { kind } }: RequestFailure): boolean {
  if (!isApiError(error) || error.status === undefined) return false;
  return kind === 'invalid-request' || error.status === 413 || error.status === 415;
}

/** `instanceof` alone narrows to a type whose fields are `any`. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

/** The server's own sentence, or else its status and raw text. The form varies between servers. */
function messageOf({ apiMessage, message }: APIError): string {
  return typeof apiMessage === 'string' && apiMessage !== '' ? apiMessage : message;
}

function kindOf({ status, type, errorCode }: APIError, detail: string): FailureKind {
  const byType = KIND_BY_TYPE[String(type)];
  const kind =
    status === undefined
      ? (byType ?? 'cut')
      : (KIND_BY_STATUS[status] ?? (status >= 500 ? 'server' : (byType ?? 'invalid-request')));
  // Some organizations refuse requests from web pages with the status of a wrong key.
  if (kind === 'key' && /\bCORS\b/.test(detail)) return 'permission';
  // The API reports a prompt that is too long as an invalid request, and missing credit or a
  // spend limit of the account as that or as a rate limit.
  if (
    kind === 'invalid-request' &&
    /prompt is too long|too many tokens|context window/i.test(detail)
  ) {
    return 'too-long';
  }
  if (
    (kind === 'invalid-request' || kind === 'rate-limit') &&
    (/credit balance|usage limits/i.test(detail) || /spend_limit/.test(errorCode ?? ''))
  ) {
    return 'billing';
  }
  return kind;
}

/** Longer waits are cut to this, because they may end later than a date can represent. */
const MAX_RETRY_AFTER_MS = 30 * 24 * 3_600_000;

function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const retryAfter = headers ? readRetryAfter(headers, now) : Number.NaN;
  if (Number.isNaN(retryAfter)) return undefined;
  return Math.min(Math.max(0, retryAfter), MAX_RETRY_AFTER_MS);
}

/** Milliseconds, or NaN when the headers name no time. */
function readRetryAfter(headers: Headers, now: number): number {
  const milliseconds = Number(headers.get('retry-after-ms') || Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const value = headers.get('retry-after') || Number.NaN;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
}

function causeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Some servers never end the body of an error response. */
const MAX_ERROR_CHARS = 65_536;

/**
 * The beginning of the body of an error response. Never throws: if the body is interrupted, it
 * returns what has arrived.
 */
export async function readErrorText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  try {
    while (reader && text.length <= MAX_ERROR_CHARS) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // The connection broke or the request was aborted.
  }
  return text;
}
