/**
 * Checks every request that tests send to a model double. Reports what the API would reject, and
 * what it would silently penalize: a broken cache or dropped thinking.
 */
import { requestHistory } from './request-history';
import { checkShape, type Api } from './request-shape';
import type { SentReply } from './sent-reply';
import { isRecord, type ModelRequest, type WireHeaders } from './wire';

export type { Api } from './request-shape';
export type { SentReply } from './sent-reply';

export interface ValidatorOptions {
  /** Whose rules apply: those of Claude's own API (default) or of compatible servers. */
  readonly api?: Api;
  /**
   * Allows continuing a prompt in several ways, as after editing a message or regenerating an
   * answer. Off by default, because it also hides a history that was rewritten at its end.
   */
  readonly forks?: boolean;
}

export interface RequestValidator {
  /** Descriptions of the request's violations; empty if it is valid. */
  check(request: { readonly headers: WireHeaders; readonly body: unknown }): string[];
  /** Records a reply, so that later requests can be compared with it. */
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
