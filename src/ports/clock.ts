/** Time, timers and chance, handed in so that tests never wait and always know what comes. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `milliseconds`, or at once when the signal aborts; never rejects. Does not depend on frames. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `milliseconds`, unless the returned function was called before. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Gives the thread back; resolves as soon as others had their turn. */
  pause(): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** As YYYY-MM-DD, in the local time zone. */
  date(time: number): string;
  /** Date and time in words with the weekday and offset, for the model. */
  describe(time: number): string;
}
