/** All kinds of failure in a turn, each with one sentence for the user and one next step. */

export type FailureKind =
  | 'key'
  | 'permission'
  | 'billing'
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'endpoint'
  | 'too-long'
  | 'invalid-request'
  | 'unknown-model'
  | 'refused'
  | 'server'
  | 'cut'
  | 'file'
  | 'disk-full'
  | 'unexpected';

export interface Failure {
  readonly kind: FailureKind;
  /** What happened, for the user. */
  readonly sentence: string;
  /** The one thing to do about it. */
  readonly next: string;
  /** What the server or the file system reported. Never contains a secret or a note's text. */
  readonly detail?: string;
  /** When a retry makes sense, in milliseconds since 1970. */
  readonly retryAt?: number;
}

const TEXTS: Record<FailureKind, { sentence: string; next: string }> = {
  key: {
    sentence: 'API key is missing or invalid.',
    next: 'Check the API key in the settings.',
  },
  permission: {
    sentence: 'This API key may not use the chosen model or endpoint.',
    next: 'Choose another model, or a key with access to it.',
  },
  billing: {
    sentence: 'The account behind the API key has no credit left.',
    next: 'Add credit, then retry.',
  },
  'rate-limit': {
    sentence: 'Too many requests. Please try again in a moment.',
    next: 'Wait a moment, then retry.',
  },
  overloaded: {
    sentence: 'The model is overloaded at the moment.',
    next: 'Retry in a few minutes.',
  },
  network: {
    sentence: 'Network error. Please check your internet connection.',
    next: 'Retry when you are online.',
  },
  endpoint: {
    sentence: 'The endpoint could not be reached.',
    next: 'Check the endpoint in the settings, and that its server is running.',
  },
  'too-long': {
    sentence: 'Unable to process request. The message may be too long.',
    next: 'Start a new chat, or ask about less at once.',
  },
  'invalid-request': {
    sentence: 'The model’s server did not accept the request.',
    next: 'Retry in a new chat; if it stays, check model and endpoint in the settings.',
  },
  'unknown-model': {
    sentence: 'The endpoint does not know the chosen model.',
    next: 'Choose another model in the settings.',
  },
  refused: {
    sentence: 'The model declined to answer this request.',
    next: 'Say it differently, or leave out what it may object to.',
  },
  server: {
    sentence: 'The model’s server had an internal error.',
    next: 'Retry in a few minutes.',
  },
  cut: {
    sentence: 'The answer broke off on its way.',
    next: 'Retry; what was done before it stays done.',
  },
  file: {
    sentence: 'A file in the vault could not be read or written.',
    next: 'Check that it is not locked by another program, then retry.',
  },
  'disk-full': {
    sentence: 'The disk is full.',
    next: 'Free some space, then retry.',
  },
  unexpected: {
    sentence: 'Something went wrong inside Parley.',
    next: 'Retry; if it happens again, please report it with the detail below.',
  },
};

export function failure(
  kind: FailureKind,
  more: { detail?: string; retryAt?: number } = {},
): Failure {
  const { detail, retryAt } = more;
  return {
    kind,
    ...TEXTS[kind],
    ...(detail ? { detail: detail.slice(0, 500) } : {}),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** Failures that may resolve themselves within seconds; all others need the user or more time. */
export function isWorthRetrying(kind: FailureKind): boolean {
  return (
    kind === 'rate-limit' ||
    kind === 'overloaded' ||
    kind === 'network' ||
    kind === 'endpoint' ||
    kind === 'server' ||
    kind === 'cut'
  );
}

/** Converts a file system error. `error` is any thrown value; Node's errors have a `code`. */
export function fileFailure(error: unknown): Failure {
  const code = (error as { code?: unknown } | null)?.code;
  const detail = error instanceof Error ? error.message : String(error);
  return failure(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'file', { detail });
}
