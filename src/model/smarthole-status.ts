/** Status of the connection to SmartHole. */

/** Connection status, as shown in the status bar and the panel's header. */
export type SmartHoleStatus =
  | { readonly kind: 'off' }
  /** `tries`: how often in a row it failed. Above 0, SmartHole is likely not running. */
  | { readonly kind: 'connecting'; readonly tries: number }
  /** `name`: the one word under which SmartHole knows it. */
  | { readonly kind: 'connected'; readonly name: string }
  | {
      readonly kind: 'refused';
      /** What was refused, and why, for the user. */
      readonly reason: string;
      /** How to fix it. */
      readonly remedy: string;
      /** Milliseconds since 1970; null if only a change of the settings helps. */
      readonly retryAt: number | null;
    };

/** Name under which the user interface remembers that SmartHole was running, or voice turned on. */
export const SMARTHOLE_SEEN = 'smarthole';

/** Whether SmartHole is running. */
export function isReachable({ kind }: SmartHoleStatus): boolean {
  return kind === 'connected' || kind === 'refused';
}
