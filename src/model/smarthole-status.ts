/** Status of the connection to SmartHole, and the assistant's name there. */

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

/**
 * SmartHole permits 64 characters, but the name of the tool that it makes for the assistant has
 * room for only 55.
 */
export const MAX_NAME_CHARS = 55;

/**
 * Derives a single word that can be said and typed: the ASCII letters and digits of the last word,
 * from its first letter on, in lower case. Accents are removed, and words that leave nothing are
 * skipped.
 */
export function wireNameFrom(assistantName: string): string {
  const words = assistantName.normalize('NFKD').toLowerCase().split(/\s+/);
  const names = words.map((word) => word.replace(/[^a-z0-9]/g, '').replace(/^[0-9]+/, ''));
  return (names.findLast((name) => name !== '') ?? 'parley').slice(0, MAX_NAME_CHARS);
}

/** Name under which the user interface remembers that SmartHole was running, or voice turned on. */
export const SMARTHOLE_SEEN = 'smarthole';

/** Whether SmartHole is running. */
export function isReachable({ kind }: SmartHoleStatus): boolean {
  return kind === 'connected' || kind === 'refused';
}
