/** Makes failures of every kind, each with one sentence for the user and one next step. */
import type { Failure, FailureKind } from '#model/failure';
import * as t from './turn-ending-messages';

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

/** Converts a file system error. `error` is any thrown value; Node's errors have a `code`. */
export function fileFailure(error: unknown): Failure {
  const code = (error as { code?: unknown } | null)?.code;
  const detail = error instanceof Error ? error.message : String(error);
  return failure(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'file', { detail });
}
