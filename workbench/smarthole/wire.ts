/** Frames that SmartHole sends, and its limits. */

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
export interface PretendClock {
  now(): number;
  /** Calls back after `milliseconds`, unless the returned function was called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const NODE_CLOCK: PretendClock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
