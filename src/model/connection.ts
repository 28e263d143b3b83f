/** How things stand with SmartHole, as the status bar and the panel's header show it. */
export type ConnectionState =
  | { readonly kind: 'off' }
  /** `tries`: how often in a row it failed. Above 0, SmartHole is likely not running. */
  | { readonly kind: 'connecting'; readonly tries: number }
  /** `name`: the one word under which SmartHole knows it. */
  | { readonly kind: 'connected'; readonly name: string }
  | {
      readonly kind: 'refused';
      /** What was refused, and why, for the person. */
      readonly reason: string;
      /** The way to mend it. */
      readonly remedy: string;
      /** Milliseconds since 1970; null where only a change of the settings helps. */
      readonly retryAt: number | null;
    };
