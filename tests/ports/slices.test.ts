import { describe, expect, it } from 'vitest';
import { SLICE_MS, Slices } from '#ports/slices';

function handClock() {
  return { time: 1_000, now: () => clock.time, pause: () => Promise.resolve() };
}
let clock: ReturnType<typeof handClock>;

describe('slices', () => {
  it('a slice is due after its milliseconds, counted from the last wait', async () => {
    clock = handClock();
    const slices = new Slices(clock);
    clock.time += SLICE_MS - 1;
    expect(slices.isDue).toBe(false);
    clock.time += 1;
    expect(slices.isDue).toBe(true);
    await slices.pause();
    expect(slices.isDue).toBe(false);
    clock.time += SLICE_MS;
    slices.resumed();
    expect(slices.isDue).toBe(false);
  });

  it('a slice is due when the clock is set back', () => {
    clock = handClock();
    const slices = new Slices(clock);
    clock.time -= 3_600_000;
    expect(slices.isDue).toBe(true);
  });
});
