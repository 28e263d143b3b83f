/**
 * Stands in front of every model stand-in in every test. It says in words what the API would
 * refuse, and what it would silently punish: a broken cache, dropped thinking.
 */
import { requestHistory } from './request-history';
import { checkShape, type Api } from './request-shape';
import type { SentReply } from './sent-reply';
import { isRecord, type ModelRequest, type WireHeaders } from './wire';

export type { Api } from './request-shape';
export type { SentReply } from './sent-reply';

export interface ValidatorOptions {
  /** Which rules: Claude's own API (default) or those of compatible servers. */
  readonly api?: Api;
  /**
   * Whether one prompt may be continued in several ways, as when an earlier message is edited or an
   * answer regenerated. Off, because it also hides a history that was rewritten at its end.
   */
  readonly forks?: boolean;
}

export interface RequestValidator {
  /** The violations of this request, in words; none for a request that is right. */
  check(request: { readonly headers: WireHeaders; readonly body: unknown }): string[];
  /** To be called with what was answered, so that it is recognised when it comes back. */
  sent(body: unknown, reply: SentReply): void;
}

export function requestValidator(options: ValidatorOptions = {}): RequestValidator {
  const history = requestHistory(options.forks === undefined ? {} : { forks: options.forks });
  return {
    check({ headers, body }) {
      const found = checkShape(headers, body, options.api ?? 'claude');
      return isRequest(body) ? [...found, ...history.check(body)] : found;
    },
    sent(body, reply) {
      if (isRequest(body)) history.sent(body, reply);
    },
  };
}

function isRequest(body: unknown): body is ModelRequest {
  return isRecord(body) && Array.isArray(body.messages) && body.messages.every(isRecord);
}
