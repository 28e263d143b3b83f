import { testClock } from '#tests/builders/clock';
export const systemClockForTest = {
  ...testClock(),
  now: () => Date.now(),
  sleep: (ms: number) => new Promise<void>((r) => setTimeout(r, ms)),
};
