/** All kinds of failure in a turn, each with one sentence for the user and one next step. */
import * as t from '#model/messages/turn-ending-messages';

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
    sentence: t.key,
    next: t.keyStep,
  },
  permission: {
    sentence: t.permission,
    next: t.permissionStep,
  },
  billing: {
    sentence: t.credit,
    next: t.creditStep,
  },
  'rate-limit': {
    sentence: t.rateLimited,
    next: t.rateLimitedStep,
  },
  overloaded: {
    sentence: t.overloaded,
    next: t.overloadedStep,
  },
  network: {
    sentence: t.offline,
    next: t.offlineStep,
  },
  endpoint: {
    sentence: t.endpoint,
    next: t.endpointStep,
  },
  'too-long': {
    sentence: t.tooLong,
    next: t.tooLongStep,
  },
  'invalid-request': {
    sentence: t.rejected,
    next: t.rejectedStep,
  },
  'unknown-model': {
    sentence: t.unknownModel,
    next: t.unknownModelStep,
  },
  refused: {
    sentence: t.declined,
    next: t.declinedStep,
  },
  server: {
    sentence: t.server,
    next: t.serverStep,
  },
  cut: {
    sentence: t.interrupted,
    next: t.interruptedStep,
  },
  file: {
    sentence: t.disk,
    next: t.diskStep,
  },
  'disk-full': {
    sentence: t.diskFull,
    next: t.diskFullStep,
  },
  unexpected: {
    sentence: t.internal,
    next: t.internalStep,
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
