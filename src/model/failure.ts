/** Kinds of failure in a turn. */
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

/** When Parley retries a failed request by itself. */
export type AutomaticRetry =
  /** In words, such as "3:07 PM". */
  { readonly when: 'at'; readonly time: string } | { readonly when: 'online' | 'key' | 'credit' };

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

/** Success with a value, or the reason for the failure as a sentence for the user. */
export type ActionResult<Value = unknown> =
  ({ readonly ok: true } & Value) | { readonly ok: false; readonly reason: string };

/** What must be resolved before a retry makes sense. */
export type RetryCause = 'network' | 'endpoint' | 'capacity' | 'credit' | 'key' | 'user';

const CAUSES: Record<FailureKind, RetryCause> = {
  network: 'network',
  endpoint: 'endpoint',
  cut: 'capacity',
  'rate-limit': 'capacity',
  overloaded: 'capacity',
  server: 'capacity',
  billing: 'credit',
  key: 'key',
  permission: 'key',
  'too-long': 'user',
  'invalid-request': 'user',
  'unknown-model': 'user',
  refused: 'user',
  file: 'user',
  'disk-full': 'user',
  unexpected: 'user',
};

/** Parley retries the request by itself, unless the cause needs the user. */
export function retryCause({ kind }: Failure): RetryCause {
  return CAUSES[kind];
}
