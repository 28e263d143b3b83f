/**
 * SmartHole's wire protocol: JSON frames of the form `{type, payload}`. Incoming data is not
 * trusted: it becomes a known frame or a sentence that describes the fault. All outgoing frames are
 * built here, because SmartHole crashes on a `payload` of null and accepts an ack only if its inner
 * payload is exactly `{}`.
 */
import { messageWithoutText } from '#messages/voice-messages';
import { oneLine } from '#text/shorten';

/** SmartHole closes the connection over a larger frame, and Parley reads none either. */
export const MAX_FRAME_CHARS = 1_048_576;
/** Every answer repeats the id; no sender needs a longer one. */
const MAX_ID_CHARS = 256;

export interface Registration {
  readonly name: string;
  readonly description: string;
  /** Parley's version. */
  readonly version?: string;
}

/** How SmartHole routed a message to Parley, as far as it says so. */
export interface Routing {
  readonly inputMethod: 'voice' | 'text';
  /** True if the user said the name; false if a router chose by the description, or if unknown. */
  readonly directRouted: boolean;
  readonly routingReason?: string;
  readonly confidence?: number;
}

export interface RoutedMessage {
  /** SmartHole's id. Usually new for each message, but an id can come twice. */
  readonly id: string;
  /** Never blank. The router may have paraphrased it. */
  readonly text: string;
  /** By SmartHole's clock, in milliseconds since 1970; null if unreadable. */
  readonly sent: number | null;
  readonly routing: Routing;
}

export interface Notification {
  readonly title: string;
  readonly body: string;
  readonly priority: 'low' | 'normal' | 'high';
}

export type ServerFrame =
  | { readonly kind: 'registered' }
  | { readonly kind: 'registration-refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'message'; readonly message: RoutedMessage }
  /** `messageId` is the message to reject, if its id could be read. */
  | { readonly kind: 'faulty'; readonly reason: string; readonly messageId: string | null };

/** Never throws, whatever `data` is. */
export function parseServerFrame(data: unknown): ServerFrame {
  if (typeof data !== 'string') return faulty('The frame is not text.');
  if (data.length > MAX_FRAME_CHARS) return faulty('The frame is too long.');
  let frame: unknown;
  try {
    frame = JSON.parse(data);
  } catch {
    return faulty('The frame is no JSON.');
  }
  const payload = ownProperty(frame, 'payload');
  switch (ownProperty(frame, 'type')) {
    case 'registration_response':
      return parseRegistrationResponse(payload);
    case 'message':
      return parseMessage(payload);
    default:
      return faulty('The frame has no type that is known.');
  }
}

function parseRegistrationResponse(payload: unknown): ServerFrame {
  const success = ownProperty(payload, 'success');
  if (success === true) return { kind: 'registered' };
  if (success !== false) return faulty('The answer to a registration says neither yes nor no.');
  const code = ownProperty(payload, 'code');
  const message = ownProperty(payload, 'message');
  return {
    kind: 'registration-refused',
    code: typeof code === 'string' ? code.slice(0, 100) : '',
    message: typeof message === 'string' ? oneLine(message.slice(0, 300)) : '',
  };
}

function parseMessage(payload: unknown): ServerFrame {
  const id = ownProperty(payload, 'id');
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARS) {
    return faulty('The message has no id.');
  }
  const text = ownProperty(payload, 'text');
  if (typeof text !== 'string' || text.trim() === '') return faulty(messageWithoutText, id);
  const timestamp = ownProperty(payload, 'timestamp');
  const sent = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return {
    kind: 'message',
    message: {
      id,
      text,
      sent: Number.isNaN(sent) ? null : sent,
      routing: parseRouting(ownProperty(payload, 'metadata')),
    },
  };
}

/** Faulty routing data is dropped or gets a default: it is no reason to reject a message. */
function parseRouting(metadata: unknown): Routing {
  const routingReason = ownProperty(metadata, 'routingReason');
  const confidence = ownProperty(metadata, 'confidence');
  return {
    inputMethod: ownProperty(metadata, 'inputMethod') === 'text' ? 'text' : 'voice',
    directRouted: ownProperty(metadata, 'directRouted') === true,
    ...(typeof routingReason === 'string' ? { routingReason: routingReason.slice(0, 2_000) } : {}),
    ...(Number.isFinite(confidence) ? { confidence: confidence as number } : {}),
  };
}

export function registrationFrame({ name, description, version }: Registration): string {
  return JSON.stringify({ type: 'registration', payload: { name, description, version } });
}

export function ackFrame(messageId: string): string {
  return responseFrame(messageId, 'ack', {});
}

/**
 * @param reason must contain nothing from the vault, because SmartHole puts it into a prompt and a
 * notification
 */
export function rejectFrame(messageId: string, reason: string): string {
  return responseFrame(messageId, 'reject', { reason: oneLine(reason.slice(0, 120)) });
}

export function notificationFrame(messageId: string, notification: Notification): string {
  const { title, body, priority } = notification;
  return responseFrame(messageId, 'notification', { title, body, priority });
}

function responseFrame(messageId: string, type: string, payload: object): string {
  return JSON.stringify({ type: 'response', payload: { messageId, type, payload } });
}

function faulty(fault: string, messageId: string | null = null): ServerFrame {
  return { kind: 'faulty', reason: fault, messageId };
}

/** Reads only own properties, so that nothing comes from a prototype. */
function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
