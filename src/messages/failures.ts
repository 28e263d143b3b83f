/** Makes failures of every kind, each with one sentence for the user and one next step. */
import type { Failure, FailureKind, AutomaticRetry } from '#model/failure';
import { ANTHROPIC_ENDPOINT } from '#model/setting-choices';
import { lowerFirst } from '#text/shorten';
import * as t from './turn-ending-messages';

const ANTHROPIC_HOST = new URL(ANTHROPIC_ENDPOINT).host;

const TEXTS: Record<FailureKind, { sentence: string; next: string }> = {
  key: { sentence: 'API key is missing or invalid.', next: 'Check the API key in the settings.' },
  permission: {
    sentence: 'This API key can’t use the chosen model or endpoint.',
    next: 'Choose another model, or a key with access to it.',
  },
  billing: {
    sentence: 'The account for this API key has no credit left.',
    next: 'Add credit, then retry.',
  },
  'rate-limit': {
    sentence: 'Too many requests.',
    next: 'Try again in a moment.',
  },
  overloaded: {
    sentence: 'The model is overloaded at the moment.',
    next: 'Retry in a few minutes.',
  },
  network: {
    sentence: 'You are offline.',
    next: 'Try again when you are back.',
  },
  endpoint: {
    sentence: 'The model’s server did not answer.',
    next: 'Is it running?',
  },
  'too-long': {
    sentence: 'This chat is too long for the model.',
    next: 'Go on in a new chat, or ask about less at once.',
  },
  'invalid-request': {
    sentence: 'The model’s server did not accept the request.',
    next: 'Go on in a new chat. If it happens again, check the model and endpoint in the settings.',
  },
  'unknown-model': {
    sentence: 'The endpoint does not know the chosen model.',
    next: 'Choose another model in the settings.',
  },
  refused: {
    sentence: 'The model declined to answer this request.',
    next: 'Try rephrasing your request.',
  },
  server: {
    sentence: 'The model’s server had an internal error.',
    next: 'Retry in a few minutes.',
  },
  cut: { sentence: 'The response was interrupted.', next: 'Retry; earlier changes are kept.' },
  file: {
    sentence: 'A file in the vault could not be read or written.',
    next: 'Check that it is not read-only or locked by another program, then retry.',
  },
  'disk-full': { sentence: 'The disk is full.', next: 'Free up some space, then retry.' },
  unexpected: {
    sentence: 'Something went wrong inside Parley.',
    next: 'Retry. If it happens again, please report it with the details.',
  },
};

interface FailureFacts {
  readonly detail?: string;
  readonly retryAt?: number;
  /** Host of the model's server, for `endpoint`. */
  readonly server?: string;
}

export function failure(kind: FailureKind, more: FailureFacts = {}): Failure {
  const { detail, retryAt, server } = more;
  return {
    kind,
    ...(kind === 'endpoint' && server !== undefined ? unreachable(server) : TEXTS[kind]),
    ...(detail ? { detail: detail.slice(0, 500) } : {}),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

function unreachable(server: string): { sentence: string; next: string } {
  return server === ANTHROPIC_HOST
    ? { sentence: 'Anthropic could not be reached.', next: 'Try again in a moment.' }
    : { sentence: `No answer from ${server}.`, next: 'Is the server running?' };
}

/** What happened, for a listener. */
const SAID_CAUSES: Record<FailureKind, string> = {
  key: 'The API key is missing or invalid.',
  permission: 'The API key can’t use the chosen model.',
  billing: 'The account has no credit left.',
  'rate-limit': 'There were too many requests.',
  overloaded: 'The model is overloaded.',
  network: 'There is no internet connection.',
  endpoint: 'The model can’t be reached.',
  'too-long': 'The request is too long.',
  'invalid-request': 'The model did not accept the request.',
  'unknown-model': 'The chosen model is not available.',
  refused: 'The model declined to answer.',
  server: 'The model had an internal error.',
  cut: 'The answer was interrupted.',
  file: 'A file in the vault could not be read or written.',
  'disk-full': 'The disk is full.',
  unexpected: 'Something went wrong.',
};

/** What failed, and when it is retried or else what to do, for a listener. */
export function saidFailure(
  { kind, next }: Pick<Failure, 'kind' | 'next'>,
  retry: AutomaticRetry | null,
): string {
  const then = retry ? t.saidRetry(retry) : kind === 'unexpected' ? t.detailsInObsidian : next;
  return `${SAID_CAUSES[kind]} ${then}`;
}

/** The same within a sentence: "the API key is missing or invalid". */
export function saidCause({ kind }: Pick<Failure, 'kind'>): string {
  return lowerFirst(SAID_CAUSES[kind]).slice(0, -1);
}

/** Whether the file system, or an unknown file format, caused the error; anything else is a bug. */
export function isFileError(error: unknown): error is { readonly code: string } {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}

/** A file system error in sentences. */
export function fileErrorText(error: unknown): string {
  const { sentence, next, detail } = fileFailure(error);
  return `${sentence} ${next}${detail ? ` (${detail})` : ''}`;
}

/** Converts a file system error. `error` is any thrown value; Node's errors have a `code`. */
export function fileFailure(error: unknown): Failure {
  const code = (error as { code?: unknown } | null)?.code;
  const detail = error instanceof Error ? error.message : String(error);
  return failure(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'file', { detail });
}
