/**
 * Parses a client's responses as strictly as SmartHole does, and reports what is wrong with them.
 */
import { isRecord } from './wire';

export interface PlainNotification {
  readonly title: string;
  readonly body: string;
  readonly priority: 'low' | 'normal' | 'high';
}

/** A `faulty` response stops the timer of its message, too. */
export type Response = { readonly messageId: string } & (
  | { readonly kind: 'ack' }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'notification'; readonly notification: PlainNotification }
  | { readonly kind: 'faulty'; readonly fault: string }
);

/** Null if the response names no message. */
export function readResponse(payload: unknown): Response | null {
  if (!isRecord(payload)) return null;
  const { messageId, type, payload: inner } = payload;
  if (typeof messageId !== 'string' || messageId === '') return null;
  const faulty = (fault: string): Response => ({ messageId, kind: 'faulty', fault });
  if (!isRecord(inner)) return faulty('its inner payload is missing');
  switch (type) {
    case 'ack':
      return Object.keys(inner).length === 0
        ? { messageId, kind: 'ack' }
        : faulty('the inner payload of an ack is not {}');
    case 'reject': {
      const { reason = '' } = inner;
      return typeof reason === 'string'
        ? { messageId, kind: 'reject', reason }
        : faulty('the reason of a reject is no text');
    }
    case 'notification': {
      const { title = '', body = '', priority = 'normal' } = inner;
      if (typeof title !== 'string' || typeof body !== 'string') {
        return faulty('title or body of a notification is no text');
      }
      if (priority !== 'low' && priority !== 'normal' && priority !== 'high') {
        return faulty(`a notification has the priority ${JSON.stringify(priority)}`);
      }
      return { messageId, kind: 'notification', notification: { title, body, priority } };
    }
    default:
      return faulty(
        `there is no response ${JSON.stringify(type)?.slice(0, 60) ?? 'without a type'}`,
      );
  }
}
