/** Time, timers and randomness, injected so that tests are deterministic and never wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Milliseconds since some moment, for intervals: unlike `now`, it never goes back. Time asleep
   * counts.
   */
  elapsed(): number;
  /**
   * Resolves after `milliseconds`, or at once when the signal aborts; never rejects. Does not
   * depend on animation frames.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `milliseconds`. Returns a function that cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Yields the thread, and resolves when other tasks had a chance to run. */
  pause(): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** As YYYY-MM-DD, in the local time zone. */
  date(time: number): string;
  /** Date and time in words with weekday and UTC offset, for the model. */
  describe(time: number): string;
}
