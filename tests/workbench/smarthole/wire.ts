/** Frames between SmartHole and its clients, its limits and its address. Responses are parsed strictly. */

export const MAX_FRAME_BYTES = 1_048_576;
export const MAX_SOCKETS = 100;

export type InputMethod = 'voice' | 'text';

export interface Metadata {
  readonly inputMethod: InputMethod;
  readonly directRouted: boolean;
  readonly routingReason?: string;
  readonly confidence?: number;
}

export function registeredFrame(clientId: string, name: string): string {
  const message = `Registered as ${name}`;
  return frame('registration_response', { success: true, clientId, message });
}

export function refusedFrame(code: string, message: string): string {
  return frame('registration_response', { success: false, code, message });
}

export function messageFrame(id: string, text: string, at: number, metadata: Metadata): string {
  return frame('message', { id, text, timestamp: new Date(at).toISOString(), metadata });
}

function frame(type: string, payload: object): string {
  return JSON.stringify({ type, payload });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Clock of the fake SmartHole, passed in so that tests can control it. */
export interface SmartHoleClock {
  now(): number;
  /** Calls back after `milliseconds`, unless the returned function was called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const NODE_CLOCK: SmartHoleClock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

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

/**
 * Parses the URL of a SmartHole from a command-line option. SmartHole only listens on this
 * computer.
 */
export const NO_SMARTHOLE = 'is no address of a SmartHole, such as ws://127.0.0.1:9473.';

export function portOf(url: string): number | 'wrong' {
  if (!URL.canParse(url)) return 'wrong';
  const { protocol, hostname, port } = new URL(url);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
  return /^wss?:$/.test(protocol) && isHere && port !== '' ? Number(port) : 'wrong';
}
